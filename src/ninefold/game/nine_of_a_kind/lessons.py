"""9 of a Kind, taught by playing it."""

from itertools import chain

from ninefold.model.lessons import Lesson, deal

PLAYERS = 5
# What the other four hold; no lesson deals these to seat 0.
OTHERS = (
    "AP 2X 3W 4L 5P 6R 7R 8X 9R",
    "AX 2W 3L 4R 5X 6P 7P 8W 9P",
    "AW 2L 3R 4P 5W 6X 7X 8L 9X",
    "AL 2R 3P 4X 6L 6W 7W 8R 9W",
)
SPADES = "AS 2S 3S 4S 5S 6S 7H 7D 9C"


def table(own: str) -> tuple[str, ...]:
    """The deal that gives seat 0 these nine cards."""
    hands = [own.split(), *(hand.split() for hand in OTHERS)]
    return deal(" ".join(chain.from_iterable(zip(*hands, strict=True))))


KEEP = "Keep your Spades! The two sevens are what you don’t need."
FALSE = "Not yet: you have only six Spades. A false claim puts you out of the round."
NINE = "No more trading: you have nine Hearts! Press “9 of a Kind!”."

LESSONS = (
    Lesson(
        "Collect nine",
        "Everyone trades at once. You want all nine cards of one suit, or of one rank. You have six Spades, "
        "so your two sevens can go. The others see how many you offer, not which.",
        "Choose both sevens, and offer them.",
        "Now anyone may give you two cards for them.",
        ("offer 7H 7D",),
        table(SPADES),
        clue=KEEP,
        wrong={"claim*": FALSE, "offer 7?": "One seven is a start. Offer both together."},
        players=PLAYERS,
    ),
    Lesson(
        "Take an offer",
        "Ada offers one card, face down. To get it, give her one of yours. Neither of you knows what comes.",
        "Choose your nine of Clubs, then swap it for Ada’s face-down card.",
        "An ace of Paper: no luck. Only you two know who holds what.",
        ("answer 1 9C",),
        (*table(SPADES), "1: offer AP"),
        shown=1,
        clue="Give Ada your nine of Clubs: it’s the odd one out.",
        wrong={
            "claim*": FALSE,
            "offer*": "That would offer it to everyone. Swap it for the card before Ada.",
        },
        players=PLAYERS,
    ),
    Lesson(
        "The centre",
        "Spare cards lie face down in the centre. After a trade with a player, you may swap one to three "
        "cards there, once.",
        "Choose both sevens, and swap them with the centre.",
        "A Spade! What you put down may be just what someone else is looking for.",
        ("centre 7H 7D",),
        (*table(SPADES), "1: offer AP", "0: answer 1 9C"),
        shown=1,
        then=deal("9S 4H"),
        clue=KEEP,
        wrong={"claim*": FALSE, "centre 7?": "Two are better: swap both sevens at once."},
        players=PLAYERS,
    ),
    Lesson(
        "9 of a Kind!",
        "Nine Hearts: shout before someone else does! But count first. A false claim puts you out of the "
        "round.",
        "Press “9 of a Kind!”.",
        "You score what the others hold: every card outside their best suit or rank.",
        ("claim nine",),
        table("AH 2H 3H 4H 5H 6H 7H 8H 9H"),
        then=("1: wait", "2: wait", "3: wait", "4: wait"),
        clue=NINE,
        players=PLAYERS,
    ),
    Lesson(
        "Blocked!",
        "Another way to win: one card of every suit and one of every rank. Nobody else can have nine of a "
        "kind now, so you’ve blocked them all.",
        "You have it. Press “Blocked!”.",
        "Rare, and it wins the round. The first to the target wins the match.",
        ("claim blocked",),
        table("AR 2P 3X 4W 5L 6S 7H 8D 9C"),
        clue="Look again: nine different suits, ace to nine. Press “Blocked!”.",
        players=PLAYERS,
    ),
)
