"""The six games once more, as plain Python straight from their rule pages, for comparing only.

Tests play the same matches with a referee and with the package, move by move; the bench times it. A referee
imports nothing of the package, so an error would have to be made twice to go unseen.
"""
