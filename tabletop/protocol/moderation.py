"""Moderation messages: what the host alone decides about the others at a table.

These messages are for a host whose welcome names the feature `MODERATION_FEATURE`.
"""

from msgspec import Struct

from tabletop.protocol.field_types import SeatNumber, Short, Viewer
from tabletop.protocol.message_tags import wire_tag

MODERATION_FEATURE = "moderation"


class WaitingGuest(Struct, frozen=True):
    """A guest in the lobby queue."""

    number: int
    """The number by which the host answers."""
    name: Short
    """The name that the guest has said."""


class RemovePlayer(Struct, frozen=True, tag=wire_tag):
    """Send a player away; in a match a bot plays on for them."""

    seat: SeatNumber
    """The player's seat."""
    ban: bool = False
    """Whether nobody comes to this table any more from where they are, unless with the token of a
    seat."""


class SetMuted(Struct, frozen=True, tag=wire_tag):
    """Mute a seat in the chat, or all spectators; or unmute it."""

    seat: Viewer
    """The seat; AUDIENCE for all spectators."""
    muted: bool = True
    """Whether it is muted from now on."""


class RenewCode(Struct, frozen=True, tag=wire_tag):
    """Make a new code for the table: the one before opens it no more."""


class RequireApproval(Struct, frozen=True, tag=wire_tag):
    """Set whether guests with the code have to knock."""

    knock: bool
    """Whether they have to."""


class AdmitGuest(Struct, frozen=True, tag=wire_tag):
    """Let a guest in who knocks, or turn them away."""

    knock: int
    """The number of the guest (`WaitingGuest`)."""
    admitted: bool = True
    """Whether the guest is let in."""


ModerationRequest = RemovePlayer | SetMuted | RenewCode | RequireApproval | AdmitGuest
