"""Computer players, which see only a seat's view. They contain no knowledge of particular games."""
