"""Templates for new games.

Each folder is a complete small game, which `tabletop/studio/workshop/new_game.py` copies. Its
`template.toml` describes it.
"""
