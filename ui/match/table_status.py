"""The status of a table for its viewer: the view model of prompt line, menus and buttons. No Qt."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import AUDIENCE, Ask, Move, Offer, State
from tabletop.language.words import Words
from tabletop.match.match import Player
from ui.match.hot_seat import ReactionBar


class TableStatus(Struct, frozen=True, kw_only=True):
    """The view model of prompt line, menus and buttons; a missing field has its usual value."""

    words: Words
    kit: Kit
    players: tuple[Player, ...]
    people: tuple[int, ...]
    """The seats of persons at this computer."""
    view: State
    """The table as the viewer sees it."""
    offers: Mapping[int, tuple[Offer, ...]] = {}
    """The offers of the viewer's open questions, by the ask's number."""
    odds: Callable[[Move], str] = lambda move: ""
    """The chance of a move to succeed, in words; empty if unknown."""
    looking: int = AUDIENCE
    following: int = AUDIENCE
    """The seat that must look now."""
    waiting: tuple[int, ...] = ()
    """The seats that must answer now."""
    waited: int = 0
    """Seconds since the first of those who are waited for was asked."""
    bar: ReactionBar = ReactionBar()
    """The public question who reacts."""
    regretting: tuple[int, ...] = ()
    """The seats that can still undo their answer to it."""
    reaction_pause: int = 0
    """Milliseconds after which the bar goes by itself."""
    agreeing: tuple[str, ...] = ()
    """The players that must agree before a move is taken back further than one may alone."""
    covered: bool = False
    """Whether the curtain hides the table."""
    shared: bool = False
    """Whether other computers sit at the table."""
    local: bool = True
    """Whether the match is played in this process."""
    over: bool = False
    sheet_over: bool = False
    """Whether a sheet, at the end that of the scores, is over the table."""
    due: bool = False
    """Whether the viewer has moved and another person must look next."""
    moving: bool = False
    """Whether the viewer does not see yet all that happened."""
    went_back: bool = False
    """Whether moves were taken back last."""
    hurried: bool = False
    """Whether bots play on at once, until a person is asked."""
    passing: bool = False
    """Whether something is being passed for the viewer."""
    taking_back: bool = False
    """Whether all are being asked to take moves back."""
    choosing: str = ""
    """The verb of a half-made move, of which a choice is still open."""
    arranged: tuple[str, ...] = ()
    """The verbs as which the cards put together may be sent."""
    can_undo: bool = False
    can_agree: bool = False
    can_redo: bool = False
    has_chances: bool = False
    """Whether the game has chances to react."""
    keys: Mapping[str, str] = {}
    """The key of each command, as the person reads it."""

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The questions that wait for the viewer."""
        return tuple(ask for ask in self.view.asks if ask.id in self.offers)

    @property
    def reacting(self) -> bool:
        """Whether the public question is asked where everybody reads it now."""
        asked_at = AUDIENCE if self.bar.stays else self.following
        return bool(self.bar.asks) and self.looking == asked_at

    @property
    def bots_wait(self) -> bool:
        """Whether none but bots of this process are waited for."""
        kinds = {self.players[seat].kind for seat in self.waiting}
        return self.local and kinds == {"bot"}

    def name(self, seat: int) -> str:
        """The name of the player at this seat."""
        return self.players[seat].name if seat != AUDIENCE else ""
