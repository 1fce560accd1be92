"""What a new game begins with: each folder here is a template, a whole small game, which
`tabletop/games/beginning.py` copies; its `template.toml` says what it is."""
