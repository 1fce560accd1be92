"""The colours of a game's table are read, and mistakes in them told exactly."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.commands.command_line import main as run
from tabletop.games.layout import has_layout, read_layouts, with_look_and_sounds
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.studio.workshop import layout_file
from tabletop.studio.workshop import new_game as beginning

LOOK = """
[look]
table = "#D3DDCB"
mat = "#BFCDB6"
line = "#93A886"
ink = "#2B2A33"
soft = "#43503C"
accent = "#A23A14"
"""
TABLE = "[table]\nsize = [10, 8]\n"


def told(text: str) -> str:
    with pytest.raises(BrokenFile) as raised:
        read_layouts(TomlFile("table.toml", text))
    return str(raised.value)


def test_a_look_is_read_for_every_arrangement() -> None:
    layouts = read_layouts(TomlFile("table.toml", TABLE + "narrow = { size = [5, 12] }\n" + LOOK))
    assert [each.look.soft for each in layouts if each.look] == ["#43503C", "#43503C"]


def test_a_table_without_a_look_has_none() -> None:
    assert read_layouts(TomlFile("table.toml", TABLE))[0].look is None


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('"#43503C"', '"#43503"', 'line 9: "#43503" is no colour; one is written like "#C4393B"'),
        ('"#43503C"', '"green"', 'line 9: "green" is no colour; one is written like "#C4393B"'),
        ("soft =", "sotf =", 'line 9: "sotf" is not known; did you mean "soft"?'),
        ('soft = "#43503C"\n', "", 'line 4: "soft" is missing'),
        (
            '"#43503C"',
            "3",
            'line 9: "soft" must be a text in quotes, such as "pond", not a whole number',
        ),
    ],
)
def test_a_mistake_in_a_look_is_told_with_its_line(right: str, wrong: str, said: str) -> None:
    assert told(TABLE + LOOK.replace(right, wrong)) == f"table.toml {said}"


def test_colours_alone_leave_the_layout_to_the_program() -> None:
    file = TomlFile("table.toml", LOOK)
    assert not has_layout(file)
    assert has_layout(TomlFile("table.toml", TABLE + LOOK))
    laid = with_look_and_sounds(read_layouts(TomlFile("table.toml", TABLE)), file)
    assert laid[0].table.size == (10, 8)
    assert laid[0].look is not None


@pytest.fixture(params=["cards", "capture", "dice", "free", "tricks"])
def begun(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A game's folder, begun from a template."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder = tmp_path / "pond"
    seats = (4,) if request.param == "tricks" else (2, 3)
    beginning.create_game("Pond", folder, request.param, seats)
    agreements.add_own_folder(folder)
    game_folders.add(folder)
    yield folder
    game_folders.clear_cache()


def test_a_template_has_a_table_of_its_own(begun: Path) -> None:
    look = catalogue.load("pond").layout.look
    assert look is not None
    assert look.table != look.mat


def test_a_written_layout_keeps_the_colours(begun: Path) -> None:
    kit = catalogue.load("pond")
    if layout_file.has_layout(kit):
        pytest.skip("it has a layout, which is written over on demand only")
    file = begun / "table.toml"
    assert run(["layout", str(begun), "--out", str(file)]) == 0
    catalogue.reread("pond")
    written = catalogue.load("pond")
    assert written.layout.look == kit.layout.look
    assert layout_file.has_layout(written)
    assert run(["layout", str(begun), "--out", str(file)]) != 0  # now there is something to lose
