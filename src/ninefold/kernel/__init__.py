"""Tools for writing rules: compiling, random numbers, cards, dice, fields of positions. Knows no game."""
