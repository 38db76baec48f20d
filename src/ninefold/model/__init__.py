"""The table model: what games say about themselves, what a seat sees, and what happens, as types."""
