"""Builds rich text from plain text, which is always escaped.

No other module of the window writes markup (tests/ui/test_plain_text.py).
"""

from collections.abc import Iterable
from html import escape
from typing import NewType

from PySide6.QtGui import QAccessible

from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from ui.style.line_breaks import bind_phrases_unless_read

Rich = NewType("Rich", str)


def escape_mnemonics(text: str) -> str:
    """Return `text` with "&" escaped, so that buttons and menus don't use it as a mnemonic."""
    return text.replace("&", "&&")


def menu_text(text: str, words: Words) -> str:
    """Return `text` for a menu entry, with symbols spelled out if a screen reader is active."""
    return escape_mnemonics(to_spoken_text(text, words) if QAccessible.isActive() else text)


def plain(text: str) -> Rich:
    """Return `text` as rich text."""
    return Rich(escape(text))


def bold(text: str) -> Rich:
    """Return `text` in bold."""
    return Rich(f"<b>{escape(text)}</b>")


def in_colour(text: str, colour: str) -> Rich:
    """Return `text` in the colour `colour`."""
    return Rich(f'<span style="color:{colour}">{escape(text)}</span>')


def link(target: str, text: str, colour: str) -> Rich:
    """Return a link with the address `target`."""
    return Rich(f'<a href="{escape(target)}" style="color:{colour}">{escape(text)}</a>')


def in_size(pixels: int, *parts: Rich) -> Rich:
    """Return the parts separated by spaces, with a text height of `pixels`."""
    return Rich(f'<span style="font-size:{pixels}px">{" ".join(parts)}</span>')


def in_row(*parts: Rich) -> Rich:
    """Return the parts concatenated in one line."""
    return Rich("".join(parts))


def in_wide_row(*parts: Rich) -> Rich:
    """Return the parts in one line, separated by wide spaces."""
    return Rich("&nbsp;&nbsp; ".join(parts))


def lines(*parts: Rich) -> Rich:
    """Return each part on a line of its own."""
    return Rich("<br>".join(parts))


def paragraph(*parts: Rich) -> Rich:
    """Return a paragraph with each part on a line of its own."""
    return Rich(f"<p>{lines(*parts)}</p>")


def paragraphs(texts: Iterable[str]) -> Rich:
    """Return each text as a paragraph, with Japanese wrapped between phrases."""
    return Rich("".join(paragraph(plain(bind_phrases_unless_read(text))) for text in texts))


def bar_title(name: str, state: str, soft: str) -> Rich:
    """Return a game's name and state for the menu bar; `soft` is the colour of the state."""
    return in_wide_row(bold(name), in_colour(state, soft))
