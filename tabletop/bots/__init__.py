"""Players that read a link and answer. They know no game."""
