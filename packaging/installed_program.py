"""Check that the installed program runs from its own folder, and is complete.

    python installed_program.py FORM

FORM is empty for the wheel and the source distribution, whose metadata is shown on PyPI.
"""

import re
import sys
from importlib.metadata import metadata
from pathlib import Path

import tabletop
import ui
from tabletop.catalogue import catalogue
from tabletop.language.words import Words
from ui.style.asset_folder import assets_root


def check_places() -> None:
    environment = Path(sys.prefix).resolve()
    assert tabletop.__file__ is not None
    assert ui.__file__ is not None
    for place in (tabletop.__file__, ui.__file__, assets_root()):
        parents = Path(place).resolve().parents
        assert environment in parents, f"{place} doesn't belong to the installed program"


def check_metadata(is_on_pypi: bool) -> None:
    shown = metadata("tabletop-taku")
    assert shown["License-Expression"] == "MIT"
    if is_on_pypi:
        links = re.findall(r"\]\(([^)]+)\)", str(shown.get_payload()))  # type: ignore[attr-defined]
        assert links, "the README has no links"
        assert all(link.startswith("https://") for link in links), links
        pictures = [link for link in links if link.endswith("/assets/readme/sun.png")]
        assert any("/raw/v" in link for link in pictures), links
        assert len(shown.get_all("Project-URL") or ()) == 3


def check_texts() -> None:
    for kit in catalogue.load_all().games:
        assert Words("ja", kit)(kit.box.title), kit.id
        for language in ("ja", "en"):
            assert kit.read_text(f"rulebook.{language}.md"), f"{kit.id} has no rulebook"
    assert Words("ja")("Settings") != "Settings", "the screens' Japanese is missing"


if __name__ == "__main__":
    check_places()
    check_metadata(is_on_pypi=not sys.argv[1])
    check_texts()
