"""What outlives the program: records of matches, and what a person likes."""
