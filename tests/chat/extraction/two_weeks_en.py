"""Two weeks of Nora's."""

from tests.chat.extraction.two_weeks import Fact, Session, TwoWeeks

SESSIONS = [
    Session(
        0,
        [
            (
                "Hi, my name is Nora. I live in Lisbon.",
                "Nice to meet you, Nora! Lisbon is lovely at this time of the year, and the light is soft.",
            ),
            (
                "I work as a nurse at a hospital.",
                "That is demanding work, with shifts at all hours. Take your breaks seriously when you can.",
            ),
        ],
        [
            Fact("The user's name is Nora"),
            Fact("The user lives in Lisbon"),
            Fact("The user works as a nurse at a hospital"),
        ],
        "Got to know Nora",
    ),
    Session(
        1,
        [
            (
                "I use Java for my side project.",
                "Java is a solid choice, and the tooling is excellent. Which build tool do you use, Maven or Gradle?",
            ),
            (
                "Please always answer briefly.",
                "All right: I'll keep my answers short from now on, and skip the small talk.",
            ),
        ],
        [
            Fact("The user uses Java for their side project"),
            Fact("Always answer briefly", "procedural", "feedback", "Please always answer briefly"),
        ],
        "Talked about Java; answers are to be brief",
        is_closed=False,
    ),
    Session(
        2,
        [
            (
                "I plan to visit Kyoto next month.",
                "December is quiet there. The temples are calmest early in the morning, so start early.",
            ),
            (
                "I have a cat called Miso.",
                "Miso is a great name for a cat. Do you have somebody to look after her meanwhile?",
            ),
        ],
        [
            Fact(
                "The user plans to visit Kyoto in December 2026", "episodic", quote="I plan to visit Kyoto next month"
            ),
            Fact("The user has a cat called Miso"),
        ],
        "Plans to visit Kyoto",
    ),
    Session(
        4,
        [
            (
                "My brother Rui is a teacher.",
                "Teaching is a fine profession, though the marking never ends. Which subjects does he teach?",
            ),
            (
                "Our project uses MySQL.",
                "MySQL does well with many reads and few writes. Mind your indexes as the tables grow.",
            ),
        ],
        [
            Fact(
                "The user's brother Rui is a teacher", quote="My brother Rui is a teacher", subject="the user's brother"
            ),
            Fact("The user's project uses MySQL", type="project"),
        ],
        "Talked about Rui and the project's database",
    ),
    Session(
        5,
        [
            (
                "By the way, I moved to Porto.",
                "Congratulations! Porto is greyer in winter, but the river, the food and the people are superb.",
            ),
            (
                "The rent is lower there.",
                "That helps. Flats a few metro stops from the centre are cheaper still, and often quieter.",
            ),
        ],
        [Fact("The user moved to Porto", quote="I moved to Porto")],
        "Moved to Porto",
        is_closed=False,
    ),
    Session(
        7,
        [
            (
                "I switched from Java to Go.",
                "Go is quick to learn. Look at goroutines and channels first, then read the standard library.",
            ),
            (
                "What could I do at the weekend?",
                "You live in Porto and have a cat called Miso: go to the river, and spend an evening at home.",
            ),
        ],
        [
            Fact("The user switched from Java to Go"),
            # What was recalled into the prompt and said by the agent alone.
            Fact("The user has a cat called Miso", quote="have a cat called Miso"),
            Fact("The user lives in Porto", quote="You live in Porto"),
        ],
        "Switched to Go; talked about the weekend",
    ),
    Session(
        8,
        [
            (
                "I cancelled my trip to Kyoto.",
                "What a pity, but there will be another time. Return the tickets soon: many can be cancelled free.",
            ),
            (
                "Things are too busy at the moment.",
                "Then rest where you can. Put the most urgent things first and let the others wait.",
            ),
        ],
        [Fact("The user cancelled their trip to Kyoto", "episodic")],
        "Cancelled the trip to Kyoto",
    ),
    Session(
        10,
        [
            (
                "I quit my job as a nurse, and now I work as a data analyst at a bank.",
                "Congratulations on the new job! Spend the first weeks on learning who does what.",
            ),
            (
                "The commute is short.",
                "A short commute is worth a lot: more sleep in the morning, or half an hour for a walk.",
            ),
        ],
        [Fact("The user works as a data analyst at a bank", quote="now I work as a data analyst at a bank")],
        "Has a new job",
        is_closed=False,
    ),
    Session(
        11,
        [
            (
                "Our project switched to PostgreSQL.",
                "PostgreSQL has strong JSON and full-text search. Mind sequences and upper case on the way.",
            ),
            (
                "It went quite well.",
                "Good. Compare all of the data once before you go live, and keep a way back for a week or so.",
            ),
        ],
        [Fact("The user's project switched to PostgreSQL", type="project")],
        "The project switched to PostgreSQL",
    ),
    Session(
        13,
        [
            (
                "My brother moved to Berlin.",
                "Berlin is full of schools that look for teachers. It takes a while to settle in; visit him.",
            ),
            (
                "I'm allergic to peanuts.",
                "I'll keep that in mind. Look out for peanut oil and sauces with nuts, and carry your medicine.",
            ),
        ],
        [
            Fact(
                "The user's brother moved to Berlin", quote="My brother moved to Berlin", subject="the user's brother"
            ),
            Fact("The user is allergic to peanuts"),
        ],
        "Talked about Rui and allergies",
    ),
]

