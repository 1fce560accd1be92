"""Games with rules of their own that only tests play."""
