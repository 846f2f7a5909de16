"""Replies of models to an extraction, and the facts that are in them: nothing that is no fact, nothing left out."""

from __future__ import annotations

import json

TEA, CITY = "用户喜欢喝绿茶", "The user lives in Lisbon"
ITEM = {"content": TEA, "category": "semantic", "type": "user"}
OTHER = {"content": CITY, "category": "semantic", "type": "user"}
BOTH = json.dumps({"memories": [ITEM, OTHER]}, ensure_ascii=False)
PROMPT = 'Example: {"memories": [{"content": "The user is called Ada"}]}'
MANY = [
    {"content": f"The user owns boat number {number}", "importance": 3 if number > 39 else 1} for number in range(50)
]

# (what it is, the reply, the contents)
READ: list[tuple[str, str, list[str]]] = [
    ("valid", BOTH, [TEA, CITY]),
    ("valid, one", json.dumps({"memories": [ITEM]}), [TEA]),
    ("valid and empty", '{"memories": []}', []),
    ("an empty list", "[]", []),
    ("an empty object", "{}", []),
    ("null for a list", '{"memories": null}', []),
    ("a bare list", json.dumps([ITEM, OTHER]), [TEA, CITY]),
    ("a list of texts", json.dumps([TEA, CITY]), [TEA, CITY]),
    ("one object alone", json.dumps(ITEM), [TEA]),
    ("an object for a list", json.dumps({"memories": ITEM}), [TEA]),
    ("fenced", f"```json\n{BOTH}\n```", [TEA, CITY]),
    ("fenced without a language", f"```\n{BOTH}\n```", [TEA, CITY]),
    ("an empty list in a fence", "```json\n[]\n```", []),
    ("prose before", f"Here are the memories:\n{BOTH}", [TEA, CITY]),
    ("prose behind", f"{BOTH}\n\nI hope that helps! {{really}}", [TEA, CITY]),
    ("prose around a fence", f"当然，如下：\n```json\n{BOTH}\n```\n以上共 2 条。", [TEA, CITY]),
    ("prose with brackets before", f"From messages [1] and [2] I found: {BOTH}", [TEA, CITY]),
    ("thoughts before", f"<think>The user said {{tea}}? [maybe]</think>{BOTH}", [TEA, CITY]),
    ("a trailing comma", BOTH.replace("]}", ",]}"), [TEA, CITY]),
    ("single quotes", "{'memories': [{'content': 'The user lives in Lisbon'}]}", [CITY]),
    ("keys without quotes", '{memories: [{content: "The user lives in Lisbon"}]}', [CITY]),
    ("a comment in it", '{"memories": [ // found\n{"content": "The user lives in Lisbon"}]}', [CITY]),
    ("escaped Chinese", json.dumps({"memories": [ITEM]}, ensure_ascii=True), [TEA]),
    ("a bad escape", '{"memories": [{"content": "用户的路径是 C:\\users\\mei"}]}', ["用户的路径是 C:\\users\\mei"]),
    ("half a surrogate pair", '{"memories": [{"content": "用户喜欢喝绿茶\\ud83d"}]}', [TEA]),
    ("a whole surrogate pair", '{"memories": [{"content": "用户喜欢 \\ud83c\\udf75"}]}', ["用户喜欢 🍵"]),
    ("U+0000", '{"memories": [{"content": "The user lives\\u0000 in Lisbon"}]}', [CITY]),
    ("a line break in a string", '{"memories": [{"content": "The user lives\nin Lisbon"}]}', [CITY]),
    ("other keys", json.dumps({"facts": [{"fact": TEA}, {"text": CITY}]}), [TEA, CITY]),
    ("Chinese keys", json.dumps({"记忆": [{"内容": TEA}]}, ensure_ascii=False), [TEA]),
    ("two objects", json.dumps({"memories": [ITEM]}) + "\n" + json.dumps({"memories": [OTHER]}), [TEA, CITY]),
    ("an object a line", json.dumps(ITEM) + "\n" + json.dumps(OTHER), [TEA, CITY]),
    ("the same twice", json.dumps([ITEM, ITEM, TEA + "。"]), [TEA]),
    ("truncated in the second", BOTH[: BOTH.index("Lisbon")], [TEA]),
    ("truncated behind the second", BOTH.removesuffix(', "category": "semantic", "type": "user"}]}'), [TEA, CITY]),
    ("truncated in a fence", "```json\n" + BOTH[: BOTH.index("lives")], [TEA]),
    ("an item that repeats the prompt", json.dumps([{"content": "The user is called Ada"}, ITEM]), [TEA]),
    ("placeholders", json.dumps([{"content": "string"}, {"content": "..."}, {"content": "无"}, ITEM]), [TEA]),
    ("an apology as an item", json.dumps([{"content": "I'm sorry, I found no facts."}, ITEM]), [TEA]),
    ("nothing as an item", json.dumps({"memories": ["没有值得记住的内容"]}, ensure_ascii=False), []),
    ("things that are no items", json.dumps({"memories": [None, 3, [], {}, ITEM, {"content": 5}]}), [TEA]),
    ("fifty items", json.dumps(MANY), [str(each["content"]) for each in MANY[40:]]),
    ("bullets", f"- {TEA}\n- {CITY}", [TEA, CITY]),
    ("numbered lines", f"1. {TEA}\n2) {CITY}", [TEA, CITY]),
    ("bullets below prose", f"What I learned:\n\n* {TEA}\n\nThat is all.", [TEA]),
    ("none in one word", "None.", []),
    ("none in Chinese", "没有需要记住的内容。", []),
    ("no new facts", "No new facts were found in this conversation.", []),
    ("a bullet that says none", "- None", []),
]

# (what it is, the reply, the code of the error)
UNREADABLE: list[tuple[str, str, str]] = [
    ("nothing", "", "silent"),
    ("blanks", " \n\t", "silent"),
    ("thoughts alone", "<think>hm", "silent"),
    ("a refusal", "I'm sorry, but I can't help with that.", "no_list"),
    ("a refusal in Chinese", "抱歉，我无法处理这段对话。", "no_list"),
    ("prose", "The user talked about tea and about Lisbon.", "no_list"),
    ("a schema", '{"type": "object", "properties": {"memories": {"type": "array"}}}', "no_list"),
    ("figures", "[1, 2, 3]", "no_list"),
    ("an error of the server", "<html><body>502 Bad Gateway</body></html>", "no_list"),
]
