"""The status of a table for who sits there: all that the program's sentences about it depend on."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import AUDIENCE, NO_CARD, Ask, Move, Offer, Reason, State
from tabletop.language.words import Words
from tabletop.match.reactions import PassPolicy


class CutOff(Struct, frozen=True):
    """The loss of the connection to the host, as far as its reason is known."""

    reason: Reason | None = None
    """The last words of the host; None where the line just broke."""
    displaced: bool = False
    """Whether somebody has taken over the seat from elsewhere."""
    again: bool = False
    """Whether the line is tried again."""
    seconds: int = 0
    """The seconds until then."""
    gone: bool = False
    """Whether the host has stopped, or hasn't been found for long."""


class TablePeople(Struct, frozen=True, kw_only=True):
    """The state of a table among its people, where several computers share it."""

    connected: bool = True
    cut_off: CutOff | None = None
    """More about the connection that was lost; None where nothing more is known."""
    closed: Reason | None = None
    """Why the way to the table is closed for good."""
    ended: Reason | None = None
    """Why the match ended without a result."""
    host: str = ""
    """The host's name; empty where the host has no seat."""
    hosts: bool = False
    """Whether it is hosted by somebody here."""
    decides: bool = False
    """Whether the people here decide what becomes of a match that waits for somebody."""
    asked_to_host: bool = False
    """Whether the people here are asked to host the table on."""
    undo_of: int = AUDIENCE
    """The seat that wishes to undo a move."""
    asked_to_undo: tuple[int, ...] = ()
    """The seats that have not agreed to it yet."""
    playing: tuple[int, ...] = ()
    """The seats that people play, here or not."""
    plays_on: bool = False
    """Whether a bot plays on for a player who concedes among several others."""
    conceded: int = AUDIENCE
    """The seat that has conceded, while the others are asked whether the match ends."""
    asked_to_end: tuple[int, ...] = ()
    """The seats that have not agreed to that yet."""
    missed: tuple[int, ...] = ()
    """The seats that the paused table waits for."""
    left: int = 0
    """The seconds that it still waits."""
    away: tuple[int, ...] = ()
    """The seats of people who are away."""
    own: tuple[int, ...] = ()
    """The seats of people here, also where a bot plays for them."""
    replaced: tuple[int, ...] = ()
    """The seats of people here for which a bot plays."""
    codes: Mapping[int, str] = {}
    """The codes by which other phones and computers take over the seats here."""
    bots_only: bool = False
    """Whether nobody plays but the people here and bots."""
    knocking: tuple[tuple[int, str], ...] = ()
    """Those who knock and may be let in from here: their numbers and names."""


class TableStatus(Struct, frozen=True, kw_only=True):
    """The status of a table for its viewer; a missing field has its usual value."""

    words: Words
    kit: Kit
    people: tuple[int, ...]
    """The seats of persons at this screen."""
    persons: tuple[int, ...] = ()
    """The same seats, and those of people at this screen for whom a bot plays."""
    view: State
    """The table as the viewer sees it."""
    offers: Mapping[int, tuple[Offer, ...]] = {}
    """The offers of the viewer's open questions, by the ask's number."""
    shared: TablePeople | None = None
    """The table among its people, where other computers sit at it."""
    odds: Callable[[Move], str] = lambda move: ""
    """The chance of a move to succeed, in words; empty if unknown."""
    looking: int = AUDIENCE
    following: int = AUDIENCE
    """The seat that must look now."""
    personal: bool = False
    """Whether the screen is one person's alone, and has no commands but its prompt and its menu: a
    phone's."""
    waiting: tuple[int, ...] = ()
    """The seats that must answer now."""
    waited: int = 0
    """Seconds since the first of those who are waited for was asked."""
    pending: bool = False
    """Whether the viewer's answer is on its way."""
    bots_wait: bool = False
    """Whether none but bots of this process are waited for."""
    reacting: tuple[Ask, ...] = ()
    """The public question who reacts, where it is asked now and everybody reads it."""
    reacting_stays: bool = False
    """Whether it stays until a button is pressed; else it goes away after a pause."""
    reaction_pause: int = 0
    """Milliseconds after which it goes by itself."""
    regretting: tuple[int, ...] = ()
    """The seats that can still undo their answer to it."""
    covered: bool = False
    """Whether the curtain hides the table."""
    local: bool = True
    """Whether the match is played in this process."""
    over: bool = False
    sheet_over: bool = False
    """Whether a sheet, at the end that of the scores, is over the table."""
    due: bool = False
    """Whether the viewer has moved and another person must look next."""
    moving: bool = False
    """Whether the viewer does not see yet all that happened."""
    recalling: bool = False
    """Whether what happened since the viewer's last turn is played back."""
    went_back: bool = False
    """Whether moves were taken back last."""
    hurried: bool = False
    """Whether bots play on at once, until a person is asked."""
    passing: bool = False
    """Whether something is being passed for the viewer."""
    taking_back: bool = False
    """Whether all are being asked to take moves back."""
    held: int = NO_CARD
    """The card that the viewer has picked up."""
    conceding: bool = False
    """Whether the viewer concedes, and all here are being asked whether the match ends."""
    choosing: str = ""
    """The verb of a half-made move, of which a choice is still open."""
    arranged: tuple[str, ...] = ()
    """The verbs as which the cards put together may be sent."""
    can_undo: bool = False
    can_agree: bool = False
    """Whether there is a move to undo if all agree."""
    can_redo: bool = False
    advised: bool = True
    """Whether there is somebody to give a hint."""
    wants_another: bool | None = None
    """Whether the viewer wishes another match; None where wishes are not asked here."""
    has_chances: bool = False
    """Whether the game has chances to react."""
    policy: PassPolicy | None = None
    """The way in which the viewer is asked for them; None where that is set elsewhere."""
    keys: Mapping[str, str] = {}
    """The key of each command, as the person reads it."""

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that wait for the viewer."""
        return tuple(ask for ask in self.view.asks if ask.id in self.offers)

    @property
    def plays(self) -> bool:
        """Whether the viewer plays in a match that goes on."""
        ended = self.shared is not None and self.shared.ended is not None
        return self.looking != AUDIENCE and not (self.over or ended)
