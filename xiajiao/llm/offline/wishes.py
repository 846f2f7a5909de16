"""What a person wants of a responder that understands little: told by rules, zh and en."""

import re

LIST = re.compile(
    r"(?:列出|列一下|列举|说说|告诉我|查看|看看|展示|显示|总结).{0,8}(?:记住|记得|记忆|知道的?关于我)"
    r"|你(?:都|还|现在)*(?:记住|记得|记|知道)了?(?:我的?|关于我的?)?(?:什么|哪些|多少|啥)"
    r"|(?:list|show|tell me|give me)\b.{0,20}\b(?:you (?:remember|know|have remembered)|memories|memory)"
    r"|what (?:do you|all do you|have you) (?:remember(?:ed)?|know)(?: about me| of me)?\s*[?？.!]*$",
    re.IGNORECASE,
)
FORGET = re.compile(
    r"^(?:请|帮我|麻烦|你)*(?:把.{1,40}(?P<moved>忘掉|忘了|删掉|删除|删了)"
    r"|(?:忘记|忘掉|忘了|删除|删掉|不要再记|别再记)(?:关于|有关)?(?P<zh>.{2,}))"
    r"|^(?:please |can you |could you )?(?:forget|delete|erase|remove)"
    r"(?: that| about| the (?:fact|memory)(?: that| of| about)?)?"
    r" (?P<en>(?!to\b|it\b).{3,})",
    re.IGNORECASE,
)
EVERYTHING = re.compile(
    r"(?:忘记|忘掉|忘了|删除|删掉)(?:所有|全部|一切)?(?:关于|有关|与|和|跟)(?P<zh>.{1,40}?)(?:有关|相关)?的(?:一切|全部|所有|事)"
    r"|\b(?:forget|delete|erase|remove) (?:everything|all|anything)(?: that)?(?: you (?:know|remember|have(?: kept)?))?"
    r" (?:about|of|on) (?P<en>.{2,})",
    re.IGNORECASE,
)
GREETING = re.compile(
    r"(?:你好|您好|嗨|哈喽|哈啰|在吗|早上好|上午好|中午好|下午好|晚上好|早安|晚安|早|大家好"
    r"|hi|hello|hey|good (?:morning|afternoon|evening|night)|howdy)"
    r"(?:[\s,，!！。.~～呀啊]|虾饺|there)*",
    re.IGNORECASE,
)
THANKS = re.compile(
    r"(?:好的|ok|okay|嗯|great|很好|非常)?[\s,，]*(?:谢谢|多谢|感谢|辛苦|thank|thanks|thx|cheers).{0,12}", re.IGNORECASE
)
QUESTION = re.compile(
    r"[?？]|吗\s*$|呢\s*$|什么|怎么|如何|哪|谁|几[个点时岁]|多少|是否|为什么|^(?:what|how|why|who|where|when|which|do|does|did|is|are|can)\b",
    re.IGNORECASE,
)


def wants_list(text: str) -> bool:
    """All that is remembered, and nothing in particular."""
    return bool(LIST.search(text))


def find_forgotten(text: str) -> str:
    """What is to be forgotten, in the person's words; empty where that is not the wish."""
    match = FORGET.search(text.strip())
    if not match:
        return ""
    return (match["zh"] or match["en"] or text).strip(" 。.!！?？")


def find_forgotten_subject(text: str) -> str:
    """Of what everything is to be forgotten, in the person's words; empty where that is not the wish."""
    match = EVERYTHING.search(text.strip())
    return (match["zh"] or match["en"]).strip(" 。.!！?？") if match else ""


def is_greeting(text: str) -> bool:
    return bool(GREETING.fullmatch(text.strip()))


def is_thanks(text: str) -> bool:
    return bool(THANKS.fullmatch(text.strip()))


def is_question(text: str) -> bool:
    return bool(QUESTION.search(text.strip()))
