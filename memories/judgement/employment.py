"""A job in the place of another one, where the new statement says that it is so now."""

from __future__ import annotations

import re

from memories.judgement.pairs import Pair

JOBS = "[师员长]|[电木技]工|[作画]家|经理|总监|主管|顾问|助理|医生|护士|教授|会计|销售|运营|产品|开发|设计|测试|负责人"
# "works at a bank as an analyst", "在美团做架构师"; of the user alone, not of a relative, and not at home.
EMPLOYED = re.compile(
    rf"^用户(?!的)[^，,]{{0,6}}?在(?!家)\S[^，,]*?(?:工作|上班|任职|供职|(?:做|当|担任)[^，,]*(?:{JOBS}))了?(?:[，,]|$)"
    r"|\b(?:user|they)\b(?!')(?: \w+){0,2}? works? (?:at|for|as)\b"
)
NOW = re.compile(
    r"现在|目前|如今|跳槽|换了?(?:个|份|新)?工作|新工作|入职"
    r"|\b(?:now|new job|quit|changed jobs|current(?:ly)?|joined)\b"
)
BESIDES = re.compile(
    r"也在|还在|另外|同时|兼|副业|业余|周末|晚上|实习|志愿|以前|曾|打算|计划"
    r"|\b(?:also|besides|part.?time|side|weekends?|evenings?|nights?|volunteer\w*|used to|formerly|plans?|from home)\b"
)


def is_other_employment(pair: Pair) -> bool:
    """Both say where or as what the user works, and the new one that this is so now."""
    new, old = pair.new.text, pair.old.text
    both_say = bool(EMPLOYED.search(new) and EMPLOYED.search(old)) and not (BESIDES.search(new) or BESIDES.search(old))
    is_negated = pair.new.negations % 2 or pair.old.negations % 2
    return both_say and bool(NOW.search(new)) and not NOW.search(old) and not is_negated
