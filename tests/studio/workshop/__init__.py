"""Help for designers of games."""
