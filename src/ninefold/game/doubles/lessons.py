"""Doubles, taught by playing it."""

from ninefold.kernel.lessons import Lesson

STAY = ("0: stay", "1: stay")

LESSONS = (
    Lesson(
        "One total for all",
        "Two dice are rolled, and what they show goes onto one total that belongs to everybody. After "
        "every roll all decide at once, in secret: stay, or cash out and take the total home. Here 5 and 6 "
        "made 11.",
        "It is early, and nothing can be lost yet. Stay in.",
        "Everybody stayed, so the dice roll again.",
        "11 points are not much, and nothing can be lost before the third seven. Type: stay",
        ("stay",),
        ("roll 5 6", "1: stay"),
    ),
    Lesson(
        "Doubles and sevens",
        "Doubles double the total; as the very first roll of a round they make a hundred times their face. "
        "A seven adds 75, and is counted. Here double threes made 300, then a seven made it 375.",
        "One seven is down, and the fourth ends the round. Would you wait, or take 375 now? Stay once more.",
        "Right: with one seven down nothing can happen to you yet.",
        "The round can only end with the fourth seven, and there is one. Type: stay",
        ("stay",),
        ("roll 3 3", *STAY, "roll 3 4", "1: stay"),
    ),
    Lesson(
        "The third seven",
        "Three sevens are down: 525 points lie there. The next seven, one roll in six, would be the "
        "fourth, and whoever is still in then gets nothing.",
        "Take the points: cash out.",
        "525 points are yours, whatever the dice do next. Who stays now plays for more, and may get nothing.",
        "Now it can be lost. Type: cash out",
        ("cash out",),
        ("roll 3 3", *STAY, "roll 3 4", *STAY, "roll 2 5", *STAY, "roll 1 6", "1: stay"),
    ),
    Lesson(
        "Alone in the round",
        "The other player has cashed out 525. You said stay, and double fours have made it 1,050. You are "
        "alone in the round now; there is nobody left to be faster than.",
        "Decide for yourself: stay, or cash out.",
        "That is the whole game: ten rounds of it, and the most points win.",
        steps=(
            *("roll 3 3", *STAY, "roll 3 4", *STAY, "roll 2 5", *STAY, "roll 1 6"),
            *("0: stay", "1: cash out", "roll 4 4"),
        ),
    ),
)
