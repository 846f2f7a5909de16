"""Messages that ask for nothing: greetings, thanks, words of assent. No memory is relevant to them.

A vector can't tell: "good night" is near to whoever works at night.
"""

from __future__ import annotations

import re

CHINESE = (
    "你好 您好 你们好 大家好 嗨 哈喽 哈罗 嘿 早 早安 晚安 在吗 在么 在不在 早上好 上午好 中午好 下午好 晚上好 "
    "你好吗 最近怎么样 最近好吗 谢谢 谢谢你 谢谢您 多谢 感谢 非常感谢 辛苦了 辛苦 好 好的 好吧 好嘞 行 行吧 "
    "可以 嗯 嗯嗯 哦 噢 喔 对 对的 是 是的 没错 没事 没关系 不客气 不用了 不用谢 明白 明白了 知道了 了解 收到 "
    "懂了 哈哈 哈哈哈 呵呵 嘻嘻 再见 拜拜 回见 回头见 明天见 继续 棒 太棒了 真棒 太好了 厉害 不错 很好"
)
ENGLISH = (
    "hi|hiya|hello|hey|yo|hi there|hello there|hey there|good morning|good afternoon|good evening|good night|"
    "morning|how are you|how are you doing|how are you today|what's up|sup|thanks|thank|thanks a lot|"
    "thank you|thank you very much|thank you so much|many thanks|thx|ty|cheers|ok|okay|k|sure|yes|yep|yeah|no|"
    "nope|got it|i see|understood|great|nice|cool|awesome|perfect|lol|haha|bye|goodbye|good bye|see you|"
    "see ya|welcome|you're welcome|no problem|np|continue|go on|please continue|please"
)
PLEASANTRIES = frozenset([*CHINESE.split(), *ENGLISH.split("|")])
PAUSES = re.compile(r"[\W_]*[,.!?~，。！？～…、;；:：\n]+[\W_]*|^[\W_]+|[\W_]+$")
# Sounds at the end of a Chinese sentence change nothing of it.
SOUNDS = re.compile(r"[啊呀哦呢吧啦嘛哈哟喔]+$")


def is_small_talk(message: str) -> bool:
    """Also of several in a row: "好的，谢谢！"."""
    parts = [" ".join(part.split()).casefold() for part in PAUSES.split(message.replace("’", "'"))]
    return all(is_pleasantry(part) for part in parts)


def is_pleasantry(text: str) -> bool:
    return not text or text in PLEASANTRIES or SOUNDS.sub("", text) in PLEASANTRIES
