"""The rulebooks, away from any table."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QStackedWidget, QVBoxLayout, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from tabletop.language import labels
from ui.rulebook.reader import RulebookReader
from ui.shell.app_context import AppContext, named
from ui.shell.language import title
from ui.widgets.box_layout import Part, lay
from ui.widgets.fields import ComboBox
from ui.widgets.surface import done_button, fitting

USUAL = QSize(940, 860)


class RulebookDialog(QDialog):
    """All rulebooks; one is opened when it is chosen."""

    def __init__(self, context: AppContext, parent: QWidget, kit: Kit) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle(context.words(labels.RULES))
        self._kits = catalogue.shelf()
        self.games = ComboBox()
        for each in self._kits:
            self.games.addItem(title(each, context.words.language))
        self.games.setVisible(len(self._kits) > 1)
        named(self.games, context.words("Game"))
        self._books = QStackedWidget()
        for each in self._kits:
            self._books.addWidget(RulebookReader(context, each))
        self.games.currentIndexChanged.connect(self._books.setCurrentIndex)
        self.games.setCurrentIndex(next(i for i, k in enumerate(self._kits) if k.id == kit.id))
        done = done_button(self, context.words)
        done.setAutoDefault(False)  # Enter belongs to the search
        rows: list[Part] = [self.games, (self._books, 1), (done, 0, Qt.AlignmentFlag.AlignRight)]
        lay(QVBoxLayout(self), rows, spacing=8, margins=(16, 12, 16, 12))
        self.resize(fitting(parent.window(), USUAL))

    @property
    def reader(self) -> RulebookReader:
        """The book that is open."""
        shown = self._books.currentWidget()
        assert isinstance(shown, RulebookReader)
        return shown
