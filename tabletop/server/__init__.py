"""A club's server: everything that a person's own host doesn't need.

The gateway of phones (`tabletop web`) is the player's; the public page that a gateway shows of a
server is here. What the event loop of a host without a window needs is in `tabletop/net/`, as
players host too.
"""
