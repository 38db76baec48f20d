"""Creates a new game: a small working one, as files to change."""
