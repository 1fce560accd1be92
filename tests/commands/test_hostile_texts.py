"""A game and a match whose every text is markup for a terminal, a window or a formatter go through
every command, and are printed as they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QImage

from tabletop.catalogue import agreements, game_folders
from tabletop.commands import command_line
from tabletop.files import folders
from tabletop.match.match import Player
from tabletop.storage import playtest_notes, record
from tests.game_folders import change
from tests.net.playtest.prototypes import ferry
from tests.short_check import shorten

SAID = "[/x][bold red]<b>&amp;{0}%s:smile:"
ESCAPE = "\x1b[2J\u202e\x00"
"""What a terminal obeys; names may hold it, TOML may not."""
LONG = "x" * 10_000


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The folder of such a game."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "300")
    folder = ferry(folders.games() / "night_ferry", monkeypatch)
    change(folder / "cards.toml", '"Night Ferry"', f'"{SAID}"')
    change(folder / "cards.toml", "Row from pier to pier", f"{SAID} {LONG}")
    change(folder / "cards.toml", "seats = [2, 3, 4]", "seats = [2]")
    for word in ("the deck", "Deck", "Quay", "Wind", "Ferry", "Coins", "Passengers in the cabin"):
        change(folder / "free.toml", f'"{word}"', f'"{word} {SAID}"')
    sheet = (folder / "cards.csv").read_text("utf-8").splitlines()
    rows = [sheet[0], *(f"{SAID} {row}" for row in sheet[1:] if row)]
    (folder / "cards.csv").write_text("\n".join(rows), "utf-8")
    (folder / "rulebook.en.md").write_text(f"# {SAID}\n\n## 1 {SAID}\n\n{SAID}\n", "utf-8")
    agreements.add_own_folder(folder)
    game_folders.clear_cache()
    yield str(folder)
    monkeypatch.undo()
    game_folders.clear_cache()


@pytest.fixture
def film(game: str, tmp_path: Path) -> str:
    """A finished match of that game, with such names, notes and comments."""
    file = tmp_path / "film.tabletop"
    assert command_line.main(["record", game, "--seats", "2", "--out", str(file)]) in (0, None)
    whole = record.read(file)
    names = (Player(SAID + ESCAPE[:1]), Player(SAID))
    named = replace(whole, header=replace(whole.header, players=names), comments={1: SAID + ESCAPE})
    record.save(replace(named, name=SAID), file)
    playtest_notes.add(
        playtest_notes.notes_path(file), playtest_notes.make_note(SAID, 1, None, 1, SAID)
    )
    return str(file)


@pytest.mark.parametrize(
    "command",
    [
        "games",
        "check GAME",
        "simulate GAME --games 2",
        "arena GAME --bots easy --games 1 --balance",
        "arena GAME --bots easy --games 1 --report OUT",
        "layout GAME",
        "print GAME --out OUT",
        "dev GAME --ply 1 --sheet OUT",
        "shot --game GAME --ply 1 --window --out OUT",
        "show FILM --game GAME",
        "verify FILM --game GAME",
        "review FILM --seat 1 --game GAME --seconds 0.01",
        "replay FILM --game GAME --shot OUT",
        "notes FILM --game GAME --out OUT",
        "share GAME --out OUT.tabletop-game",
        "export GAME --out OUT.zip",
        "home export OUT",
    ],
)
def test_a_command_prints_hostile_texts_as_they_are(
    command: str,
    game: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    shorten(monkeypatch)
    film = request.getfixturevalue("film") if "FILM" in command else ""
    capfd.readouterr()
    places = {"GAME": game, "FILM": film, "OUT": str(tmp_path / "out")}
    words = (places.get(word, word).replace("OUT.", f"{tmp_path}/[x].") for word in command.split())
    code = command_line.main([*words])
    printed, complaint = capfd.readouterr()
    assert code in (0, 1, None), complaint
    assert "Traceback" not in complaint
    for sign in printed + complaint:
        assert sign.isprintable() or sign in "\n\u3000", (sign, printed)
    if command in ("games", "show FILM --game GAME"):
        assert SAID in printed


def test_what_is_taken_in_is_told_as_it_is(
    game: str, film: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pictures = tmp_path / f"{SAID.replace('/', '')}"
    pictures.mkdir()
    image = QImage(60, 90, QImage.Format.Format_RGB32)
    for number in range(3):
        image.fill(number)
        image.save(str(pictures / f"[night]{number}{{0}}.png"))
    kept = str(tmp_path / "[bold]home.tar.gz")
    for command in (
        ["import", str(pictures), "--title", SAID],
        ["home", "export", kept],
        ["home", "import", kept],
    ):
        capfd.readouterr()
        code = command_line.main(command)
        printed, complaint = capfd.readouterr()
        assert code in (0, None), complaint
        assert "Traceback" not in complaint
        assert "[" in printed
        assert all(sign.isprintable() or sign in "\n\u3000" for sign in printed + complaint)
