"""The studio: everything for people who make games, with `ui/studio/` for its screens.

A module belongs here if a player who never makes a game doesn't need it. So a game's own file and
the guard behind which strangers' files are read are in `tabletop/exchange/`, sheets of cards in
`tabletop/games/`, and agreeing to a game's Python (`tabletop trust`) in `tabletop/commands/`:
guests receive games. Notes are written and read in matches and replays, so only the report that
`tabletop notes` makes of them is the studio's. Random matches are `tabletop/table/`'s, since
`tabletop record` and `shot` play them. `share` and `import` are here with the other commands of
makers; in the window, players share and take in game files without the studio.
"""
