"""Players that look from a seat and answer. They know no game."""
