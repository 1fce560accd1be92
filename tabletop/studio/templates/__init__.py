"""Templates for new games.

Each folder is a complete small game, which `tabletop/studio/workshop/new_game.py` copies. The
`template.toml` of each folder describes the template.
"""
