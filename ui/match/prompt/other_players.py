"""The others at a table that several computers share, as far as a table screen shows them."""

from typing import Protocol

from ui.match.dock import ChatTab
from ui.widgets.notice_bar import NoticeBar


class OtherPlayers(Protocol):
    """The others at a table that several computers share, as far as its screen shows them."""

    @property
    def chat(self) -> ChatTab: ...

    @property
    def notice_bar(self) -> NoticeBar: ...

    @property
    def after(self) -> tuple[str, ...]:
        """The buttons of the score sheet."""
        ...

    def verdict(self) -> tuple[str, bool]:
        """Whether shuffle and dice were fair, in a sentence; empty while that is not known."""
        ...
