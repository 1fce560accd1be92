"""Moderation messages: what the host alone decides about the others at a table.

These messages are for a host whose welcome names the feature `MODERATION`.
"""

from msgspec import Struct

from tabletop.protocol.field_types import SeatNumber, Short, Viewer

MODERATION = "moderation"


class Knock(Struct, frozen=True):
    """A guest in the lobby queue, by a number and a name."""

    number: int
    name: Short


class Remove(Struct, frozen=True, tag="remove"):
    """Send a player away; in a match a bot plays on for them. `ban`: nobody comes to this table any
    more from where they are, unless with the token of a seat."""

    seat: SeatNumber
    ban: bool = False


class Mute(Struct, frozen=True, tag="mute"):
    """Mute a seat in the chat, or all spectators; or unmute it."""

    seat: Viewer
    muted: bool = True


class RenewCode(Struct, frozen=True, tag="renew_code"):
    """Make a new code for the table: the one before opens it no more."""


class SetKnock(Struct, frozen=True, tag="door"):
    """Set whether guests with the code have to knock."""

    knock: bool


class Admit(Struct, frozen=True, tag="admit"):
    """Let a guest in who knocks, or turn them away."""

    knock: int
    admitted: bool = True


ModerationMessage = Remove | Mute | RenewCode | SetKnock | Admit
