"""The server for a club: everything that a player's own host doesn't need.

The gateway for phones (`tabletop web`) belongs to the player's program; this package adds the
public page that a gateway can show for a server. The event loop of a host without a window is in
`tabletop/net/`, because players host as well.
"""
