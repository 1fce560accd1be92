"""Moderation messages: what the host alone decides about the others at a table.

These messages are for a host whose welcome names the feature `MODERATION`.
"""

from msgspec import Struct

from tabletop.protocol.field_types import SeatNumber, Short, Viewer

MODERATION = "moderation"


class Knock(Struct, frozen=True):
    """A guest in the lobby queue."""

    number: int
    """The number by which the host answers."""
    name: Short
    """The name that the guest has said."""


class Remove(Struct, frozen=True, tag="remove"):
    """Send a player away; in a match a bot plays on for them."""

    seat: SeatNumber
    """The player's seat."""
    ban: bool = False
    """Whether nobody comes to this table any more from where they are, unless with the token of a
    seat."""


class Mute(Struct, frozen=True, tag="mute"):
    """Mute a seat in the chat, or all spectators; or unmute it."""

    seat: Viewer
    """The seat; AUDIENCE for all spectators."""
    muted: bool = True
    """Whether it is muted from now on."""


class RenewCode(Struct, frozen=True, tag="renew_code"):
    """Make a new code for the table: the one before opens it no more."""


class RequireApproval(Struct, frozen=True, tag="door"):
    """Set whether guests with the code have to knock."""

    knock: bool
    """Whether they have to."""


class Admit(Struct, frozen=True, tag="admit"):
    """Let a guest in who knocks, or turn them away."""

    knock: int
    """The number of the guest (`Knock`)."""
    admitted: bool = True
    """Whether the guest is let in."""


ModerationMessage = Remove | Mute | RenewCode | RequireApproval | Admit
