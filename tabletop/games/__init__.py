"""The games: each a folder with its rules, cards, layout, rulebook and words."""
