"""Help for designers: a game folder is checked, and the findings are reported plainly."""
