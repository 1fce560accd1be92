"""Messages by which the table's host moderates guests.

Guests send them only to hosts with `MODERATION_FEATURE`.
"""

from msgspec import Struct

from tabletop.protocol.field_types import SeatNumber, Short, Viewer
from tabletop.protocol.message_tags import wire_tag

MODERATION_FEATURE = "moderation"


class WaitingGuest(Struct, frozen=True):
    """A guest who waits to be admitted."""

    number: int
    """The number by which `AdmitGuest` refers to the guest."""
    name: Short
    """The name that the guest has entered."""


class RemovePlayer(Struct, frozen=True, tag=wire_tag):
    """A request to remove a player; during a match a bot takes over the seat."""

    seat: SeatNumber
    """The player's seat."""
    ban: bool = False
    """Whether to ban the player's address from this table.
    The token of a seat still admits its holder.
    """


class SetMuted(Struct, frozen=True, tag=wire_tag):
    """A request to mute a seat or all spectators in the chat, or to unmute them."""

    seat: Viewer
    """The seat; `AUDIENCE` for all spectators."""
    muted: bool = True
    """Whether chat messages are refused from now on."""


class RenewCode(Struct, frozen=True, tag=wire_tag):
    """A request to replace the table's code; the former code becomes invalid."""


class RequireApproval(Struct, frozen=True, tag=wire_tag):
    """A request to set whether the host has to admit each guest who joins by the code."""

    knock: bool
    """Whether approval is required."""


class AdmitGuest(Struct, frozen=True, tag=wire_tag):
    """A request to admit a waiting guest, or to turn the guest away."""

    knock: int
    """The number of the guest (`WaitingGuest.number`)."""
    admitted: bool = True
    """Whether to admit the guest."""


ModerationRequest = RemovePlayer | SetMuted | RenewCode | RequireApproval | AdmitGuest
