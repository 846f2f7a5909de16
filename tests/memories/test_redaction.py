"""What is found as a secret, and what is not."""

import pytest
from stdnum import luhn
from stdnum.cn import ric

from memories.models.secrets import SecretKind
from memories.redaction import find_secrets

# In pieces, that no scanner takes this file for a leak.
LETTERS = "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789" * 3
PEM = "-----BEGIN {0}PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bqabcdefghijklmn\nq83vEjRWeJA=\n-----END {0}PRIVATE KEY-----"
KEYS = [
    "sk-" + "proj-" + LETTERS[:48],
    "sk-" + LETTERS[:20] + "T3Blbk" + "FJ" + LETTERS[:20],
    "sk-" + "ant-api03-" + LETTERS[:90] + "-AA",
    "AIza" + LETTERS[:35],
    "AKIA" + "Q3EGVZ5XW7RTYUPL",
    "ghp_" + LETTERS[:36],
    "github_" + "pat_" + LETTERS[:22] + "_" + LETTERS[:40],
    "glpat-" + LETTERS[:20],
    "xoxb-" + "123456789012-1234567890123-" + LETTERS[:24],
    "sk_" + "live_" + LETTERS[:24],
    "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "sk-" + "3f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c",
    "LTAI" + "5tAbCdEfGhIjKlMnOpQr",
    "AKID" + "z8krbsJ5yKBZQpn74WFkmLPx3wVbNcHd",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
]
STATED = [
    ("Authorization: Bearer {}", "abcdef0123456789ABCDEF", "api_key"),
    ("aws_secret_access_key = {}", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "api_key"),
    ("the api key is {} for now", "abc12345def67890abcd", "api_key"),
    ("密钥：{}，别外传", "a1b2c3d4e5f6g7h8", "api_key"),
    ("postgres://app:{}@db.example.com/app", "p4ssw0rd", "password"),
    ("redis://:{}@10.0.0.1:6379/0", "s3cr3t", "password"),
    ("password: {}", "S3cret!x", "password"),
    ("password={}", "letmein", "password"),
    ("DB_PASSWORD={}", "hunter", "password"),
    ("The Wi-Fi password is {}.", "dumplings2026", "password"),
    ("The password for the router is {}, written below", "tiger99", "password"),
    ("He changed the password to {}", "hunter2", "password"),
    ('{{"user": "bob", "password": "{}"}}', "correct horse battery", "password"),
    ("{} is my password", "hunter2x", "password"),
    ("My PIN is {}", "4821", "password"),
    ("我的密码是 {}", "hunter2abc", "password"),
    ("WiFi密码是{}，别忘了", "12345678", "password"),
    ("密码：{}", "admin", "password"),
    ("密码是“{}”", "芝麻开门", "password"),
    ("路由器密码改成了 {}", "Abc12345", "password"),
    ("家里 wifi 密码 {}", "88888888", "password"),
    ("密码（WiFi）：{}", "abcd1234", "password"),
    ("{}是我的登录密码", "dumpling88", "password"),
    ("取款密码为{}", "135790", "password"),
    ("私钥是 {}", "0x" + "ab12" * 16, "private_key"),
    ("助记词：{}", "abandon ability able about above absent absorb abstract absurd abuse access acid", "private_key"),
]
PLAIN = [
    "用户喜欢喝茶，不喜欢咖啡。",
    "The user's key insight was that the budget is the token of trust.",
    "The password is stored in the vault, and must be changed every 90 days.",
    "密码必须定期更换，密码长度至少 8 位，密码是 6-12 位字母。",
    "The password is 12 characters long and was changed in 2024.",
    "The password is AES-256 encrypted. Password required. Password: required.",
    "password: ******** / password: <your password> / api_key: ${OPENAI_API_KEY}",
    "密码是我的生日；忘记密码请拨 400-820-8820；密码：必填",
    "她的密码学成绩很好，买了密码本2024版",
    "iPhone13是需要输入密码的",
    "I keep my passwords in 1Password and use sk-learn-based-classifiers-of-2024",
    "api_key = os.environ['OPENAI_API_KEY']  # token: /etc/secrets/token1.txt",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b, id 123e4567-e89b-12d3-a456-426614174000",
    "max_tokens = 4096, model: qwen2.5-72b-instruct-awq, primary key: user_id",
    "订单号 6222021234567890128，order number 4111111111111111",
    "IMEI 352099001761481, ISBN 9787111213826, at 1764489600000, QQ 123456789012345",
    "https://user@example.com/status/4111111111111111?page=2",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22",
    "手机号 13812345678，座机 010-62345678",
    "110105194912310021 and 11010519491331002X are no identity numbers",
]


