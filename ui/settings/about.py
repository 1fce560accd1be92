"""About the program: whose the games are, what is original, and whose work it is made with."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from tabletop import __version__
from tabletop.catalogue import catalogue
from ui.settings.licences import Licence, licences_in_use
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import title
from ui.style.rich_text import in_row, section
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.surface import RichLabel, Roll, button, done_button, label

MARK = 88
WIDE = 540
"""The width of the text, in pixels."""


class About(QDialog):
    """Version, credits, what is original, licences."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        words = context.words
        self._context = context
        self.setWindowTitle(words("About Tabletop"))
        mark, name = label(), label("title", text=words("Tabletop 卓"))
        mark.setPixmap(context.art.pixmap("common/app.svg", MARK, MARK, self.devicePixelRatioF()))
        version = label("caption", text=words("Version {version}", version=__version__))
        names = lay(QVBoxLayout(), [STRETCH, name, version, STRETCH])
        head = lay(QHBoxLayout(), [mark, (names, 1)], spacing=20)
        roll = Roll(_notice(context))
        roll.setMinimumWidth(WIDE + 24)
        self.licences, done = button(text=words("Licences…")), done_button(self, words)
        self.licences.clicked.connect(self._show_licences)
        buttons = lay(QHBoxLayout(), [self.licences, STRETCH, done])
        lay(QVBoxLayout(self), [head, (roll, 1), buttons], spacing=14, margins=(28, 24, 28, 20))
        most = self.screen().availableSize() - QSize(40, 80)
        self.resize(self.sizeHint().boundedTo(most))
        done.setFocus()

    def _show_licences(self) -> None:
        shown = Licences(self._context, licences_in_use(), self)
        shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown.open()


def _notice(context: AppContext) -> QLabel:
    """All parts as one text, as high as it must be at its width."""
    text = RichLabel()
    text.setText(in_row(*(section(heading, lines) for heading, lines in parts(context))))
    text.setWordWrap(True)
    text.ensurePolished()  # in the font that it will be shown in
    text.setFixedSize(WIDE, text.heightForWidth(WIDE))
    return text


class Licences(QDialog):
    """Every library the program carries, and what its makers allow."""

    def __init__(self, context: AppContext, licences: tuple[Licence, ...], parent: QWidget) -> None:
        super().__init__(parent)
        words = context.words
        self._licences = licences
        self._none = words("This package has no licence text: {kind}.")
        self.setWindowTitle(words("Licences"))
        self.list, self.text = QListWidget(), QPlainTextEdit()
        name_widget(self.list, words("Libraries"))
        name_widget(self.text, words("Licence"))
        self.text.setReadOnly(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for each in licences:
            kind = f" · {each.kind}" if each.kind else ""
            item = QListWidgetItem(f"{each.name} {each.version}")
            item.setToolTip(f"{each.name} {each.version}{kind}")
            self.list.addItem(item)
        self.list.currentRowChanged.connect(self._show)
        done = done_button(self, words)
        sides = QSplitter()
        sides.addWidget(self.list)
        sides.addWidget(self.text)
        sides.setStretchFactor(1, 1)
        sides.setSizes([280, 640])
        lay(QVBoxLayout(self), [(sides, 1), (done, 0, Qt.AlignmentFlag.AlignRight)], margins=16)
        self.resize(960, 560)
        self.list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        chosen = self._licences[row]
        self.text.setPlainText(chosen.text or self._none.format(kind=chosen.kind))


def parts(context: AppContext) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Headings and the lines below them: the games' authors, what is ours, what one may do."""
    words = context.words
    games = tuple(
        words("{title}: {credit}", title=title(kit, words.language), credit=text)
        for kit in catalogue.shelf()
        if (text := context.words_of(kit)(kit.box.credit))
    )
    return (
        (words("The games"), games),
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
