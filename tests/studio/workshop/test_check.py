"""`tabletop check`: a template has nothing wrong, and each mistake is reported plainly."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame, GameKit
from tabletop.commands.command_line import main as run
from tabletop.language.answer_buttons import Buttons
from tabletop.studio.laws.laws import LAWS
from tabletop.studio.laws.random_games import tables_of_game, turns_of_shot
from tabletop.studio.workshop import new_game as beginning
from tabletop.studio.workshop.check import check
from tabletop.studio.workshop.file_check import (
    find_empty_starts,
    find_outdated_entries,
    find_unknown_cases,
)
from tabletop.studio.workshop.finding import Finding, report
from tabletop.studio.workshop.law_check import EXPLANATIONS
from tabletop.table.random_match import random_match
from tests.auction import auction
from tests.game_folders import change
from tests.net.loopback import LONG
from tests.short_check import shorten
from ui.match.result.score_grid import ScoreGrid
from ui.studio.game_check import cut_window_texts
from ui.studio.game_check.broken_sounds import find_broken_sounds
from ui.studio.game_check.cut_texts import find_cut_texts
from ui.studio.game_check.failing_window import find_window_failures
from ui.studio.game_check.unanswerable import find_unanswerable
from ui.studio.game_check.unplaced import find_unplaced
from ui.style.card_pictures import CardPictures

SHELL_BEACH = Path(__file__).parents[2] / "free_tables" / "shell_beach"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game just created, for two, without options."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder = tmp_path / "pond"
    beginning.create_game("Pond", folder, "cards", (2,))
    agreements.add_own_folder(folder)
    text = (folder / "cards.toml").read_text("utf-8")
    (folder / "cards.toml").write_text(text.partition("[[box.options]]")[0], "utf-8")
    yield folder
    game_folders.clear_cache()


def loaded(game: Path) -> GameKit:
    (known,) = game_folders.add(game)
    return catalogue.load(known.id)


def found(game: Path) -> list[Finding]:
    return list(check(loaded(game), games=1, looks=[("the table", find_unplaced)]))


def test_a_game_just_begun_has_nothing_wrong(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(game), "--games", "1"]) == 0
    assert capsys.readouterr().out == "Pond: nothing is wrong or missing.\n"


def test_picture_warnings_are_hidden_only_during_a_check(
    game: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = game / "cards.csv"
    head, first, *rest = sheet.read_text("utf-8").splitlines()
    sheet.write_text("\n".join([f"{head},picture", f"{first},none.png", *rest, ""]), "utf-8")
    run(["check", str(game), "--games", "1"])
    assert "none.png" in capsys.readouterr().out
    assert caplog.records == []
    assert CardPictures(str(game))("other.png", 10, 10) == "", "a picture is warned of once"
    assert [record.name for record in caplog.records] == ["tabletop.pictures"]


def test_of_findings_that_are_alike_the_first_are_told() -> None:
    longs = [Finding(f'cards.csv row {n}: "Card {n}" is too long', "see") for n in range(999)]
    other = Finding('"drpo" is no icon')
    told = list(report([*longs[:500], other, *longs[500:]]))
    assert told == [
        *(line for each in longs[:5] for line in each.lines()),
        "  … and 994 more like it",
        *other.lines(),
    ]
    assert list(report(longs[:6])) == [line for each in longs[:6] for line in each.lines()]


def test_what_is_left_open_is_told_each_in_a_sentence(game: Path) -> None:
    rules = game / "rules.py"
    change(rules, "tuple(range(len(self.value)))", "tuple(range(1, len(self.value)))")
    change(rules, '        table.shuffle("deck")\n', '        table.place(Zone("box"), (0,))\n')
    change(game / "words.toml", 'paragraph = "3.1"', 'paragraph = "7"')
    change(game / "words.toml", "Lay {card}", "Put {card} down")
    change(game / "rulebook.ja.md", "## 3.1　", "## 3.9　")
    (game / "cards.csv").write_text(
        "name,copies,value,weigt,text,picture\n"
        "Otter,1,2,7,,\n"
        f"Carp,10,3,,{'very ' * 90}long,\n"
        "Crow,10,4,,,crow.png\n"
    )
    told = "\n".join(each.fault for each in found(game))
    for part in (
        *(
            'the zone "box" has no place',
            'games played at random, "Otter" (1 in the box) never moved',
            'reads "weigt" of the cards',
        ),
        *('no Japanese for "Put {card} down"', 'no Japanese for "Crow"'),
        'rulebook.en.md has no paragraph 7, which the question "lay" of words.toml names',
        'rulebook.ja.md has no paragraph 3.1, which the refusal "',
    ):
        assert part in told, told
    assert "3.2" not in told
    measured = "\n".join(find_cut_texts(loaded(game)))
    assert 'very long" is too long for the card, and ends at "very very' in measured
    assert '"Crow": there is no picture "crow.png"' in measured
    assert "Otter" not in measured


def test_cases_and_starts_that_match_nothing_are_told(game: Path, tmp_path: Path) -> None:
    rules = game / "rules.py"
    more = """
