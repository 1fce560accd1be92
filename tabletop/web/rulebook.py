"""Rulebook parser: converts Markdown to plain nodes, which a browser
renders without parsing markup.
"""

import re
from collections import deque
from collections.abc import Callable

import msgspec

from tabletop.catalogue.catalogue import GameKit
from tabletop.web.page_parts import Node

_HEADING = re.compile(r"(#+)\s+(?:(\d+(?:\.\d+)*)(\s+))?(.*)")
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+(.*)")
_RULE = re.compile(r"\|?[\s:|-]+\|?")
_MARK = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")


MAX_HEADING_LEVEL = 4
"""The deepest heading on a page, as in `h4`."""


def rulebook_json(kit: GameKit, language: str) -> bytes:
    """Return the game's rulebook as JSON, in English if there is no translation into `language`."""
    text = kit.read_text(f"rulebook.{language}.md") or kit.read_text("rulebook.en.md")
    return msgspec.json.encode(parse_markdown(text))


def parse_markdown(markdown: str) -> tuple[Node, ...]:
    """Return the nodes of a rulebook."""
    nodes: list[Node] = []
    for part in re.split(r"\n\s*\n", markdown.replace("\r\n", "\n")):
        lines = deque(line for line in part.split("\n") if line.strip())
        while lines:
            nodes.append(_take_node(lines))
    return tuple(nodes)


def _take_node(lines: deque[str]) -> Node:
    """Remove the lines of the first node from `lines`, and return the node."""
    first = lines[0].strip()
    if heading := _HEADING.fullmatch(first):
        lines.popleft()
        marks, number, space, text = heading.groups()
        tag = f"h{min(MAX_HEADING_LEVEL, len(marks) + 1)}"
        if not number:
            return tag, _without_marks(text)
        return tag, {"data-number": number}, ("span.soft", f"{number}{space}"), _without_marks(text)
    if first.startswith("|"):
        rows = _take_while(lines, lambda line: line.strip().startswith("|"))
        cells = [_cells(row) for row in rows if not _RULE.fullmatch(row.strip())]
        tags = ("th", *["td"] * len(cells))
        lines_of_cells = (
            ("tr", *((tag, cell) for cell in row)) for tag, row in zip(tags, cells, strict=False)
        )
        return "div.scroll", ("table", *lines_of_cells)
    if _ITEM.fullmatch(lines[0]):
        return "ul", *(("li", item) for item in _take_items(lines))
    paragraph = _take_while(lines, _goes_on)
    return "p", _without_marks(" ".join(line.strip() for line in paragraph))


def _goes_on(line: str) -> bool:
    """Return whether `line` continues the paragraph before it."""
    return not line.strip().startswith(("#", "|")) and not _ITEM.fullmatch(line)


def _take_while(lines: deque[str], belongs: Callable[[str], object]) -> list[str]:
    """Remove and return the first line and all following lines that satisfy `belongs`."""
    taken = [lines.popleft()]
    while lines and belongs(lines[0]):
        taken.append(lines.popleft())
    return taken


def _take_items(lines: deque[str]) -> tuple[str, ...]:
    """Remove and return the items of a list, each with its continuation lines."""
    items: list[str] = []
    while lines and not lines[0].strip().startswith(("#", "|")):
        line = lines.popleft()
        if item := _ITEM.fullmatch(line):
            items.append(item[1])
        else:
            items[-1] += f" {line.strip()}"
    return tuple(map(_without_marks, items))


def _cells(row: str) -> tuple[str, ...]:
    return tuple(_without_marks(cell.strip()) for cell in row.strip().strip("|").split("|"))


def _without_marks(text: str) -> str:
    return _MARK.sub("", _LINK.sub(r"\1", text)).strip()
