"""The About page, with version, credits and licences."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from tabletop import __version__
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from ui.settings.licences import Licence, licences_in_use
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import game_title
from ui.shell.shelf_order import order_games
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.box_sides import FRONT, natural_size
from ui.widgets.box_thumbnail import front_picture
from ui.widgets.page_screen import PageScreen
from ui.widgets.styled_widgets import (
    PlainLabel,
    TextScrollArea,
    button,
    label,
    scale_pixels,
    set_scaled_style,
)

ICON_PX = 72
"""Side length of the program's icon in pixels."""
MAX_BOX_SIZE = QSize(58, 82)
"""Maximum size in pixels of the picture of a game's box beside its credit."""
GAME_COLUMNS = 2
"""Number of columns of game credits."""
PAGE_WIDTH_PX = 860
"""Width of the page in pixels."""


class AboutScreen(PageScreen):
    """A page with version, credits and notices, and a button that switches to the licences."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, PAGE_WIDTH_PX)
        self._mark, self._name, self._version = label(), label("title"), label("caption")
        self._kits = order_games(catalogue.shelf(), context.settings.shelf)
        self._fronts = [label() for _ in self._kits]
        self._titles = [label("strong", wrap=True) for _ in self._kits]
        self._credits = [label(wrap=True) for _ in self._kits]
        self._sections = [(label("heading"), label(wrap=True)) for _ in notices(context)]
        self.licences_button = button("quiet", flush=True)
        """A button that switches between the notices and the licences."""
        self.licences_button.setCheckable(True)
        self.licences_button.toggled.connect(lambda _: self.refresh_appearance())
        self._roll = TextScrollArea(self._notice())
        self.list = LicenceBrowser(context)
        self._sides = QStackedWidget()
        self._sides.addWidget(self._roll)
        self._sides.addWidget(self.list)
        self.lay_page(self._sides, foot=(self.licences_button,))
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._show_licences(self.licences_button.isChecked())
        self._name.setText(words("Tabletop 卓"))
        self._version.setText(words("Version {version}", version=__version__))
        ratio, side = self.devicePixelRatioF(), scale_pixels(self, ICON_PX)
        self._mark.setPixmap(self.context.art.pixmap("common/app.svg", side, side, ratio))
        for front, head, text, kit in zip(
            self._fronts, self._titles, self._credits, self._kits, strict=True
        ):
            self._show_front(front, kit)
            head.setText(game_title(kit, words.language))
            text.setText(self.context.game_words(kit)(kit.box.credit))
        for (head, text), (heading, lines) in zip(
            self._sections, notices(self.context), strict=True
        ):
            head.setText(heading)
            text.setText("\n".join(lines))
        self._roll.fit()

    def take_focus(self) -> None:
        """Focus the text, so that the arrow keys scroll it."""
        self._roll.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_licences(self, shown: bool) -> None:
        words = self.context.words
        self._sides.setCurrentIndex(int(shown))
        self.list.refresh_appearance()
        self.show_heading(words("Licences") if shown else words("About Tabletop"))
        name_widget(self._roll, words("About Tabletop"))
        self.licences_button.setText(words("About Tabletop") if shown else words("Licences…"))
        if shown:
            self.list.show_licences(licences_in_use())

    def _show_front(self, front: PlainLabel, kit: GameKit) -> None:
        room = QSize(
            *(scale_pixels(self, side) for side in (MAX_BOX_SIZE.width(), MAX_BOX_SIZE.height()))
        )
        size = natural_size(self.context, kit, FRONT).toSize()
        size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        front.setFixedSize(room)
        front.setAlignment(Qt.AlignmentFlag.AlignCenter)
        front.setPixmap(front_picture(self.context, kit, size, self))

    def _notice(self) -> QWidget:
        """Return a widget with the program's name, the credits of all games and the notices."""
        inside = QWidget()
        names = lay(QVBoxLayout(), [STRETCH, self._name, self._version, STRETCH], spacing=2)
        rows: list[Part] = [lay(QHBoxLayout(), [self._mark, (names, 1)], spacing=20), 6]
        games = QGridLayout()
        games.setHorizontalSpacing(28)
        games.setVerticalSpacing(8)
        for place, (front, head, text) in enumerate(
            zip(self._fronts, self._titles, self._credits, strict=True)
        ):
            said = lay(QVBoxLayout(), [STRETCH, head, text, STRETCH], spacing=2)
            one = lay(QHBoxLayout(), [front, (said, 1)], spacing=14)
            games.addLayout(one, *divmod(place, GAME_COLUMNS))
        for column in range(GAME_COLUMNS):
            games.setColumnStretch(column, 1)
        rows.append(games)
        for head, text in self._sections:
            rows += [8, head, text]
        lay(QVBoxLayout(inside), [*rows, STRETCH], spacing=6, margins=(0, 4, 12, 4))
        return inside


class LicenceBrowser(QWidget):
    """A list of the bundled libraries, with the licence text of the selected one."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._licences: Sequence[Licence] = ()
        self.list, self.text = QListWidget(), QPlainTextEdit()
        self.text.setReadOnly(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._show)
        sides = QSplitter()
        sides.addWidget(self.list)
        sides.addWidget(self.text)
        sides.setStretchFactor(1, 1)
        sides.setSizes([220, 640])
        lay(QVBoxLayout(self), [(sides, 1)], margins=0)

    def refresh_appearance(self) -> None:
        """Update the style and the accessible names."""
        # wide enough for lines of 80 letters
        set_scaled_style(self.text, "QPlainTextEdit { font-size: 13px; }")
        name_widget(self.list, self._context.words("Libraries"))
        name_widget(self.text, self._context.words("Licence"))

    def show_licences(self, licences: Sequence[Licence]) -> None:
        """List `licences`, and keep the selected row."""
        words = self._context.words
        row = max(0, self.list.currentRow())
        self._licences = licences
        self.list.clear()
        for each in licences:
            item = QListWidgetItem(f"{each.name} {each.version}")
            item.setToolTip(words.join_facts((item.text(), each.kind)))
            self.list.addItem(item)
        self.list.setCurrentRow(row)

    def _show(self, row: int) -> None:
        if row < 0:
            return
        chosen = self._licences[row]
        none = self._context.words("This package has no licence text: {kind}.", kind=chosen.kind)
        self.text.setPlainText(chosen.text or none)


def notices(context: AppContext) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return headings with their paragraphs: what is original, and what the licence allows."""
    words = context.words
    return (
        (
            words("Original content"),
            (
                words(
                    "The rules belong to their authors and are played as published. "
                    "Where we had to interpret them, the rulebook says so."
                ),
                words(
                    "The program, pictures, sounds, rulebook texts, card texts and "
                    "translations were made for Tabletop. It contains no pictures or "
                    "texts from the published games."
                ),
            ),
        ),
        (
            words("What you can do"),
            (
                words(
                    "This program is free software under the MIT licence. It is made with Python, "
                    "Qt and PySide (LGPL), the Noto fonts (OFL) and more."
                ),
            ),
        ),
    )
