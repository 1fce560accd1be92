"""Creates a new game from a template in `tabletop/studio/templates/`.

The placeholders `@TITLE@`, `@ID@`, `@LEAST@` and `@MOST@` are replaced in the template's texts, and
`seats` is replaced in cards.toml.
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
from tabletop.games.game_id import make_game_id
from tabletop.games.typed_toml import TomlFile
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import plain_line

TEMPLATE_FILE = "template.toml"
DEFAULT_TEMPLATE = "free"
"""The default template."""
TEXT_SUFFIXES = (".toml", ".po", ".md", ".csv", ".py")
MAX_TITLE_CHARS = 60
_JOINER = "\u200d"
_SEATS = re.compile(r"^seats = .*$", re.MULTILINE)


class Template(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a template's `template.toml`."""

    summary: str
    """A sentence that describes the template."""
    seats: tuple[int, ...]
    """The player counts that a new game can have."""
    title: str = ""
    """The name in the list of templates. Defaults to the folder's name."""


class NewGameError(Exception):
    """The reason why no game was created, as one sentence. `reason` is translatable."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(fill_gaps(reason.text, reason.args))
        self.reason = reason


def load_templates() -> dict[str, Template]:
    """Return all templates by name, sorted alphabetically."""
    home = files("tabletop.studio.templates")
    folders = sorted(
        (each for each in home.iterdir() if (each / TEMPLATE_FILE).is_file()), key=_name
    )
    return {
        each.name: TomlFile(TEMPLATE_FILE, (each / TEMPLATE_FILE).read_text("utf-8")).read(Template)
        for each in folders
    }


def create_game(
    title: str, folder: Path, template: str, seats: tuple[int, ...] = (), name: str = ""
) -> None:
    """Create a small playable game in `folder`, which must be empty or not exist.

    Args:
        seats: The player counts; those of the template by default.
        name: The ID of the game; derived from `title` by default.

    Raises:
        NewGameError: The title, template, player counts or folder can't be used.
        StorageError: The folder can't be written.
    """
    lines = title.strip().splitlines()
    parts = (plain_line(part, MAX_TITLE_CHARS + 1) for part in title.split(_JOINER))
    title = _JOINER.join(parts)  # the joiner combines emoji, such as a family
    if len(lines) != 1 or not plain_line(title) or len(title) > MAX_TITLE_CHARS:
        raise NewGameError(
            Reason("A title has 1 to {n} characters, on one line.", {"n": MAX_TITLE_CHARS})
        )
    known = load_templates()
    if template not in known:
        raise NewGameError(
            Reason(
                'There is no template "{name}". The templates are: {names}.',
                {"name": template, "names": ", ".join(known)},
            )
        )
    if odd := set(seats) - set(known[template].seats):
        least, most = min(known[template].seats), max(known[template].seats)
        raise NewGameError(
            Reason(
                '"{name}" seats {least} to {most}, not {odd}.',
                {"name": template, "least": least, "most": most, "odd": min(odd)},
            )
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NewGameError(
            Reason('"{folder}" already exists; nothing in it was changed.', {"folder": str(folder)})
        )
    with create_folder(folder):
        gaps = _Placeholders(title, name or make_game_id(title), seats or known[template].seats)
        _copy(files("tabletop.studio.templates") / template, folder, gaps)


class _Placeholders(NamedTuple):
    """The values of a template's placeholders."""

    title: str
    id: str
    seats: tuple[int, ...]


def _copy(source: Traversable, folder: Path, gaps: _Placeholders) -> None:
    for each in sorted(source.iterdir(), key=_name):
        if each.name in (TEMPLATE_FILE, "__pycache__") or each.name.endswith(".mo"):
            continue
        target = folder / each.name
        if each.is_dir():
            target.mkdir()
            _copy(each, target, gaps)
        elif each.name.endswith(TEXT_SUFFIXES):
            target.write_text(_fill_in(each, gaps), "utf-8", newline="\n")
        else:
            target.write_bytes(each.read_bytes())


def _fill_in(source: Traversable, given: _Placeholders) -> str:
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
