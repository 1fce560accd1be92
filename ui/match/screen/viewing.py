"""Who may look at a table screen, as its seats, its reactions and its curtain make it."""

from tabletop.engine.model import AUDIENCE
from tabletop.language.table_status import Viewing
from ui.match.hand_over import HandOver
from ui.match.reactions_here import ReactionsHere
from ui.match.seats_here import SeatsHere


def viewing_at(here: SeatsHere, reactions: ReactionsHere, hand_over: HandOver) -> Viewing:
    """Return who may look next, and how much the viewer has seen."""
    bar, following = reactions.bar, reactions.following
    return Viewing(
        following=following,
        open_table=here.open_table,
        covered=hand_over.covered,
        due=hand_over.due,
        moving=here.moving,
        went_back=here.went_back,
        hurried=here.seating.record.hurried,
        reacting=bar.asks if here.looking == (AUDIENCE if bar.stays else following) else (),
        reacting_stays=bar.stays,
        regretting=reactions.regretting,
    )
