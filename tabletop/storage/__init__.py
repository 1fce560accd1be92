"""Everything that outlives the program: records of matches, a person's settings."""
