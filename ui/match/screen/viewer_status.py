"""The status of a table as its seats and the viewer switch make it."""

from tabletop.engine.model import AUDIENCE
from tabletop.language.table_status import TableStatus
from tabletop.language.words import Words
from tabletop.match.hot_seat import persons
from tabletop.match.open_asks import awaited_seats
from tabletop.match.reactions import has_chances
from tabletop.match.viewer_switch import COVERED, ViewerSwitch
from ui.match.seated_table import SeatedTable


def viewer_status(words: Words, seated: SeatedTable, switch: ViewerSwitch) -> TableStatus:
    """The status for the viewer; what a screen shows of it, and does with it, is for it to add."""
    seat, looking, standing = switch.shown, switch.looking, switch.standing
    view, people, bar = seated.view, seated.people, standing.bar
    waited, local = awaited_seats(view), seated.match is not None
    return TableStatus(
        words=words,
        kit=seated.kit,
        people=people,
        persons=persons(seated.players) if seated.allows_stand_ins else (),
        view=seat.view if seat is not None else view,
        offers=seat.offers if seat is not None else {},
        looking=looking,
        following=standing.following,
        waiting=waited,
        bots_wait=local and bool(waited) and not set(waited).intersection(people),
        reacting=bar.asks if looking == (AUDIENCE if bar.stays else standing.following) else (),
        reacting_stays=bar.stays,
        regretting=standing.regretting,
        covered=switch.state in COVERED,
        local=local,
        over=view.result is not None,
        due=standing.due,
        moving=switch.state == "animating",
        went_back=switch.went_back,
        hurried=seated.record.hurried,
        passing=seat is not None and seat.passing,
        can_undo=seat is not None and seat.undoable,
        can_agree=seated.can_agree,
        can_redo=seat is not None and seat.redoable is not None,
        has_chances=has_chances(seated.kit.meaning),
    )
