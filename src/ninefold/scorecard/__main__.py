"""`python -m ninefold.scorecard`: the score card by itself."""

from ninefold.scorecard.command import score

if __name__ == "__main__":
    score(prog_name="ninefold score")
