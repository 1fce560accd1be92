"""Rich text, made of plain text alone: what somebody has written is never read as markup.

Nothing else in the window writes markup (tests/ui/test_plain_text.py).
"""

from collections.abc import Iterable
from html import escape
from typing import NewType

from PySide6.QtGui import QAccessible

from tabletop.language.spoken_text import aloud
from tabletop.language.words import Words
from ui.style.line_breaks import bind_phrases_unless_read

Rich = NewType("Rich", str)


def escape_mnemonics(text: str) -> str:
    """A text as buttons and menus are to be given it, so that each "&" is seen and makes no key."""
    return text.replace("&", "&&")


def menu_text(text: str, words: Words) -> str:
    """The same for an entry of a menu, whose letters a screen reader takes as they are: where one
    listens, its signs are words."""
    return escape_mnemonics(aloud(text, words) if QAccessible.isActive() else text)


def plain(text: str) -> Rich:
    """A text letter by letter."""
    return Rich(escape(text))


def bold(text: str) -> Rich:
    """A text in bold letters."""
    return Rich(f"<b>{escape(text)}</b>")


def in_colour(text: str, colour: str) -> Rich:
    """A text in a colour."""
    return Rich(f'<span style="color:{colour}">{escape(text)}</span>')


def link(target: str, text: str, colour: str) -> Rich:
    """A link to what a widget calls `target`."""
    return Rich(f'<a href="{escape(target)}" style="color:{colour}">{escape(text)}</a>')


def in_size(pixels: int, *parts: Rich) -> Rich:
    """Parts in a row, with a space between them, in letters of a size."""
    return Rich(f'<span style="font-size:{pixels}px">{" ".join(parts)}</span>')


def in_row(*parts: Rich) -> Rich:
    """Parts in a row."""
    return Rich("".join(parts))


def in_wide_row(*parts: Rich) -> Rich:
    """Parts in a row, far from each other."""
    return Rich("&nbsp;&nbsp; ".join(parts))


def lines(*parts: Rich) -> Rich:
    """Parts below each other."""
    return Rich("<br>".join(parts))


def paragraph(*parts: Rich) -> Rich:
    """Lines as a paragraph."""
    return Rich(f"<p>{lines(*parts)}</p>")


def paragraphs(texts: Iterable[str]) -> Rich:
    """Plain paragraphs, Japanese wrapped between phrases."""
    return Rich("".join(paragraph(plain(bind_phrases_unless_read(text))) for text in texts))


def bar_title(name: str, state: str, soft: str) -> Rich:
    """A game and its state for the menu bar; `soft` is the colour of the state."""
    return in_wide_row(bold(name), in_colour(state, soft))
