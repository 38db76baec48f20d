"""Multiple 9 Hold'em, taught by playing it."""

from ninefold.model.lessons import Lesson, deal

# Two players: seat 0 has the button and the small blind, and the first card goes to seat 1.
LONG = {"hands": 20}  # more hands follow

LESSONS = (
    Lesson(
        "Count your nines",
        "You get two cards, and five more are for everyone. Cards that add up to 9, 18, 27 are worth one, "
        "two, three nines. A jack counts 11, a queen 12, a king 13. The most nines wins.",
        "K and 5 make 18. Call 5 to see more cards.",
        "J and 7 are two more nines, and the 9 is one: five so far.",
        ("call",),
        deal("2H KS 4H 5S"),
        shown=4,
        then=("1: check", *deal("JS 7H 9D")),
        clue="You hold one of the best starts there is. For now, just call.",
        wrong={"fold": "Don’t give up two nines! Call."},
    ),
    Lesson(
        "A free look",
        "Ada only called, so you owe nothing. Your cards are poor, but seeing the flop is free: that’s a "
        "check.",
        "Check.",
        "You never have to fold when a check is free.",
        ("check",),
        (*deal("2H KS 4H 5S"), "0: call"),
        shown=1,
        seat=1,
        clue="Bold, with 4 and 2! Keep it cheap this time: check.",
    ),
    Lesson(
        "Raise",
        "Two nines in your hand: that’s two, whatever comes. Make Ada pay to stay in. The number on the "
        "button is your whole bet: “raise to 20” means 20 in all.",
        "Raise, by as much as you like.",
        "Now Ada has to match your bet, raise again, or fold.",
        ("raise to 20", "raise to *"),
        deal("2H 9S 4H 9D"),
        shown=4,
        clue="You have the cards for more. Raise.",
    ),
    Lesson(
        "The showdown",
        "All seven cards count, in groups of one or two ranks. J 7 is 18: two nines. The 9 is one, and "
        "K K 10 make 36: four. Seven nines, and only the 2 left over!",
        "Ada bets 50. Call, and see who has more.",
        "Seven beat six, and the pot is yours. If nines are equal, fewer ranks left over win.",
        ("call",),
        (
            *(*deal("8H KS 7S KD"), "0: call", "1: check", *deal("JS 7H 9D"), "1: check", "0: check"),
            *("deal 2C", "1: check", "0: check", "deal 10C", "1: bet 50"),
        ),
        shown=1,
        options=LONG,
        clue="Seven nines are too many to fold. Call.",
        wrong={"raise*": "Raising is fine with seven nines. This time, call and see Ada’s cards."},
    ),
    Lesson(
        "Fold",
        "Ada goes all-in, and you hold 4 and 2: no worse cards to start with. The ten chips you paid are "
        "gone either way.",
        "Save the other 990: fold.",
        "Good fold. Nobody will ever see those cards.",
        ("fold",),
        (*deal("2H KS 4H 5S"), "0: raise to 1000"),
        shown=1,
        seat=1,
        options=LONG,
        clue="That’s everything you have, on 4 and 2. Fold.",
    ),
)
