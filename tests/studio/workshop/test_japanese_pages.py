"""The games of the Japanese pages for designers, built from nothing but what the pages say."""

import re
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.studio.workshop.file_check import find_overdrawn_zones
from tabletop.studio.workshop.law_check import find_broken_laws
from ui.studio.game_check.cut_texts import find_cut_texts
from ui.studio.game_check.unanswerable import find_unanswerable

DOCS = Path(__file__).parents[3] / "docs"


def built(page: str, folder: Path, *names: str, **more: str) -> GameKit:
    """A game of a page's own text, the first block of each kind for each file in turn; `more` are
    files that the page leaves to its reader."""
    blocks = re.findall(r"```(\w+)\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    kinds = {"csv": "csv", "toml": "toml", "py": "python"}
    left = [(kind, text) for kind, text in blocks if kind in kinds.values()]
    folder.mkdir()
    for name, text in more.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    for name in names:
        wanted = kinds[name.rpartition(".")[2]]
        at = next(number for number, (kind, _) in enumerate(left) if kind == wanted)
        (folder / name).write_text(left.pop(at)[1], "utf-8")
    agreements.add_own_folder(folder)
    (known,) = game_folders.add(folder)
    return catalogue.load(known.id)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")


def test_the_free_table_of_the_page_is_drafted(tmp_path: Path) -> None:
    kit = built("free-table.ja.md", tmp_path / "watashi", "cards.csv", "cards.toml", "free.toml")
    assert kit.box.title == "夜の渡し場"
    assert list(find_overdrawn_zones(kit)) == []
    assert list(find_broken_laws(kit)) == []
    assert list(find_cut_texts(kit)) == []


def test_the_rules_of_the_page_are_an_auction(tmp_path: Path) -> None:
    names = ("cards.toml", "rules.py", "words.toml")
    kit = built("new-game.ja.md", tmp_path / "seri", *names, cards_csv="name,copies\n茶,5\n絹,5\n")
    assert list(find_broken_laws(kit)) == []
    assert list(find_unanswerable(kit, [])) == []
