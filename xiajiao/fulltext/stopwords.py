"""Words that say little about what a text is about. They are found, but weigh next to nothing."""

CHINESE = (
    "的 了 我 你 您 他 她 它 我们 你们 他们 她们 咱们 自己 是 在 有 和 与 及 或 也 都 就 还 又 而 但 "
    "但是 不过 而且 因为 所以 如果 那么 这 那 这个 那个 这些 那些 这里 那里 这样 那样 哪 哪个 哪些 哪里 哪儿 "
    "什么 怎么 怎样 怎么样 如何 为什么 多少 几 谁 吗 呢 吧 啊 呀 哦 嗯 哈 啦 嘛 把 被 让 给 对 对于 关于 "
    "从 到 向 往 以 于 用 为 为了 之 其 等 着 过 地 得 很 太 更 最 一个 一些 一下 一 个 没 没有 不 不是 "
    "会 能 可以 要 想 请 请问 帮 帮我 告诉 告诉我 知道 记得 记住 说 做 去 来 上 下 里 中 时 时候 现在 已经 "
    "只 只是 用户 你好 您好 谢谢 好 好的 再见 嗨 早上好 晚上好 の に は を が と で も へ や か ね よ な "
    "です ます する"
)
ENGLISH = (
    "a an the this that these those i me my mine you your yours he him his she her hers it its we us our "
    "they them their am is are was were be been being do does did doing done have has had having will "
    "would shall should can could may might must of to in on at by for from with about as into and or "
    "but if so than then not no nor what which who whom whose when where why how there here im ive id "
    "youre isnt dont doesnt didnt user please tell know remember hello hi hey thanks thank good bye ok "
    "okay yes just also very too some any"
)
STOP_WORDS = frozenset(f"{CHINESE} {ENGLISH}".split())
