"""The words that English statements are told by; precision before recall, so these are lists of what is known."""

import re

LEAD = re.compile(
    r"^(?:(?:and|but|so|also|because|since|then|by the way|btw|fyi|well|ok(?:ay)?|hi|hello|hey|oh"
    r"|actually|just so you know|for context"
    r"|note that|note|as background|first|second|one more thing|for the record|anyway"
    r"|correction|sorry|no(?=,)|i meant)\b[,:!]?\s*)+",
    re.IGNORECASE,
)
EXPLICIT = re.compile(
    r"(?:please |(?P<polite>(?:can|could|would|will) you (?:please )?))?(?:always )?(?:remember"
    r"|note|keep in mind|don't forget|do not forget"
    r"|make a note|memori[sz]e|save)"
    r"(?: down| for later| the fact| this| for me)?(?: that\b| of\b|:|(?= (?:my|i|i'm|we|our|the)\b))\s*",
    re.IGNORECASE,
)
ASKING = re.compile(
    r"^(?:what|how|why|who|whose|where|when(?! i| my| we| you)|which|is|are|am|was|were|do(?! not)"
    r"|does|did|can|could|will|would|should|shall"
    r"|have (?:you|i|we)|has|any|anyone)\b|\bi wonder\b|\bdo you\b|\bwondering\b",
    re.IGNORECASE,
)
UNCERTAIN = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine|assum(?:e|ing)|pretend|let's say|hypothetically|maybe"
    r"|perhaps|might|probably|possibly"
    r"|apparently|i think|i guess|i believe|i wish|i hope|for example|for instance|e\.g|such as if"
    r"|what if|would be|joking|kidding|role.?play|act as|^play (?:an?|the) \w+$"
    r"|(?:he|she|they|friend|boss|colleague|wife|husband|brother|sister|teacher|doctor|someone|people) (?:says?"
    r"|said|thinks?|thought|told|claims?|believes?))\b",
    re.IGNORECASE,
)
POINTING = re.compile(
    r"\b(?:this|these|those|that (?!is\b)\w+|the (?:above|following|error|code|function|file|script"
    r"|text)|below|above|it)\b(?! for me\b)",
    re.IGNORECASE,
)
VERBS_OF_TASKS = (
    r"write|translate|explain|summari[sz]e|fix|create|generate|implement|draft|give me|show me|tell me"
    r"|help(?: me)?|make(?: me| a)|find"
    r"|list|convert|rewrite|refactor|debug|compare|calculate|suggest|recommend|describe|check|review"
    r"|build|let's|compose|proofread|paraphrase"
    r"|improve|correct|edit|extract|analy[sz]e|design|plan|search|look up|remind me|continue|try"
    r"|read|count|sort|solve|teach me"
)
TASK = re.compile(
    r"(?:please |now |then |next )*(?:(?:can|could|would|will) you (?:please )?|(?:i|we)(?:'d like"
    r"| want| need| would like)(?: you)?(?: to)? )?"
    rf"(?:{VERBS_OF_TASKS})\b|i(?:'m| am) (?:trying|looking|working on a (?:function|script|bug)"
    r"|stuck|getting|having|asking|writing)\b"
    r"|i (?:want|need) (?:a|an|some|help)\b",
    re.IGNORECASE,
)
TASK_ABOUT_TEXT = re.compile(
    r"\b(?:translate|summari[sz]e|proofread|paraphrase|rewrite|edit|correct|improve|explain|check"
    r"|review|analy[sz]e|extract)\b"
    r".{0,40}(?::|$|\bthis\b|\bfollowing\b|\babove\b|\bbelow\b|\binto \w+)",
    re.IGNORECASE,
)
DURABLE = re.compile(
    r"\b(?:always|never|from now on|in (?:the )?future|going forward|every time|whenever|each time"
    r"|by default|at all times|when(?:ever)? (?:i ask|you))\b",
    re.IGNORECASE,
)
VERBS = (
    r"(?:answer|reply|respond|use|write|give|explain|add|include|show|start|begin|end|ask|call|speak"
    r"|talk|put|prefer|keep|confirm|cite|provide|format"
    r"|be|say|mention|suggest|assume|apologi[sz]e|translate|make|send|test|tell|list|offer|follow"
    r"|return|avoid|stop|skip|check|wrap|quote|round|address)"
)
ORDER = re.compile(
    r"(?:(?:please|from now on|in (?:the )?future|going forward|by default|when(?:ever)? .{3,60}?"
    r"|(?:every|each) time .{3,60}?),? ){0,2}"
    rf"(?:please |always |never |do not |don't |you (?:should|must|need to|can) |only )*{VERBS}\b",
    re.IGNORECASE,
)
ANSWERS = (
    r"(?:repl(?:y|ies)|answers?|responses?|explanations?|code (?:examples?|samples?|comments?)|examples?"
    r"|comments?|messages|output|tone)"
)
MANNER = (
    r"(?:brief(?:ly)?|concise(?:ly)?|short|direct(?:ly)?|formal(?:ly)?|casual(?:ly)?|honest|polite(?:ly)?"
    r"|terse|friendly|simple|simply|detailed)"
)
INSTRUCTION = re.compile(
    rf"(?:please,? )?(?:"
    rf"(?:keep|make) (?:your |the |all )?{ANSWERS} |keep (?:it|things) {MANNER}"
    r"|(?:reply|answer|respond|write|speak|talk|explain)(?: things)?(?: to me| back)? (?:only |always )?(?:in (?!one"
    rf"|two|\d)|with(?:out)? |{MANNER}|using )"
    rf"|be (?:more )?{MANNER}\b"
    r"|(?:don't|do not) ever (?!mind\b)\w+"
    r"|(?:don't|do not|stop|avoid|never) (?:ever )?(?:us(?:e|ing)|add(?:ing)?|includ(?:e|ing)|apologi[sz](?:e"
    r"|ing)|repeat(?:ing)?|say(?:ing)?"
    r"|giv(?:e|ing) me|send(?:ing)?|being"
    r"|be(?! afraid| shy| sorry| worried| sad)|translat(?:e|ing)|call(?:ing)? me|ask(?:ing)?|start(?:ing)?"
    r"|end(?:ing)?|assum(?:e|ing)|lectur(?:e|ing)"
    r"|flatter(?:ing)?|mak(?:e|ing) (?:up|things)|sugarcoat(?:ing)?|explain(?:ing)?|write|writing|put(?:ting)?)\b"
    rf"|(?:your |all )?{ANSWERS} (?:should|must|need to|have to|ought to|in)\b"
    r"|(?:you (?:can|may|should) )?call me (?!back|later|when|at|a\b)\S+|address me as"
    r"|i(?:'d| would)? (?:want|like|need|prefer|expect) you to (?!write|translate|explain|fix|help"
    r"|create|find|make|give|look|check)"
    rf"|i(?:'d)? (?:prefer|like|want) (?:your )?{MANNER} {ANSWERS}|i prefer (?:your )?{ANSWERS} "
    r"|no (?:emojis?|small talk|fluff|jargon|apologies|bullet points|markdown)|use (?:metric|imperial"
    r"|british|american|simple|plain|bullet|tabs|spaces)\b"
    rf"|use \S+ (?:for|in) (?:all |your )?{ANSWERS}|prefer \S+ (?:for|in) (?:your )?{ANSWERS}"
    r")",
    re.IGNORECASE,
)
PEOPLE = (
    r"(?:wife|husband|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|mother|father|mom|mum|dad|parents"
    r"|son|daughter|kids?|child(?:ren)?|baby|brother|sister"
    r"|siblings?|grand(?:mother|father|ma|pa|parents|son|daughter)|uncle|aunt|cousin|nephew|niece"
    r"|friend|roommate|flatmate|neighbou?r|colleague|coworker"
    r"|boss|manager|mentor|professor|advisor|teacher|doctor|coach|client|co-?founder|dog|cat|pets?"
    r"|hamster|rabbit|parrot|horse)"
)
THINGS = (
    r"(?:(?:first |last |full |middle |nick|user)?name|birthday|age|height|weight|blood type|job"
    r"|title|role|profession|occupation|major|degree|school|university"
    r"|hometown|home|native language|mother tongue|first language|hobby|hobbies|favou?rite [\w ]{1,30}"
    r"|e-?mail(?: address)?|phone(?: number)?|address|license plate|car|bike|house"
    r"|apartment|laptop|computer|phone|camera|keyboard|editor|ide|os|operating system|main language"
    r"|stack|tech stack|blog|website|server|database|domain|time ?zone"
    r"|company|team|project|product|startup|employer|backend|frontend|repo(?:sitory)?|pronouns|diet"
    r"|allerg(?:y|ies)|budget|goal|dream|flight|deadline|appointment|exam|interview|wedding|trip|train|rent|lease|visa|passport)"
)
GROUPS = (
    r"(?:company|team|project|product|startup|department|backend|frontend|stack|tech stack|database"
    r"|repo(?:sitory)?|servers?|production|api|app|website|site|service|application|codebase|pipeline)"
)
BE = (
    r"(?:is(?!n't it)(?! \w+ing\b(?! (?:at|in|for|as)\b))|isn't|are(?! \w+ing\b)|aren't|was|has|have"
    r"|had|hasn't|doesn't|don't|does not|can't|cannot|can)"
)
DOES = (
    r"(?:uses?|runs?|likes?|loves?|hates?|prefers?|lives?|works?|studies|study|speaks?|plays?|eats?"
    r"|drinks?|requires?|follows?|deploys?|hosts?|relies|sells?"
    r"|makes?|builds?|starts?|started|leaves|departs|arrives|expires|begins|ends?|moved|died|turned|turns|got|joined|owns?|wants?|needs?"
    r"|suffers?|goes|supports?|targets?|depends?|ships?|decided|agreed|switched|migrated|changed|replaced|dropped|stopped)"
)
ADVERB = (
    r"(?:(?:usually|always|never|also|mostly|mainly|currently|often|really|still|only|just|generally"
    r"|normally|recently|sometimes|primarily|now|already|all|both|both of us|personally|strongly"
    r"|typically|absolutely) )*"
)
OWN = re.compile(
    rf"my (?:\w+ ){{0,2}}?(?:{PEOPLE}|{THINGS})(?:,? [A-Z]\w+,?)?(?:'s \w+)? {ADVERB}(?:{BE}|{DOES})\b", re.IGNORECASE
)
ORGANISATION = re.compile(rf"(?:our|the|my)? ?(?:\w+ )?{GROUPS}(?:'s \w+)? {ADVERB}(?:{BE}|{DOES})\b", re.IGNORECASE)
WE = re.compile(
    rf"we(?:'ve|'re| have| are)? ?{ADVERB}(?:use|using|deploy(?:ed)?|decided|agreed|host|run|follow"
    r"|ship|chose|picked|settled|migrated|switched|moved|adopted|standardi[sz]ed|don't use|do not use"
    r"|write our|rely)\b",
    re.IGNORECASE,
)
SELF_STATE = re.compile(
    rf"i(?:'m| am) {ADVERB}(?:not )?(?:(?-i:[A-Z][a-zà-ÿ]+)(?=$|,| from| and|(?-i: [A-Z]))"
    r"|an? (?!bit|little|lot|few|bug|problem|error)|the (?!one)|from "
    r"|based |allergic|vegetarian|vegan|pescatarian|diabetic"
    r"|lactose|gluten|colou?r.?blind|left.?handed|right.?handed|married|single|divorced|engaged|pregnant"
    r"|retired|self.?employed|unemployed|dyslexic|deaf|blind"
    r"|bilingual|\d+(?: years old)?(?=$| and )|\d+ years|in (?:my|charge)|responsible for|fluent|learning|studying"
    r"|training for|working (?:at|for|as|in)|called|named"
    r"|afraid of (?:heights|flying|dogs|spiders|snakes)|into |interested in |majoring|new to (?!this))"
    rf"|i {ADVERB}(?:live|work(?! out how)|use(?! it)|prefer|like|love|hate|dislike|enjoy|speak|study"
    r"|own|drive|play|manage|teach|lead|maintain|develop|write|code|program|commute"
    r"|(?:can't|cannot) (?:stand|eat|drink|drive|swim|have)|(?:don't|do not) (?:like|eat|drink|use"
    r"|smoke|drive|speak|own|have (?:kids|children|a car|any)|want kids|watch|work)"
    r"|never (?:eat|drink|use|smoke)|eat|drink|run (?:every|\d|a )|wake up|get up|go to bed|go to the gym"
    r"|meditate|was born|grew up|graduated|studied|used to|identify|suffer|have been|no longer \w+"
    r"|have (?:an? |two |three |four |\d+ |many )?(?:\w+ ){0,2}(?:kids?|children|sons?|daughters?"
    r"|dogs?|cats?|pets?|brothers?|sisters?|siblings|allerg\w+|diabetes|asthma|adhd|migraines?"
    r"|degree|phd|masters?|years|company|blog|car|house|driver's|condition|intolerance))\b(?! to (?:ask"
    r"|know|see|write|translate))"
    r"|i'd (?:prefer|rather)\b|i've been (?:an? )?\w+(?: \w+)? (?:since|for) ",
    re.IGNORECASE,
)
TIME = (
    r"(?:yesterday|today|tomorrow|tonight|last \w+|next \w+|this (?:week|month|year|summer|winter"
    r"|spring|autumn|fall|weekend)|on \w+day|in (?:19|20)\d\d|in (?:january|february|march|april"
    r"|may|june|july|august|september|october|november|december)|\w+ (?:days|weeks|months|years) ago"
    r"|recently)"
)
EVENT = re.compile(
    rf"i(?:'ve| have)? ?{ADVERB}(?:finally )?(?:moved to|stopped \w+ing|started (?:a|my|working|learning|at|running)"
    r"|quit|joined|bought|sold|married|got (?:married|divorced|engaged|promoted|fired|hired|laid off"
    r"|a (?:new )?(?:job|dog|cat|puppy|kitten))"
    r"|cancel(?:l?ed) my|postponed my|gave up"
    r"|adopted|passed|graduated|retired|broke my|lost my|had (?:a baby|surgery|an operation)|switched (?:to"
    r"|from|jobs)|changed jobs|been (?:to|diagnosed|promoted)|became)\b"
    r"|i(?:'m| am) (?:going to|planning to|moving|flying|travell?ing|getting married|starting|leaving"
    r"|visiting|having (?:surgery|a baby))\b(?!.*\b(?:ask|send|paste|show)\b)"
    rf"|i (?:plan|decided|intend) to (?!ask|send|paste|show|use|try)\w+"
    rf"|i (?!got an|asked|tried|wrote)(?:\w+ ){{1,12}}{TIME}(?: (?:at|in|with|from) [\w :.]{{1,20}})?$"
    rf"|i(?:'ll| will) (?:be in|fly|move|visit|start|travel)\b.*{TIME}",
    re.IGNORECASE,
)
