"""Tools that rules are written with: compiling, random numbers, cards, dice, record fields. Knows no game."""
