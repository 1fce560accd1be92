"""What others have written, on a screen: it is to be read there letter by letter."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QGraphicsSimpleTextItem,
    QGraphicsView,
    QLabel,
    QLineEdit,
    QMenu,
    QTextEdit,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

from tests.ui.window_driver import settle

SAID = "<img src='c'>&amp;<b>A&B"
"""A name that loads the file c, where it is taken for markup."""
SIGNS = ("<img", "&lt;img")
"""How it begins in the text that a widget was given, plain or rich."""


def _texts(widget: QWidget) -> Iterator[tuple[str, str]]:
    """The texts that a widget was given, and what is to be read of each."""
    match widget:
        case QLabel():
            rich = widget.textFormat() is Qt.TextFormat.RichText
            assert rich or widget.textFormat() is Qt.TextFormat.PlainText, widget.text()
            text = widget.text()
            yield text, QTextDocumentFragment.fromHtml(text).toPlainText() if rich else text
        case QTextEdit():
            yield widget.toPlainText(), widget.toPlainText()
        case QAbstractButton():
            text = QAbstractButton.text(widget)
            yield text, _without_keys(text)
        case QLineEdit():
            yield widget.text(), widget.text()
        case QAbstractItemView() if widget.model() is not None:
            model = widget.model()
            for row in range(model.rowCount()):
                text = str(model.index(row, 0).data() or "")
                yield text, text
        case QGraphicsView() if widget.scene() is not None:
            for item in widget.scene().items():
                if isinstance(item, QGraphicsSimpleTextItem):
                    yield item.text(), item.text()
        case QMenu():
            for action in widget.actions():
                yield action.text(), _without_keys(action.text())


def _without_keys(text: str) -> str:
    """The text of a button or menu as it is drawn: one "&" marks a key, and two are one."""
    return "&".join(part.replace("&", "") for part in text.split("&&"))


def times_said(top: QWidget) -> int:
    """How often what was said is on a screen. Each is to be read there as it was said, or cut
    short."""
    settle()
    top.grab()
    found = 0
    for widget in filter(isValid, (top, *top.findChildren(QWidget))):
        _check_tip(widget)
        for given, read in _texts(widget):
            if any(sign in given for sign in SIGNS):
                found += 1
                assert SAID in read or _cut(read), (widget, given, read)
    return found


def _cut(read: str) -> bool:
    """Whether it is the beginning of what was said, and an ellipsis."""
    begun = read[read.index("<img") :].partition("…")
    return bool(begun[1]) and SAID.startswith(begun[0].strip())


def _check_tip(widget: QWidget) -> None:
    if "<" not in widget.toolTip():
        return
    QToolTip.showText(widget.mapToGlobal(widget.rect().center()), widget.toolTip(), widget)
    settle()
    for tip in QApplication.topLevelWidgets():
        if isinstance(tip, QLabel) and tip.inherits("QTipLabel"):
            assert tip.textFormat() is Qt.TextFormat.PlainText
    QToolTip.hideText()
