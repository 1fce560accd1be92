"""`tabletop check` finds each of the mistakes that a designer makes, and says in which line."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.commands.command_line import main as run
from tabletop.studio.workshop import new_game as beginning
from tests.game_folders import change
from tests.short_check import shorten

FACE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 336" width="240" height="336">
{% if simple %}
<text x="20" y="60" font-size="20">{{ card.name }}</text>
{% else %}
{% for part in [card.name[:9], card.name[9:]] %}
<text x="20" y="{{ 60 + loop.index0 * 40 }}" font-size="20">{{ part }}</text>
{% endfor %}
{% endif %}
</svg>
"""
CARDS = """name,copies,points,text,name.ja,text.ja
Heron,8,1,Waits,鷺,鳴る
Leaf,8,2,Falls,葉,落ちる
Moon,8,3,Shines,月,光る
"""
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A free table for two or three, with a layout of its own, in which nothing is wrong."""
    shorten(monkeypatch)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder = tmp_path / "pond"
    beginning.create_game("Pond", folder, "free", (2, 3))
    agreements.add_own_folder(folder)
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    (folder / "moon.svg").write_text(PICTURE, "utf-8")
    change(folder / "free.toml", "rounds = 10 ", "rounds = 2 ")
    assert run(["layout", str(folder), "--out", str(folder / "table.toml")]) == 0
    catalogue.reread("pond")
    yield folder
    game_folders.clear_cache()


def without(file: Path, entry: str) -> None:
    """Take out the entries of an array of tables that match."""
    parts = re.split(r"(?=^\[)", file.read_text("utf-8"), flags=re.MULTILINE)
    kept = [part for part in parts if not re.search(entry, part)]
    assert len(kept) < len(parts)
    file.write_text("".join(kept), "utf-8")


def added(file: Path, text: str) -> None:
    """Write something at the end of a file, or into a new one."""
    file.parent.mkdir(exist_ok=True)
    before = file.read_text("utf-8") if file.is_file() else ""
    file.write_text(before + text, "utf-8")


def shown(folder: Path, face: str) -> None:
    """Have the moon bear its picture, on faces of the game's own."""
    change(folder / "cards.csv", "text.ja\n", "text.ja,picture\n")
    change(folder / "cards.csv", "光る\n", "光る,moon.svg\n")
    added(folder / "assets" / "face.svg", face)


def idle(equals: str, value: str = "score/{seat}") -> str:
    return f'[[idle]]\ntext = "Done"\nvalue = "{value}"\nequals = {equals}\n'


Plant = Callable[[Path], None]
UNREADABLE: dict[str, tuple[Plant, str]] = {
    "a key is misspelt": (
        lambda f: change(f / "free.toml", 'kind = "row"', 'kinf = "row"'),
        r"free\.toml line \d+: .*did you mean \"kind\"",
    ),
    "a picture of the table is not there": (
        lambda f: added(f / "free.toml", '\n[table]\npicture = "mon.svg"\n'),
        r'free\.toml line \d+: "mon\.svg" isn\'t a picture in the folder; did you mean "moon\.svg"',
    ),
    "a gap will fail later": (
        lambda f: added(f / "meaning.toml", idle("1", "gone/{me}")),
        r"meaning\.toml line 3: the gap \{me\} is not known here",
    ),
    "a truth is compared": (
        lambda f: added(f / "meaning.toml", idle("true")),
        r"meaning\.toml line 4: ",
    ),
    "a number of copies is a word": (
        lambda f: change(f / "cards.csv", "Leaf,8", "Leaf,many"),
        r'cards\.csv row 3: column "copies" must be a whole number',
    ),
}
"""Each ends the check at once."""
ON_THE_TABLE: dict[str, tuple[Plant, str]] = {
    "hands of opponents have no place": (
        lambda f: without(f / "table.toml", r"\[\[panel\.place\]\]\s+zone = \"hand"),
        r'free\.toml line \d+: the zone "hand/1" has no place on the table of 2',
    ),
    "a counter has no place": (
        lambda f: without(f / "table.toml", r'values = \{ n = "coins/\{me\}"'),
        r'free\.toml line \d+: the counter "coins/0" has no place',
    ),
    "a die has no place": (
        lambda f: without(f / "table.toml", r'values = \{ face = "dice/die2"'),
        r'free\.toml line \d+: the die "dice/die2" has no place',
    ),
    "points have no place": (
        lambda f: change(f / "table.toml", 'value = "score/{seat}"', 'value = "turn"'),
        r'free\.toml line \d+: the value "score/0" has no place',
    ),
    "a number is compared with a text": (
        lambda f: added(f / "meaning.toml", idle('"yes"')),
        r'meaning\.toml line 4: "equals" is the text "yes"',
    ),
    "a text is too long for the window": (
        lambda f: change(f / "table.toml", '"Market"', f'"{"All that the market has " * 9}"'),
        r'table\.toml line \d+: 2 players \(en, a window of 1024 x 600\): "All that',
    ),
    "a text is too long for its card": (
        lambda f: change(f / "cards.csv", "Falls", "very " * 90 + "long"),
        r'cards\.csv row 3: "Leaf" \(en\): ".*long" is too long for the card, and ends at',
    ),
    "a picture is not there": (
        lambda f: (
            shown(f / ".", "")
            or f.joinpath("assets/face.svg").unlink()
            or f.joinpath("moon.svg").unlink()
        ),
        r'cards\.csv row 4: "Moon": there is no picture "moon\.svg"',
    ),
}
ON_CARDS: dict[str, tuple[Plant, str]] = {
    "three players lack a pile": (
        lambda f: change(f / "table.toml", "unless = { seats = 2 }", "unless = { seats = [2, 3] }"),
        r'free\.toml line \d+: the zone "hand/1" has no place on the table of 3',
    ),
    "points of a card are a word": (
        lambda f: change(f / "cards.csv", "Leaf,8,2", "Leaf,8,two"),
        r'cards\.csv row 3, column "points": "two" isn\'t a number',
    ),
    "a card has no Japanese": (
        lambda f: change(f / "cards.csv", "Waits,鷺", "Waits,"),
        r'cards\.csv row 2: no Japanese for "Heron"',
    ),
    "a word breaks inside": (
        lambda f: change(f / "cards.csv", "Leaf,", "Ambassador,"),
        r'cards\.csv row 3: "Ambassador" \(en\): the word "Ambassador" breaks after "Ambassado"',
    ),
    "a small card hides its picture": (
        lambda f: shown(
            f,
            FACE.replace(
                "{% else %}",
                "{% else %}<image href='{{ picture(card.picture | default(''), 9, 9) }}'/>",
            ),
        ),
        r'cards\.csv row 4: "Moon": its small face .* does not show the picture',
    ),
}
"""The last one lays the face on which the word breaks."""


def test_a_layout_written_by_the_program_has_no_mistake(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["check", str(game)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    "mistakes", [*([one] for one in UNREADABLE.values()), ON_THE_TABLE.values(), ON_CARDS.values()]
)
def test_planted_mistakes_are_found_with_their_lines(
    mistakes: Iterable[tuple[Plant, str]], game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for plant, _ in mistakes:
        plant(game)
    catalogue.reread("pond")
    code = run(["check", str(game)])
    told = capsys.readouterr()
    assert code in (1, 2)
    for _, sentence in mistakes:
        assert re.search(sentence, told.out + told.err), told
