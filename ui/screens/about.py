"""About the program: what it is, whose the games are, whose the rest."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from tabletop import __version__
from tabletop.games import catalogue
from ui.screens.room import Room
from ui.screens.surface import button, label
from ui.words import title

MARK = 88


class About(QDialog):
    """Version, credits, licence."""

    def __init__(self, room: Room, parent: QWidget) -> None:
        super().__init__(parent)
        words = room.words
        self.setWindowTitle(words("About Tabletop"))
        mark, name, version = label(), label("title"), label("caption")
        mark.setPixmap(room.art.pixmap("common/app.svg", MARK, MARK, self.devicePixelRatioF()))
        name.setText(words("Tabletop 卓"))
        version.setText(words("Version {version}", version=__version__))
        text = label(wrap=True)
        text.setTextFormat(Qt.TextFormat.RichText)
        text.setText("".join(f"<p>{escape(part)}</p>" for part in credits(room)))
        done = button("primary")
        done.setText(words("Close"))
        done.clicked.connect(self.accept)
        names = QVBoxLayout()
        names.addStretch()
        names.addWidget(name)
        names.addWidget(version)
        names.addStretch()
        head = QHBoxLayout()
        head.setSpacing(20)
        head.addWidget(mark)
        head.addLayout(names, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(text)
        column.addWidget(done, 0, Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(480)


def credits(room: Room) -> tuple[str, ...]:
    """The lines of credit: each game's, then ours, then the licence's."""
    words = room.words
    games = [
        words("{title}: {credit}", title=title(kit, words.language), credit=said)
        for kit in catalogue.shelf()
        if (said := room.of(kit)(kit.box.credit))
    ]
    return (
        *games,
        words("The rules are played as they were published."),
        words("All pictures, card texts, translations and code here are ours."),
        words(
            "This program is free software; the file LICENSE beside it says what you may do. "
            "It is made with Qt and PySide (LGPL) and the Noto fonts (OFL)."
        ),
    )
