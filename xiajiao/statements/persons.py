"""Tell in the third person what an English clause says in the first."""

import re

SUBJECT = re.compile(
    r"^i(?P<short>'m|'ve|'d|'ll)?\b(?P<adverbs>(?: (?:usually|always|never|also|mostly|mainly|currently"
    r"|often|really|still|only|just|generally"
    r"|normally|recently|sometimes|primarily|now|already|rarely|absolutely|actually|personally|strongly"
    r"|typically|both|no longer))*)"
    r"(?: (?P<verb>[a-z]+)(?P<negation>n't)?)?",
    re.IGNORECASE,
)
SHORT = {"'m": "is", "'ve": "has", "'d": "would", "'ll": "will"}
IRREGULAR = {"am": "is", "have": "has", "do": "does", "go": "goes", "was": "was", "were": "was"}
UNCHANGED = re.compile(
    r"can|could|will|would|should|must|may|might|had|did|is|has|was|used|grew|got|bought|sold|met|quit"
    r"|began|went|came|left|lost|won|broke|ran|spent|taught|wrote|became|made|took|gave|found|built"
    r"|saw|flew|drove|chose|cannot|said|read|held|kept|felt|told|heard|hit|cut|caught|fought|thought"
    r"|brought|slept|swam|sang|threw|fell|spoke|wore|woke|stood|understood|sent|paid|hurt|rode|put|set"
    r"|let|drew|ate|drank|forgot|hid|led|knew"
)
# Words before nouns that take possession: "my wife and I" has a subject of its own.
OURS = [
    (r"\bmy wife and i\b", "the user and their wife"),
    (r"\bmyself\b", "themself"),
    (r"\bmine\b", "theirs"),
    (r"\bme\b", "{object}"),
    (r"\bi'm\b", "they are"),
    (r"\bi've\b", "they have"),
    (r"\bi'd\b", "they would"),
    (r"\bi'll\b", "they will"),
    (r"\bi am\b", "they are"),
    (r"\bi was\b", "they were"),
    (r"\bi\b", "they"),
    (r"\b(?:my|our)\b", "their"),
    (r"\bus\b", "them"),
    (r"\bwe're\b", "they are"),
    (r"\bwe\b", "they"),
]
SECOND_VERB = re.compile(r" and (live|work|have|speak|teach|eat|drink)\b", re.IGNORECASE)
MIDDLE = re.compile(r"\bi ((?:always |never |usually |just |really |often )*)([a-z]+)", re.IGNORECASE)


def in_third_person(clause: str, me: str = "them") -> str:
    """ "I live with my wife" is "The user lives with their wife"; `me` is what "me" becomes."""
    head, rest = convert_subject(clause)
    if not head:
        rest = MIDDLE.sub(lambda match: f"the user {match[1]}{conjugate(match[2].lower())}", rest)
    for pattern, other in OURS:
        rest = re.sub(pattern, other.format(object="the user" if not head else me), rest, flags=re.IGNORECASE)
    if head == "The user" or head.startswith("The user is"):
        rest = SECOND_VERB.sub(lambda match: f" and {conjugate(match[1].lower())}", rest)
    text = f"{head}{rest}".strip(" ,:")
    return text[:1].upper() + text[1:]


def convert_subject(clause: str) -> tuple[str, str]:
    """The clause's subject and first verb in the third person, and what follows as it is."""
    owner = re.match(r"(?:my|our)\b", clause, re.IGNORECASE)
    if owner:
        return "The user's", clause[owner.end() :]
    if re.match(r"(?:the )?(?:company|team|project)\b", clause, re.IGNORECASE):
        return "The user's ", re.sub(r"^the ", "", clause, flags=re.IGNORECASE)
    team = re.match(r"we(?P<short>'re|'ve|'d|'ll)?\b", clause, re.IGNORECASE)
    if team:
        short = {"'re": " is", "'ve": " has", "'d": " would", "'ll": " will"}.get(team["short"] or "", "")
        return f"The user's team{short}", third_verb(clause[team.end() :]) if not short else clause[team.end() :]
    subject = SUBJECT.match(clause)
    if not subject:
        return "", clause
    if subject["short"]:
        end = subject.end("short")
        return f"The user {SHORT[subject['short'].lower()]}", clause[end:]
    return "The user", subject["adverbs"] + third_verb(clause[subject.end("adverbs") :])


def third_verb(rest: str) -> str:
    """The first verb after the subject takes its ending: " use Go" is " uses Go", " don't" is " doesn't"."""
    if rest.startswith(" don't"):
        return f" doesn't{rest[6:]}"
    match = re.match(
        r"(\s+(?:(?:usually|always|never|also|mostly|all|both|just|currently)\s+)*)([A-Za-z]+)(n't\b)?", rest
    )
    if not match:
        return rest
    blank, verb, negation = match[1], match[2].lower(), match[3] or ""
    return f"{blank}{conjugate(verb)}{negation}{rest[match.end() :]}"


def conjugate(verb: str) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if UNCHANGED.fullmatch(verb) or (verb.endswith("ed") and verb not in {"need", "feed", "breed"}):
        return verb
    if verb.endswith(("s", "x", "ch", "sh", "o", "z")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
