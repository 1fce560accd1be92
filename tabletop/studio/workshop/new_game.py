"""A new game, started from a template: a folder of `tabletop/studio/templates/` copied under a
title.

In texts `@TITLE@`, `@ID@`, `@LEAST@` and `@MOST@` are replaced, and the `seats` of the box.
"""

import json
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.files.new_folder import create_folder
from tabletop.games.game_id import as_id
from tabletop.games.typed_toml import TomlFile
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import plain_line

ABOUT = "template.toml"
FIRST = "free"
"""The template that is used where none is named."""
TEXTS = (".toml", ".po", ".md", ".csv", ".py")
LONGEST_TITLE = 60
_JOINER = "\u200d"
_SEATS = re.compile(r"^seats = .*$", re.MULTILINE)


class Template(Struct, frozen=True, forbid_unknown_fields=True):
    """A template's description of itself."""

    summary: str
    """A sentence on what the template is."""
    seats: tuple[int, ...]
    """The possible numbers of players of a new game from it."""
    title: str = ""
    """Its name in the list of templates; its folder's by default."""


class CannotBegin(Exception):
    """The reason why no game was created: one sentence, as `reason` in any language."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(fill_gaps(reason.text, reason.args))
        self.reason = reason


def templates() -> dict[str, Template]:
    """Every template by its name, alphabetically."""
    home = files("tabletop.studio.templates")
    folders = sorted((each for each in home.iterdir() if (each / ABOUT).is_file()), key=_name)
    return {
        each.name: TomlFile(ABOUT, (each / ABOUT).read_text("utf-8")).read(Template)
        for each in folders
    }


def begin(
    title: str, folder: Path, template: str, seats: tuple[int, ...] = (), name: str = ""
) -> None:
    """Create a small, playable game in a folder that is empty or doesn't exist yet. `seats` are the
    template's by default, `name` is its id, by default made from its title.

    Raises:
        CannotBegin: the title, the seats or the folder can't be used.
        StorageError: the folder can't be written.
    """
    lines = title.strip().splitlines()
    parts = (plain_line(part, LONGEST_TITLE + 1) for part in title.split(_JOINER))
    title = _JOINER.join(parts)  # which holds the signs of a family together
    if len(lines) != 1 or not plain_line(title) or len(title) > LONGEST_TITLE:
        raise CannotBegin(
            Reason("A title has 1 to {n} characters, on one line.", {"n": LONGEST_TITLE})
        )
    known = templates()
    if template not in known:
        raise CannotBegin(
            Reason(
                'There is no template "{name}". The templates are: {names}.',
                {"name": template, "names": ", ".join(known)},
            )
        )
    if odd := set(seats) - set(known[template].seats):
        least, most = min(known[template].seats), max(known[template].seats)
        raise CannotBegin(
            Reason(
                '"{name}" seats {least} to {most}, not {odd}.',
                {"name": template, "least": least, "most": most, "odd": min(odd)},
            )
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotBegin(
            Reason('"{folder}" already exists; nothing in it was changed.', {"folder": str(folder)})
        )
    with create_folder(folder):
        gaps = _Gaps(title, name or as_id(title), seats or known[template].seats)
        _copy(files("tabletop.studio.templates") / template, folder, gaps)


class _Gaps(NamedTuple):
    """What is filled into the texts of a template."""

    title: str
    id: str
    seats: tuple[int, ...]


def _copy(source: Traversable, folder: Path, gaps: _Gaps) -> None:
    for each in sorted(source.iterdir(), key=_name):
        if each.name in (ABOUT, "__pycache__") or each.name.endswith(".mo"):
            continue
        target = folder / each.name
        if each.is_dir():
            target.mkdir()
            _copy(each, target, gaps)
        elif each.name.endswith(TEXTS):
            target.write_text(_fill_in(each, gaps), "utf-8", newline="\n")
        else:
            target.write_bytes(each.read_bytes())


def _fill_in(source: Traversable, given: _Gaps) -> str:
    text = source.read_text("utf-8")
    if source.name == "cards.toml":
        text = _SEATS.sub(f"seats = {sorted(given.seats)}", text, count=1)
    quoted = source.name.endswith((".toml", ".po"))
    gaps = {
        "@TITLE@": json.dumps(given.title, ensure_ascii=False)[1:-1] if quoted else given.title,
        "@ID@": given.id,
        "@LEAST@": str(min(given.seats)),
        "@MOST@": str(max(given.seats)),
    }
    return re.sub("|".join(gaps), lambda gap: gaps[gap[0]], text)


def _name(each: Traversable) -> str:
    return each.name
