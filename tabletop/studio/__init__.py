"""Tools for people who make games. Their screens are in `ui/studio/`.

A module belongs here if a player who never makes a game doesn't need it. Guests receive games, so
reading and guarding game files is in `tabletop/exchange/`, card sheets are in `tabletop/games/`,
and agreeing to a game's Python (`tabletop trust`) is in `tabletop/commands/`. Notes are written and
read in matches and replays, so only the report of `tabletop notes` belongs to the studio. Random
matches are in `tabletop/table/`, because `tabletop record` and `shot` play them. The commands
`share` and `import` are here with the other commands for designers; the window shares and imports
game files without the studio.
"""
