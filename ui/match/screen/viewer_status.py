"""The status of a table as seats, reactions and the curtain make it."""

from tabletop.engine.model import AUDIENCE
from tabletop.language.table_status import TableStatus
from tabletop.language.words import Words
from tabletop.match.hot_seat import persons
from tabletop.match.open_asks import awaited_seats
from tabletop.match.reactions import has_chances
from ui.match.hand_over import HandOver
from ui.match.reactions_here import ReactionsHere
from ui.match.seats_here import SeatsHere


def viewer_status(
    words: Words, here: SeatsHere, reactions: ReactionsHere, hand_over: HandOver
) -> TableStatus:
    """The status for the viewer; what a screen shows of it, and does with it, is for it to add."""
    seat, bar, following = here.shown, reactions.bar, reactions.following
    waited, local = awaited_seats(here.view), here.match is not None
    return TableStatus(
        words=words,
        kit=here.kit,
        people=here.people,
        persons=persons(here.players) if here.allows_stand_ins else (),
        view=seat.view if seat is not None else here.view,
        offers=seat.offers if seat is not None else {},
        looking=here.looking,
        following=following,
        waiting=waited,
        bots_wait=local and bool(waited) and not set(waited).intersection(here.people),
        reacting=bar.asks if here.looking == (AUDIENCE if bar.stays else following) else (),
        reacting_stays=bar.stays,
        regretting=reactions.regretting,
        covered=hand_over.covered,
        local=local,
        over=here.over,
        due=hand_over.due,
        moving=here.moving,
        went_back=here.went_back,
        hurried=here.seating.record.hurried,
        passing=seat is not None and seat.passing,
        can_undo=seat is not None and seat.undoable,
        can_agree=here.seating.can_agree,
        can_redo=seat is not None and seat.redoable is not None,
        has_chances=has_chances(here.kit.meaning),
    )
