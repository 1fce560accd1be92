"""The interface of a table screen to the players on other computers."""

from typing import Protocol

from ui.match.dock import ChatTab
from ui.widgets.notice_bar import NoticeBar


class OtherPlayers(Protocol):
    """The players on other computers who share a table, as its screen shows them."""

    @property
    def chat(self) -> ChatTab: ...

    @property
    def notice_bar(self) -> NoticeBar: ...

    @property
    def score_sheet_buttons(self) -> tuple[str, ...]:
        """The names of the buttons on the score sheet."""
        ...

    def fairness_verdict(self) -> tuple[str, bool]:
        """Return a sentence on whether shuffles and dice were fair, and whether they were.

        The sentence is empty until the result of the check is known.
        """
        ...
