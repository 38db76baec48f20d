"""Multiple 9 Hold'em, taught by playing it."""

from ninefold.kernel.lessons import Lesson, deal

# Two players: seat 0 has the button and the small blind, and the first card goes to seat 1.

LESSONS = (
    Lesson(
        "Nines",
        "Your two cards are K and 5: together 18, two nines. In the end all seven cards count, yours and "
        "the five on the board. Sets of one or two ranks that total a multiple of nine are groups, and the "
        "most nines win. It costs 5 more to see the flop.",
        "Call.",
        "K 5 is the best of all starting hands: 18 in two cards, and good company for more.",
        "Type: call",
        ("call",),
        deal("2H KS 4H 5S"),
    ),
    Lesson(
        "No bet, no fold",
        "The other has only called, so there is nothing to pay. Your cards are poor, but looking on is free.",
        "Check.",
        "A fold is never offered where checking costs nothing.",
        "Type: check",
        ("check",),
        (*deal("2H KS 4H 5S"), "0: call"),
        seat=1,
    ),
    Lesson(
        "Raise",
        "A raise says the new bet, not the difference: raise to 40 means that your bet is then 40. It goes "
        "up by at least the last bet or raise, and by at most all you have.",
        "Raise to 40.",
        "The other now has 30 to call, and any raise of theirs must go to 70 at least.",
        "Type: raise to 40",
        ("raise to 40",),
        deal("2H KS 4H KD"),
    ),
    Lesson(
        "What have I got?",
        "The board is J 7 9 2 10, and you hold K K: J and 7 are two nines, the 9 is one, K K 10 is 36, "
        "four more. Seven nines, with only the 2 left over. The other bets 50.",
        "Do not fold this one: call or raise.",
        "Equal nines are decided by what is left over: fewer ranks are better, then higher ones.",
        "Type: call",
        ("call", *(f"raise to {amount}" for amount in range(100, 991))),
        (
            *deal("8H KS 7S KD"),
            "0: call",
            "1: check",
            *deal("JS 7H 9D"),
            "1: check",
            "0: check",
            *deal("2C"),
            "1: check",
            "0: check",
            *deal("10C"),
            "1: bet 50",
        ),
    ),
    Lesson(
        "Fold",
        "The other raises to all 1000 chips, and you hold 4 and 2, the worst of all starting hands. The "
        "ten chips in the pot are gone; more need not follow.",
        "Fold.",
        "Nobody will ever see the cards you fold. Chips that nobody calls go back to who bet them.",
        "Type: fold",
        ("fold",),
        (*deal("2H KS 4H 5S"), "0: raise to 1000"),
        seat=1,
    ),
)
