"""A game's folder outside the package, for tests that need one."""

import shutil
from pathlib import Path

from tabletop import games
from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.studio.workshop import new_game as beginning

BLANK = Path(games.__file__).parent / "_blank"
IGNORED = shutil.ignore_patterns("__pycache__")


def laid(folder: Path, title: str = "Pond Night") -> Path:
    """Goldfish Night in a folder of its own, under another title."""
    shutil.copytree(BLANK, folder, ignore=IGNORED)
    change(folder / "cards.toml", "hidden = true\n", "")
    change(folder / "cards.toml", '"Goldfish Night"', f'"{title}"')
    return folder


def begun(folder: Path, template: str, title: str) -> GameKit:
    """A game just created from a template."""
    beginning.create_game(title, folder, template)
    agreements.add_own_folder(folder)
    (known,) = game_folders.add(folder)
    return catalogue.load(known.id)


def change(file: Path, old: str, new: str) -> None:
    """Change a part of a file."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
