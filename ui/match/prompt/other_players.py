"""The interface through which a table screen shows players on other computers."""

from typing import Protocol

from ui.match.dock import ChatTab
from ui.widgets.notice_bar import NoticeBar


class OtherPlayers(Protocol):
    """Players on other computers who share the table."""

    @property
    def chat(self) -> ChatTab: ...

    @property
    def notice_bar(self) -> NoticeBar: ...

    @property
    def score_sheet_buttons(self) -> tuple[str, ...]:
        """The names of the buttons that the score sheet should have."""
        ...

    def fairness_verdict(self) -> tuple[str, bool]:
        """Return a sentence about the fairness of shuffles and dice, and whether they were fair.

        The sentence is empty until the check is finished.
        """
        ...
