"""Play in the terminal: matches that are always saved, drawn from the table model alone."""