ENGLISH = TwoWeeks(
    "en",
    SESSIONS,
    true={
        "The user's name is Nora": "semantic",
        "The user moved to Porto": "semantic",
        "The user works as a data analyst at a bank": "semantic",
        "The user switched from Java to Go": "semantic",
        "Always answer briefly": "procedural",
        "The user has a cat called Miso": "semantic",
        "The user cancelled their trip to Kyoto": "episodic",
        "The user's brother Rui is a teacher": "semantic",
        "The user's brother moved to Berlin": "semantic",
        "The user's project switched to PostgreSQL": "semantic",
        "The user is allergic to peanuts": "semantic",
    },
    replaced={
        "The user lives in Lisbon": (5, "The user moved to Porto"),
        "The user uses Java for their side project": (7, "The user switched from Java to Go"),
        "The user plans to visit Kyoto in December 2026": (8, "The user cancelled their trip to Kyoto"),
        "The user works as a nurse at a hospital": (10, "The user works as a data analyst at a bank"),
        "The user's project uses MySQL": (11, "The user's project switched to PostgreSQL"),
    },
    headings={"semantic": "Semantic memory", "episodic": "Episodic memory", "procedural": "Procedural memory"},
    questions=[
        "What is my name? Which city did I move to? What do I work as?",
        "Which language did I switch to from Java? Which database does our project use? Which cat do I have?",
        "What does my brother Rui do, and where did he move? What am I allergic to? What about my trip to Kyoto?",
    ],
    decided=frozenset({("The user works as a nurse at a hospital", "The user works as a data analyst at a bank")}),
    true_by_rules={
        "The user's name is Nora": "semantic",
        "The user moved to Porto": "episodic",
        "The user quit their job as a nurse": "episodic",
        "The user now works as a data analyst at a bank": "semantic",
        "The user switched from Java to Go": "episodic",
        "Always answer briefly": "procedural",
        "The user has a cat called Miso": "semantic",
        "The user cancelled their trip to Kyoto": "episodic",
        "The user's brother Rui is a teacher": "semantic",
        "The user's brother moved to Berlin": "semantic",
        "The user's project switched to PostgreSQL": "semantic",
        "The user is allergic to peanuts": "semantic",
    },
    replaced_by_rules={
        "The user lives in Lisbon": (5, "The user moved to Porto"),
        "The user uses Java for their side project": (7, "The user switched from Java to Go"),
        "The user plans to visit Kyoto in 2026-12": (8, "The user cancelled their trip to Kyoto"),
        "The user works as a nurse at a hospital": (10, "The user quit their job as a nurse"),
        "The user's project uses MySQL": (11, "The user's project switched to PostgreSQL"),
    },
)
