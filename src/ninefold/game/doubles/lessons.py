"""Doubles, taught by playing it."""

from ninefold.model.lessons import Lesson

STAY = ("0: stay", "1: stay")
SEVENS = ("roll 3 3", *STAY, "roll 3 4", *STAY, "roll 2 5", *STAY, "roll 1 6")  # three, and 525

LESSONS = (
    Lesson(
        "One total for everyone",
        "Every roll is added to one total, and all of you share it. After each roll everyone chooses in "
        "secret: stay in for more, or cash out and keep the total.",
        "It’s only 11 points, and nothing can go wrong yet. Stay.",
        "Ada stayed, too. Two fours double the total: 22 already.",
        ("stay",),
        ("roll 5 6", "1: stay"),
        shown=2,
        then=("roll 4 4",),
        clue="You’d keep 11 points while Ada goes on to hundreds. Stay.",
    ),
    Lesson(
        "Doubles and sevens",
        "Doubles are the big ones. They double the total, and as the first roll of a round they score 100 "
        "times the face: 300 here. A seven adds 75, but sevens are counted.",
        "That’s one seven. Only the fourth one hurts. Stay.",
        "450, and a second seven. You’re still safe.",
        ("stay",),
        ("roll 3 3", *STAY, "roll 3 4", "1: stay"),
        shown=2,
        then=("roll 2 5",),
        clue="Too soon! Nothing can be lost before the third seven.",
    ),
    Lesson(
        "The fourth seven",
        "Three sevens! One more, and the round is over: everyone still in gets nothing. One roll in six is "
        "a seven.",
        "The total is 525. Take it: cash out.",
        "A seven! Ada stayed one roll too long and gets nothing. Your 525 are safe.",
        ("cash out",),
        (*SEVENS, "1: stay"),
        shown=2,
        then=("roll 1 6",),
        clue="Brave, and sometimes right. But this time, take what’s there.",
    ),
    Lesson(
        "Your call",
        "Ada took 525. You stayed, and two fours made it 1,050. You’re alone now, so nobody can get ahead of "
        "you in this round.",
        "Three sevens are out. Stay or cash out? You decide.",
        "Either may be right: that’s the game. After the last round, the most points win.",
        steps=(*SEVENS, "0: stay", "1: cash out", "roll 4 4"),
        shown=3,
    ),
)