def found_in(text: str) -> list[tuple[str, str]]:
    return [(kind, text[start:end]) for kind, start, end in find_secrets(text)]


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_known_by_their_makers_prefixes(key: str) -> None:
    assert found_in(f"My key is {key}, thanks") == [("api_key", key)]
    assert found_in(f"用户的密钥（{key}）放在保险箱里") == [("api_key", key)]


@pytest.mark.parametrize(("sentence", "value", "kind"), STATED)
def test_a_value_that_is_called_a_secret_is_one(sentence: str, value: str, kind: str) -> None:
    assert found_in(sentence.format(value)) == [(kind, value)]


@pytest.mark.parametrize("text", PLAIN)
def test_ordinary_sentences_hold_no_secret(text: str) -> None:
    assert found_in(text) == []


@pytest.mark.parametrize("maker", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_is_taken_from_its_first_to_its_last_line(maker: str) -> None:
    block = PEM.format(maker)

    assert found_in(f"Use this:\n{block}\nand keep it safe.") == [("private_key", block)]
    assert found_in(block.replace("\n", "\\n")) == [("private_key", block.replace("\n", "\\n"))]


def test_a_private_key_that_was_cut_off_is_taken_as_far_as_it_goes() -> None:
    cut = PEM.format("")[:60]

    assert found_in(f"{cut}\n\nThat was it: no more of the key.") == [("private_key", cut)]
    assert found_in(f"{cut}\nNothing here.\n{PEM.format('RSA ')}") == [
        ("private_key", cut),
        ("private_key", PEM.format("RSA ")),
    ]


@pytest.mark.parametrize(
    "number",
    [
        "11010519491231002X",
        "11010519491231002x",
        "110105 19491231 002X",
        "110105-1949-1231-002X",
        "１１０１０５１９４９１２３１００２Ｘ",
    ],
)
def test_an_identity_number_is_known_however_it_is_written(number: str) -> None:
    assert found_in(f"我的身份证号是{number}，请保密") == [("identity_number", number)]
    assert found_in(f"编号 12 {number}") == [("identity_number", number)]


def test_an_identity_number_needs_its_checksum_and_a_day_that_there_was() -> None:
    for start in ("11010519491331001", "11010520230229001", "11010518991231001"):
        whole = start + ric.calc_check_digit(start + "0")
        is_day = start[6:14] == "18991231"
        assert (found_in(f"身份证 {whole}") == [("identity_number", whole)]) is is_day


def test_an_old_identity_number_counts_where_it_is_called_so() -> None:
    assert found_in("身份证号码：110105491231002") == [("identity_number", "110105491231002")]
    assert found_in("His identity card number is 110105491231002.") == [("identity_number", "110105491231002")]
    assert found_in("批次 110105491231002") == []
    assert found_in("身份证号码：110105491331002") == []


@pytest.mark.parametrize(
    "number",
    [
        "4111111111111111",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "４１１１　１１１１　１１１１　１１１１",
        "5555555555554444",
        "2223003122003222",
        "3782 822463 10005",
        "30569309025904",
        "3530111333300000",
        "6011111111111117",
        "6222021234567890128",
        "6222 0212 3456 7890 128",
        "622202 1234567890128",
    ],
)
def test_bank_cards_are_known_by_their_issuer_and_checksum(number: str) -> None:
    assert found_in(f"卡号是{number}。") == [("bank_card", number)]


def test_a_number_that_passes_the_checksum_alone_is_no_card() -> None:
    for start in ("123456789012345", "999999999999999", "176448960000", "861234567890123"):
        assert found_in(f"the number {start + luhn.calc_check_digit(start)}") == []
    assert found_in("卡号 4111111111111112") == []
    # As long as a bar code, and begins as one.
    old = "400638133393"
    old += luhn.calc_check_digit(old)
    assert found_in(f"the number {old}") == []
    assert found_in(f"my old Visa card {old}") == [("bank_card", old)]


def test_phone_numbers_are_found_only_where_they_are_asked_for() -> None:
    text = "手机 13812345678 或 +86 138-1234-5678，office (415) 555-2671, 1685-1745"

    assert found_in(text) == []
    found = [text[start:end] for _kind, start, end in find_secrets(text, [SecretKind.PHONE_NUMBER])]
    assert found == ["13812345678", "+86 138-1234-5678", "(415) 555-2671"]


def test_what_is_not_asked_for_is_not_found() -> None:
    text = f"password: hunter2, key {KEYS[0]}, 11010519491231002X"

    assert [secret.kind for secret in find_secrets(text, [])] == []
    assert [secret.kind for secret in find_secrets(text, [SecretKind.PASSWORD])] == ["password"]


def test_what_is_two_things_at_once_is_found_once() -> None:
    assert found_in(f"password: {KEYS[0]}") == [("api_key", KEYS[0])]
    assert found_in(f"postgres://app:{KEYS[5]}@db/app") == [("api_key", KEYS[5])]
