"""What a player at a seat remembers of a match, for her next thought."""

from tabletop.engine.instinct import Past
from tabletop.engine.model import State
from tabletop.link import Link

LINES, VIEWS = 400, 16


class Memory:
    """Keeps the table as it lay at the seat's own last decisions; whoever asks a mind has one."""

    def __init__(self) -> None:
        self._seen: list[State] = []

    def recall(self, link: Link) -> Past:
        """What is remembered now that this seat decides again; this view is kept for the next time.

        What was taken back was never seen.
        """
        view = link.view
        self._seen = [seen for seen in self._seen if seen.ply < view.ply][-VIEWS:]
        past = Past(tuple(link.log[-LINES:]), tuple(self._seen))
        self._seen.append(view)
        return past
