"""A banner at the top of the window for messages that don't interrupt the user."""

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from tabletop.language import labels
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.styled_widgets import button
from ui.widgets.top_bar import TopBar

INFO_DURATION_MS = 12_000
"""Time in ms after which an info message without a button disappears."""
GAP_BELOW_PX = 4
"""The space between the banner and the page that it pushes down."""


class Banner(TopBar):
    """A bar that shows one message, with at most one action button, until the user closes it."""

    height_changed = Signal()
    """The banner appeared, disappeared or changed its height."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.announcer = ScreenReaderAnnouncer(self)
        self._act = button("quiet")
        self._away = button("quiet")
        self._away.clicked.connect(self.hide)
        self._press: Callable[[], None] | None = None
        self._code, self._number = "", 0
        self.passing = QTimer(self, singleShot=True, interval=INFO_DURATION_MS)
        self.passing.timeout.connect(self.hide)
        self._act.clicked.connect(self._do)
        for each in (self._act, self._away):
            self._row.addWidget(each)

    def show_message(
        self,
        text: str,
        sign: str = "warning",
        act: str = "",
        press: Callable[[], None] | None = None,
        code: str = "",
    ) -> None:
        """Show and announce a message.

        Args:
            text: the message.
            sign: the icon's name, such as "warning", "info" or "check".
            act: the label of the action button.
            press: the callback of the action button. Without it the button is hidden.
            code: the code of the message's `Reason`, if it has one.
        """
        self._code, self._number = code, self._number + 1
        self._act.setText(act)
        self._act.setVisible(press is not None)
        self._press = press
        if sign == "info" and press is None:
            self.passing.start()
        else:
            self.passing.stop()
        self._away.setText(self._context.words(labels.CLOSE))
        name_widget(self, text)
        self._show(text, sign)
        self.announcer.say(text)

    @property
    def code(self) -> str:
        """The code of the visible message's `Reason`;
        empty if there is none or the banner is hidden.
        """
        return "" if self.isHidden() else self._code

    @property
    def message_number(self) -> int:
        """The serial number of the visible message; 0 if the banner is hidden."""
        return 0 if self.isHidden() else self._number

    def hide_temporary(self) -> None:
        """Hide a temporary message because the screen it belongs to is being replaced."""
        if self.passing.isActive():
            self.hide()

    @property
    def room_px(self) -> int:
        """The distance from the parent's top to the page in pixels, or 0 if hidden."""
        return 0 if self.isHidden() else self.TOP + self.height() + GAP_BELOW_PX

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.height_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.height_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.height_changed.emit()

    def _do(self) -> None:
        self.hide()
        if self._press is not None:
            self._press()
