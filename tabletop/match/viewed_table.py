"""The view model of a match: one viewer's table, kept up by folding its updates."""

from collections.abc import Callable

from tabletop.engine.events import Said, fold
from tabletop.engine.model import State
from tabletop.match.listeners import Listeners
from tabletop.match.match import Listener, Reset, Update


class ViewedTable:
    """One viewer's table, log and offers."""

    def __init__(self, shown: Reset) -> None:
        self.view = self._admitted(shown.view)
        self.log = list(shown.log)
        self.offers = shown.offers
        self.undoable = shown.undoable
        self._listeners = Listeners[Update | Reset]()

    def take(self, message: Update | Reset) -> None:
        """Fold in an update, then notify the listeners.

        Raises:
            KeyError, IndexError, ValueError: the update belongs to another table.
        """
        match message:
            case Reset(view=view, log=log):
                self.view = self._admitted(view)
                self.log = list(log)
            case Update(events=events):
                self.view = self._admitted(fold(self.view, events))
                self.log += (event for event in events if isinstance(event, Said))
        self.offers = message.offers
        self.undoable = message.undoable
        self._listeners.tell(message)

    def _admitted(self, view: State) -> State:
        """The view, if it can be one; a table of this process always is.

        Raises:
            ValueError: it cannot be.
        """
        return view

    def reset(self) -> Reset:
        """The whole view, for somebody who is to see the same."""
        return Reset(self.view, tuple(self.log), self.offers, self.undoable)

    def on_update(self, listener: Listener) -> Callable[[], None]:
        """Call back after every change, once it is folded in; return a function that stops it, also
        once the table is closed."""
        return self._listeners.add(listener)

    def close(self) -> None:
        """Notify nobody any more."""
        self._listeners.clear()
