"""Templates for new games: each folder is a whole small game, copied by
`tabletop/studio/workshop/new_game.py`; its `template.toml` describes it."""
