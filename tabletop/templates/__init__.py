"""What a new game begins with: each folder here is a template, a whole small game, which
`tabletop/games/new_game.py` copies; its `template.toml` says what it is."""