def late(move, ask):
    match move.verb:
        case "layy" | "lay":
            return 1
        case _:
            return 2
"""
    rules.write_text(rules.read_text("utf-8") + more, "utf-8")
    line = rules.read_text("utf-8").splitlines().index('        case "layy" | "lay":') + 1
    (told,) = find_unknown_cases(loaded(game))
    assert told.fault == f'rules.py line {line}: case "layy" never matches'
    assert told.cause == '"layy" is no verb; did you mean "lay"?'
    free = tmp_path / "free"
    shutil.copytree(SHELL_BEACH, free)
    change(free / "free.toml", '{ name = "Nautilus" }', '{ name = "Nautilos" }')
    (told,) = find_empty_starts(loaded(free))
    assert told.fault.endswith('finds no card with name = "Nautilos"')
    assert told.cause == '"Nautilos" is not known; did you mean "Nautilus"?'


def test_cards_shown_only_at_the_end_count_as_used(game: Path) -> None:
    (game / "cards.csv").write_text("name,copies,value\nOtter,1,2\nCarp,20,3\n", "utf-8")
    change(game / "rules.py", "tuple(range(len(self.value)))", "tuple(range(1, len(self.value)))")
    change(
        game / "rules.py",
        '        table.shuffle("deck")\n',
        '        table.place(Zone("goal", Sight.NONE), (0,))\n        table.shuffle("deck")\n',
    )
    change(game / "rules.py", "table.end(", 'table.show("goal", 0)\n            table.end(')
    assert not [each for each in found(game) if "never moved" in each.fault]


def test_texts_that_are_cut_in_the_window_are_told_once(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cut_window_texts, "MOVES", 1)
    monkeypatch.setattr(cut_window_texts, "LANGUAGES", ("en",))
    change(game / "words.toml", '= "Taken"', '= "All that was taken so far in this very round"')
    change(game / "words.toml", 'prompt = "', f'prompt = "{"Think well: " * 40}')
    told = "\n".join(cut_window_texts.find_cut_window_texts(loaded(game)))
    assert (
        '2 players (en, a window of 1024 x 600): "All that was taken so far in this very round"'
        in told
    )
    assert told.count("Your turn: Think well: Think well") == 1


def test_a_caption_of_no_zone_is_a_mistake(game: Path) -> None:
    change(game / "words.toml", '"taken/{seat}" = "Taken"', '"tken/{seat}" = "Taken"')
    with pytest.raises(BrokenGame, match=r'words\.toml line \d+: .*"taken/\{seat\}"'):
        loaded(game)


def test_a_leak_is_told_with_the_move_that_shows_it(game: Path) -> None:
    change(
        game / "rules.py",
        '        table.move(move.cards[0], HAND[seat], "middle")\n',
        '        table.move(move.cards[0], HAND[seat], "middle")\n'
        '        if table.state.values["round"] == 2:\n'
        '            table.set("hint", self.value[table.state.cards["deck"][-1]])\n',
    )
    (leak,) = [each for each in found(game) if each.fault.startswith("two worlds")]
    assert "learn something about hidden cards" in leak.fault
    assert "turn it up first" in leak.cause
    move = leak.where.removeprefix("2 players, seed 1, move ")
    assert move in ("3", "4", "5")  # one of the first in the second round
    assert leak.see.startswith(f"tabletop shot --game {game} --seats 2 --seed 1 --ply {move} ")


def test_rules_that_fail_are_told_with_their_line_and_the_move(game: Path) -> None:
    change(game / "rules.py", "points = sum(", "points = self.points[99] + sum(")
    (failure,) = found(game)
    assert re.fullmatch(
        r"The rules fail: rules\.py line \d+: IndexError: tuple index out of range", failure.fault
    )
    assert failure.where == "2 players, seed 1, move 1"


def test_a_game_without_end_is_told(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop.studio.workshop.law_check.MAX_ANSWERS", 40)
    monkeypatch.setattr("tabletop.studio.workshop.bot_games.MAX_MOVES_PER_SEAT", 20)
    monkeypatch.setattr("tabletop.studio.workshop.file_check.UNUSED_AFTER_ANSWERS", 40)
    change(
        game / "rules.py",
        '        table.move(move.cards[0], HAND[seat], "middle")\n',
        '        table.ask(seat, "lay")\n        return\n',
    )
    told = [each.fault for each in found(game)]
    assert any(what.startswith("ends: ") for what in told), told
    assert any("Bots do not end the game" in what for what in told), told


def test_a_file_that_cannot_be_read_is_no_finding(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (game / "words.toml").write_text("[asks\n")
    assert run(["check", str(game)]) == 2
    assert "words.toml line 1" in capsys.readouterr().err


def test_the_picture_of_a_move_shows_the_game_that_was_looked_at(game: Path) -> None:
    kit = loaded(game)
    table = tables_of_game(kit.id)[0]
    turns = list(turns_of_shot(table, kit, "5", 100))
    for ply in (0, 3, len(turns) - 1):
        shown = random_match(kit, table.seats, "5", dict(table.options), ply)
        assert shown.state == turns[ply].after


def test_every_law_is_told_in_plain_words() -> None:
    assert list(EXPLANATIONS) == [law.__name__ for law in LAWS]
    assert all(what.endswith(".") and means for what, means in EXPLANATIONS.values())


def test_a_sound_that_cannot_be_played_is_named(game: Path) -> None:
    folder = game / "assets" / "sounds"
    folder.mkdir(parents=True)
    (folder / "hit.wav").write_bytes(b"no sound")
    (folder / "hits.wav").write_bytes(b"")
    assert list(find_broken_sounds(loaded(game))) == [
        "assets/sounds/hit.wav: it can't be played: file does not start with RIFF id",
        'assets/sounds/hits.wav: "hits" is not known; did you mean "hit"?',
    ]


def test_an_answer_without_a_door_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    kit = auction(tmp_path / "auction")
    assert list(find_unanswerable(kit, [])) == []
    monkeypatch.setattr("tabletop.language.prompt.buttons", lambda *_: Buttons([], []))
    faults = [each.fault for each in find_unanswerable(kit, [])]
    assert faults == [
        f'The question "bid": "{verb}" cannot be chosen in the window with the {way}.'
        for verb in ("bid", "suit", "pass")
        for way in ("mouse", "keys")
    ]


def test_a_part_of_the_window_that_fails_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    kit = auction(tmp_path / "auction")
    assert list(find_window_failures(kit)) == []
    monkeypatch.setattr(ScoreGrid, "show_result", lambda *_: (0,)[1])
    assert list(find_window_failures(kit)) == [
        "IndexError: tuple index out of range (the score sheet of the window, 2 players)"
    ]
    assert "Traceback" not in capfd.readouterr().err


def test_letters_too_small_to_be_read_are_found(game: Path) -> None:
    (game / "assets").mkdir(exist_ok=True)
    (game / "assets" / "face.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 336">'
        '<text x="20" y="40" font-size="{{ 12 if simple else 6 }}">{{ card.name }}</text></svg>',
        "utf-8",
    )
    told = list(find_cut_texts(loaded(game)))
    assert any("its smallest letters are 4.5 pt in print" in each for each in told)
    assert any("its smallest letters are 5.5 pixels on the table" in each for each in told)


def test_letters_in_a_group_are_as_large_as_it_makes_them(game: Path) -> None:
    (game / "assets").mkdir(exist_ok=True)
    (game / "assets" / "face.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 336">'
        '<g transform="translate(9 9) scale({{ 5 if simple else 2 }})"><g transform="scale(1)">'
        '<text font-size="{{ 5 if simple else 3 }}">{{ card.value }}</text></g></g></svg>',
        "utf-8",
    )
    told = [each for each in find_cut_texts(loaded(game)) if "smallest letters" in each]
    assert told
    assert all("letters are 4.5 pt in print" in each for each in told)


@pytest.mark.parametrize("name", catalogue.packaged_games() if LONG else ("awss", "royale"))
def test_the_cards_of_the_program_can_be_read(name: str) -> None:
    assert list(find_cut_texts(catalogue.load(name))) == []


def test_a_text_too_long_for_its_card_is_told_whole(game: Path) -> None:
    long = "This text goes on and on. " * 40
    change(game / "cards.csv", "Worth 1 point.", long.strip())
    told = list(find_cut_texts(loaded(game)))
    assert any(f'"{long.strip()}" is too long for the card, and ends at "' in each for each in told)


@pytest.mark.parametrize(
    ("icon", "sentence"),
    [("dropp", '"dropp" is no icon, and no picture\'s file; did you mean "drop"?'),
     ("crow.png", 'there is no picture "crow.png"')],
)  # fmt: skip
def test_an_icon_that_is_none_is_told(icon: str, sentence: str, game: Path) -> None:
    change(game / "cards.csv", ",drop,", f",{icon},")
    assert any(sentence in each for each in find_cut_texts(loaded(game))), list(
        find_cut_texts(loaded(game))
    )


def test_unknown_colours_and_signs_without_a_font_are_told(game: Path) -> None:
    header = "name,copies,value,colour,icon,sign,text\n"
    rows = "Otter,1,2,赤,星,,Otters 🔥\nCarp,1,3,みどり,⭐,🔥,\nFox 🦊,10,4,rde,,,\n"
    (game / "cards.csv").write_text(header + rows, "utf-8")
    kit = loaded(game)
    told = "\n".join(find_cut_texts(kit))
    assert "Otter" not in told
    assert "Carp" not in told
    assert '"rde" is no colour; did you mean "red"?' in told
    assert "the program's font has no 🦊 (U+1F98A)" in told


def test_a_picture_that_is_not_there_is_told_once(
    game: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shorten(monkeypatch)
    change(game / "cards.csv", "name,copies", "picture,name,copies")
    rows = (game / "cards.csv").read_text("utf-8").splitlines()
    (game / "cards.csv").write_text(
        "\n".join([rows[0], f"crow.png,{rows[1]}", *(f",{row}" for row in rows[2:])]), "utf-8"
    )
    run(["check", str(game)])
    told = capfd.readouterr()
    assert (told.out + told.err).count('there is no picture "crow.png"') == 1


def test_an_older_entry_of_the_table_is_named(game: Path) -> None:
    kit = loaded(game)
    table = (game / "table.toml").read_text("utf-8").rstrip("\n")
    (game / "table.toml").write_text(f"{table}\n[[drawing]]\nover = true\n", "utf-8")
    (finding,) = find_outdated_entries(kit)
    line = table.count("\n") + 3
    assert finding.fault == f'table.toml line {line}: "over" is read as level = "over"'


FACE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 336">{}</svg>'


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        ('<path d="M0 0" fill="{{ inks("red") }}"/>', 'write inks("pond").red for this colour'),
        ('<path d="M0 0" fill="{{ inks("rod") }}"/>', "a table isn't a text"),
        ('<path d="M0 0" fill="{{ inks("pond") }}"/>', "a table isn't a text: choose one of its"),
        (
            '<path d="M0 0" fill="{{ inks("pond").rod }}"/>',
            '"rod" is not known',
        ),
    ],
)
def test_an_unknown_ink_is_found(game: Path, drawn: str, told: str) -> None:
    (game / "assets").mkdir(exist_ok=True)
    (game / "assets" / "inks.toml").write_text('red = "#C4393B"\n', "utf-8")
    (game / "assets" / "face.svg").write_text(FACE.format(drawn), "utf-8")
    assert any(told in each for each in find_cut_texts(loaded(game))), list(
        find_cut_texts(loaded(game))
    )


def test_an_empty_cell_is_an_empty_text(game: Path) -> None:
    (game / "assets").mkdir(exist_ok=True)
    text = '<text x="120" y="80" font-size="20" text-anchor="middle">{{ card.text }}</text>'
    (game / "assets" / "face.svg").write_text(FACE.format(text), "utf-8")
    assert not [each for each in find_cut_texts(loaded(game)) if "not known" in each]


def test_japanese_texts_are_told_in_one_sentence(game: Path) -> None:
    (game / "cards.csv").write_text("name,copies,value\n鯉,10,3\nうなぎ,10,4\n", "utf-8")
    (told,) = [each.fault for each in found(game) if "Japanese" in each.fault]
    assert re.fullmatch(
        r'cards\.toml line \d+: 2 texts are Japanese already: add language = "ja" below \[box\]',
        told,
    )


def test_an_unbegun_language_is_one_sentence(game: Path) -> None:
    (game / "ja.po").unlink()
    names = "".join(f"Carp {number},2,3\n" for number in range(20))
    (game / "cards.csv").write_text(f"name,copies,value\n{names}", "utf-8")
    (told,) = [each.fault for each in found(game) if "Japanese" in each.fault]
    assert re.fullmatch(r"no Japanese yet for \d+ texts: they are shown as they are", told)
