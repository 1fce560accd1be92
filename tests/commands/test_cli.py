"""The command line: what it prints, and that nothing but a sentence comes of a mistake."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace

import pytest

from tabletop import __version__
from tabletop.catalogue import catalogue
from tabletop.commands import command_line, headless
from tabletop.commands import window as program_screens
from tabletop.commands.command_line import main
from tabletop.commands.match_source import play_random_match
from tabletop.engine.model import AUDIENCE, Ask, Reason, Result, ScoreLine, State
from tabletop.language.table_text import outcome_text, table_dump
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.storage.record import read, replay, save_as
from tabletop.studio.commands import tournaments
from tests.net.loopback import HANGS
from tests.storage.redigested import redigested

END = os.linesep.encode()
"""The end of a line in a pipe."""
has_devices = pytest.mark.skipif(os.name != "posix", reason="devices are no files there")

SUN = catalogue.load("sun")


@pytest.fixture
def record(tmp_path, capsys) -> Path:
    """A whole random game of Children of the Sun."""
    file = tmp_path / "game.tabletop"
    assert main(["record", "sun", "--seed", "cli", "--out", str(file)]) == 0
    capsys.readouterr()
    return file


@pytest.fixture
def screens(monkeypatch) -> list[tuple[object, ...]]:
    """A stand-in for the screens that keeps what they were called with: of a picture, which it
    writes, the name."""
    calls: list[tuple[object, ...]] = []

    def draw(*shown: object) -> None:
        for each in shown:
            if isinstance(each, Path):
                each.write_text("drawn")
        calls.append(tuple(each.name if isinstance(each, Path) else each for each in shown))

    stage = SimpleNamespace(
        run=lambda *files, public=False: calls.append(("run", *files)),
        shot=draw,
        window_shot=draw,
    )
    monkeypatch.setattr(program_screens, "import_module", lambda name: stage)
    return calls


def said(capsys, *arguments: str) -> tuple[int, str, str]:
    """Return a command line's exit status, output and error output."""
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


# Games


def test_the_version(capsys):
    assert said(capsys, "--version") == (0, f"Tabletop 卓 {__version__}\n", "")


def test_the_games_are_listed(capsys):
    code, out, _ = said(capsys, "games")
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("sun ")]
    assert line.split() == ["sun", "Children", "of", "the", "Sun", "太陽の子供たち", "2", "20"]
    # each has a row, and a line that says why it does not run
    waiting = 2 * len(catalogue.list_entries().waiting)
    assert len(out.splitlines()) == 1 + len(catalogue.shelf()) + waiting


# Simulate


def test_a_simulation_as_numbers(capsys):
    code, out, err = said(capsys, "simulate", "sun", "--games", "60", "--seed", "s", "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["game"], told["seats"], told["games"]) == ("sun", 2, 60)
    assert sum(told["wins"]) + told["shared"] + told["draws"] == 60
    assert told["moves"] == pytest.approx(told["moves_per_game"] * 60)
    assert told["moves"] > 60 * 26
    assert all(0 <= score["min"] <= score["mean"] <= score["max"] for score in told["scores"])
    again = json.loads(
        said(capsys, *["simulate", "sun", "--games", "60", "--seed", "s", "--json"])[1]
    )
    other = json.loads(
        said(capsys, *["simulate", "sun", "--games", "60", "--seed", "t", "--json"])[1]
    )
    assert again["scores"] == told["scores"] != other["scores"]


def test_a_simulation_as_a_table(capsys):
    code, out, _ = said(capsys, "simulate", "sun", "--games", "20", "--seats", "2")
    assert code == 0
    assert out.splitlines()[0].split() == ["seat", "mean", "min", "max", "wins"]
    assert out.splitlines()[-1].startswith("20 games, ")


# Record, verify, show


def test_a_recorded_game_is_whole_and_repeats(tmp_path, capsys, record):
    match = replay(read(record))
    assert match.state.result is not None
    twin = tmp_path / "twin.tabletop"
    code, out, _ = said(capsys, "record", "sun", "--seed", "cli", "--out", str(twin))
    assert code == 0
    assert out.startswith("twin.tabletop: Children of the Sun, 2 seats, ")
    assert read(twin).entries == read(record).entries


def test_a_record_may_stop_early(tmp_path, capsys):
    file = tmp_path / "early.tabletop"
    code, out, _ = said(capsys, "record", "sun", "--ply", "3", "--out", str(file))
    assert (code, out) == (
        0,
        "early.tabletop: Children of the Sun, 2 seats, 3 moves. Not finished.\n",
    )
    assert len(read(file).entries) == 3


def test_an_option_is_chosen(tmp_path, capsys):
    file = tmp_path / "pond.tabletop"
    assert main(["record", "_blank", "--option", "pond=small", "--out", str(file)]) == 0
    assert read(file).header.options == {"pond": "small"}
    code, out, _ = said(
        capsys, "simulate", "_blank", "--option", "pond=small", "--games", "5", "--json"
    )
    assert code == 0
    assert json.loads(out.splitlines()[-1])["games"] == 5


def test_a_record_is_verified(capsys, record):
    code, out, err = said(capsys, "verify", str(record))
    match = replay(read(record))
    assert (code, err) == (0, "")
    assert f"{len(match.record)} moves. " in out
    assert out.rstrip().endswith(".")


@pytest.mark.skipif(os.name != "posix", reason="no such names elsewhere")
def test_no_name_of_a_file_steers_the_terminal(tmp_path, capsys, record):
    odd = tmp_path / "a\x1b]0;owned\x07\nb\udcff.tabletop"
    record.rename(odd)
    folder = tmp_path / "notes\x1b[2J"
    out = tmp_path / "out\x9b2J.tabletop"
    for words in (
        ("verify", odd),
        ("show", odd),
        ("record", "sun", "--out", out),
        ("verify", odd, "--salvage", out),
        ("verify", odd.with_suffix(".none")),
        ("new", "Odd", "--folder", folder),
        ("review", odd, "--seat", "audience"),
        ("restore", odd, folder),
    ):
        _, told, err = said(capsys, *map(str, words))
        assert all(sign.isprintable() or sign == "\n" for sign in told + err), words
    _, told, _ = said(capsys, "verify", str(odd))
    assert told.startswith(r"a\x1b]0;owned\x07\nb\udcff.tabletop: Children of the Sun")
    assert len(told.splitlines()) == 1


def test_an_unfinished_torn_record_with_take_backs_is_verified(capsys, record):
    lines = record.read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(b'"hidden":"open"', b'"hidden":"curtain"')
    lines[0] = lines[0].replace(b'"closes":true', b'"closes":false')  # as older programs did
    record.write_bytes(redigested(b"".join([*lines[:6], b'{"undo":1}\n', lines[5], b'{"undo"'])))
    code, out, err = said(capsys, "verify", str(record))
    assert (code, out, err) == (1, "", 'The last line of "game.tabletop" is cut off.\n')
    record.write_bytes(record.read_bytes()[: -len(b'{"undo"')])
    code, out, err = said(capsys, "verify", str(record))
    assert (code, err) == (0, "")
    assert out == (
        "game.tabletop: Children of the Sun, 2 seats, 4 moves (1 taken back). Not finished."
        " Nothing marks its end, so whether lines are missing there can't be known.\n"
    )


def damaged(record: Path) -> None:
    """Have one byte of the eighth line be another."""
    lines = record.read_bytes().splitlines(keepends=True)
    lines[7] = lines[7].replace(b'"told"', b'"tolt"')
    record.write_bytes(b"".join(lines))


def test_a_damaged_records_good_part_is_salvaged(tmp_path, capsys, record):
    entries = read(record).entries
    damaged(record)
    before, out = record.read_bytes(), tmp_path / "good.tabletop"
    code, told, err = said(capsys, "verify", str(record), "--salvage", str(out))
    assert (code, err) == (1, '"game.tabletop" is damaged at line 8.\n')
    assert told == "good.tabletop: Children of the Sun, 2 seats, 5 moves. Not finished.\n"
    assert record.read_bytes() == before
    assert read(out).entries == entries[:5]
    assert said(capsys, "verify", str(out))[0] == 0
    code, _, err = said(capsys, "verify", str(record), "--salvage", str(out))
    assert code == 2
    assert "good.tabletop is a match" in err
    assert said(capsys, "verify", str(out), "--salvage", str(tmp_path / "more.tabletop"))[0] == 0
    assert not (tmp_path / "more.tabletop").exists()


def test_a_damaged_record_is_shown_up_to_its_last_good_move(tmp_path, capsys, record, screens):
    damaged(record)
    sentence = '"game.tabletop" is damaged at line 8. It\'s shown up to the last readable move.\n'
    code, out, err = said(capsys, "show", str(record))
    assert (code, err) == (0, sentence)
    assert "Children of the Sun" in out
    picture = str(tmp_path / "x.png")
    for words in (
        ("replay", str(record), "--shot", picture),
        ("shot", str(record), "--out", picture, "--force"),
    ):
        code, _, err = said(capsys, *words)
        assert (code, err) == (0, sentence)
    assert len(screens) == 2
    code, _, err = said(capsys, "replay", str(record), "--ply", "6")
    assert (code, "There is no move 6; the match has 5." in err) == (2, True)


def test_a_file_that_cannot_be_read_is_another_matter(capsys, tmp_path, record):
    file = tmp_path / "x.tabletop"
    file.write_text("hello")
    assert said(capsys, "verify", str(file))[0] == 2
    assert said(capsys, "verify", str(tmp_path / "none"))[0] == 2
    file.write_bytes(redigested(record.read_bytes().replace(b'"sun"', b'"moon"', 1)))
    code, _, err = said(capsys, "verify", str(file))
    assert (code, err) == (2, '"x.tabletop" needs the game "moon", which isn\'t installed.\n')


def test_the_whole_table_is_shown(capsys, record):
    match = replay(read(record), 0)
    code, out, _ = said(capsys, "show", str(record), "--ply", "0")
    assert code == 0
    words = Words("en", SUN)
    for seat in (0, 1):
        for card in match.state.cards[f"hand/{seat}"]:
            assert words.card(card) in out
    assert " 14 cards" not in out
    assert "Siege, turn 1 · Move 0" in out
    assert "Player 1: Place a card from your hand on the field" in out


def test_a_seat_is_shown_what_it_may_know(capsys, record):
    match = replay(read(record), 9)
    _, first, _ = said(capsys, "show", str(record), "--ply", "9", "--seat", "1")
    _, nobody, _ = said(capsys, "show", str(record), "--ply", "9", "--seat", "audience")
    words = Words("en", SUN)
    hands = (match.state.cards[f"hand/{seat}"] for seat in (0, 1))
    mine, theirs = (f"hand ({len(hand)} cards): {words.cards(hand)}" for hand in hands)
    assert mine in first
    assert theirs not in first
    assert mine not in nobody
    assert "  Player 1 draws" in first


def test_the_end_is_shown_with_its_score_sheet(capsys, record):
    result = replay(read(record)).state.result
    _, out, _ = said(capsys, "show", str(record))
    assert "The result" in out
    assert f"{result.scores[0]} : {result.scores[1]}." in out
    assert "Attack 3: " in out


def test_a_table_tells_of_sealed_optional_and_answered_questions():
    view = State(
        2,
        (0,),
        asks=(Ask(0, 0, "dance", sealed=True), Ask(1, 1, "sing", optional=True)),
        answers={0: None},
    )
    text = table_dump(view, Words("en", None, (Player("Ann"), Player("Bea"))))
    assert "Ann: dance (in secret, answered)" in text
    assert "Bea: sing (may be left)" in text
    assert "Result" not in text


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (Result((0,), (3, 1)), "Player 1 won, 3 : 1."),
        (Result((), (1, 1), (), "A draw."), "Nobody won, 1 : 1. A draw."),
        (Result((0, 1), ()), "Player 1 and Player 2 won."),
    ],
)
def test_how_a_game_ended(result, sentence):
    assert outcome_text(result, Words()) == sentence


def test_a_score_sheet_may_do_without_formulas():
    view = State(2, (0,), result=Result((), (1, 2), (ScoreLine("Points", (1, 2), ("1×1",)),)))
    told = table_dump(view, Words())
    assert "Points, Player 1: 1 = 1×1\n  Points, Player 2: 2" in told


# The screens


def test_without_a_command_the_window_opens(screens):
    assert main([]) == 0
    assert screens == [("run", [])]


def test_a_file_is_opened_in_the_window(screens, record):
    assert main([str(record)]) == 0
    assert screens == [("run", [str(record)])]


def test_a_file_may_be_named_by_its_address(screens, record):
    twin = record.with_name("ある 対局.tabletop")
    twin.write_bytes(record.read_bytes())
    assert main([twin.as_uri()]) == 0
    ((_, (named,)),) = screens
    assert Path(named) == twin


def test_a_picture_of_a_record(screens, record, tmp_path):
    out = tmp_path / "x.png"
    shown = f"shot {record} --ply 5 --seat 2 --size 640x400 --scale 2 --lang ja --theme dark"
    assert main([*shown.split(), "--out", str(out)]) == 0
    ((seat, *rest),) = screens
    assert (seat.view.ply, seat.number) == (5, 1)
    assert rest == [SUN, (640, 400), 2.0, "ja", "dark", "x.png", False]


def test_a_picture_of_a_random_game(screens, tmp_path):
    out = tmp_path / "x.png"
    for ply in ("0", "7"):
        told = f"shot --game sun --seed 3 --ply {ply} --seat audience --force --out {out}"
        assert main(told.split()) == 0
    assert [seat.view.ply for seat, *_ in screens] == [0, 7]
    assert screens[0][0].number == AUDIENCE
    assert screens[0][2:] == ((1280, 800), 1.0, "en", "light", "x.png", False)


def test_a_picture_of_the_window(screens, capsys, tmp_path):
    out = tmp_path / "x.png"
    told = f"shot --game sun --ply 7 --seat 2 --window --choosing place --out {out}"
    assert main(told.split()) == 0
    ((match, *rest),) = screens
    assert match.state.ply == 7
    assert rest == [1, (1280, 800), 1.0, "en", "light", "x.png", "place", False]
    code, _, err = said(capsys, "shot", "--game", "sun", "--choosing", "place", "--out", "x.png")
    assert (code, err) == (2, "--choosing needs --window.\n")


def test_a_replay_opens_in_the_window(screens, record):
    assert main(["replay", str(record)]) == 0
    assert main(["replay", str(record), "--ply", "4", "--seat", "2"]) == 0
    assert main(["replay", str(record), "--seat", "all"]) == 0
    assert screens == [
        ("run", [str(record)], 0, ""),
        ("run", [str(record)], 4, 1),
        ("run", [str(record)], 0, None),
    ]


def test_a_position_of_a_replay_is_drawn(screens, record, tmp_path):
    out = tmp_path / "x.png"
    told = f"replay {record} --ply 5 --seat all --size 640x400 --lang ja --theme dark --shot {out}"
    assert main(told.split()) == 0
    ((seat, *rest),) = screens
    assert (seat.view.ply, seat.view.viewer) == (5, None)
    assert rest == [SUN, (640, 400), 1.0, "ja", "dark", "x.png", False]
    assert main(["replay", str(record), "--force", "--shot", str(out)]) == 0
    assert screens[1][0].view.result is not None


def test_what_is_sealed_is_not_shown(capsys, screens, tmp_path):
    file = tmp_path / "sealed.tabletop"
    save_as(play_random_match(SUN, 2, "7", upto=6), file)
    for told in ("show {file}", "show {file} --seat 1", "replay {file} --seat all"):
        code, out, err = said(capsys, *told.format(file=file).split())
        assert (code, out) == (2, "")
        assert "sealed.tabletop is sealed until its match is over" in err
    assert said(capsys, "show", str(file), "--seat", "audience")[0] == 0
    assert main(["replay", str(file)]) == 0
    assert screens == [("run", [str(file)], 0, "")]


def test_a_picture_that_cannot_be_written_is_one_sentence(capsys, monkeypatch):
    def full(*shown: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(program_screens, "import_module", lambda name: SimpleNamespace(shot=full))
    code, _, err = said(capsys, "shot", "--game", "sun", "--ply", "0", "--out", "x.png")
    assert (code, err) == (2, 'Can\'t write "x.png": the disk is full.\n')


def test_a_command_is_no_file(capsys, screens, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").write_text("a file of that name")
    assert said(capsys, "games")[0] == 0
    assert screens == []


def test_without_qt_all_but_the_screens_runs(capsys, monkeypatch):
    def nothing(name: str) -> None:
        raise ImportError("No module named 'PySide6'")

    monkeypatch.setattr(program_screens, "import_module", nothing)
    code, _, err = said(capsys)
    assert (code, err) == (2, "No window can be shown here: No module named 'PySide6'.\n")
    assert said(capsys, "games")[0] == 0


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("dance", "No such command"),
        ("--dance", "No such option"),
        ("simulate", "Missing argument"),
        ("simulate chess", 'There is no game called "chess"'),
        ("simulate sun --seats 5", '"Children of the Sun" seats 2, not 5.'),
        ("simulate sun --seats two", "Invalid value for '--seats'"),
        ("simulate sun --games 0", "Invalid value for '--games'"),
        ("simulate sun --option ghosts=2", '"Children of the Sun" has no option "ghosts".'),
        ("simulate _blank --option pond=dry", 'The option "pond" cannot be "dry".'),
        (
            "record chains --option slots=pile --option flip=out --out x.tabletop",
            'The option "flip" has no effect with slots=pile.',
        ),
        ("record sun", "Missing option"),
        pytest.param(
            "record sun --out /dev/null/x.tabletop",
            'Can\'t write "x.tabletop"',
            marks=has_devices,
        ),
        pytest.param(
            "record sun --out /dev/null",
            "Can't write \"null\": it's not a regular file.",
            marks=has_devices,
        ),
        ("record sun --out .", '"." is a folder: add the name of a file.'),
        ("record sun --seed= --out x.tabletop", "A seed has 1 to 200 printable characters."),
        ("simulate sun --seed=\udcff", "A seed has 1 to 200 printable characters."),
        ("replay {record} --ply 99", "There is no move 99; the match has "),
        ("replay {record} --seat 3", 'There is no seat "3": the seats are 1 to 2.'),
        ("replay {record} --shot x.png --lang fr", '--lang can\'t be "fr": use en or ja.'),
        ("replay none.tabletop", 'There is no file "none.tabletop".'),
        ("verify", "Missing argument"),
        ("verify none.tabletop", 'There is no file "none.tabletop".'),
        ("none.tabletop", 'There is no file "none.tabletop".'),
        ("show {record} --ply 99", "There is no move 99; the match has "),
        ("show {record} --ply -1", "There is no move -1; the match has "),
        ("show {record} --seat 3", 'There is no seat "3": the seats are 1 to 2.'),
        ("show {record} --seat zero", 'There is no seat "zero": the seats are 1 to 2.'),
        ("shot --out x.png", "Name a FILE or a --game to draw."),
        ("shot {record} --game sun --out x.png", "Name a FILE or a --game to draw."),
        ("shot {record} --out x.png --lang fr", '--lang can\'t be "fr": use en or ja.'),
        ("shot {record} --out x.png --theme pink", '--theme can\'t be "pink"'),
        ("shot {record} --out x.png --size 5", '"5" isn\'t a size; write it like 1280x800.'),
        ("shot {record} --out x.png --size 0x5", '"0x5" isn\'t a size; write it like 1280x800.'),
        ("shot {record} --out x.png --seat all", 'There is no seat "all"'),
        ("shot --game sun --ply 999 --out x.png", "There is no move 999; the match has "),
        ("shot --game sun --ply -1 --out x.png", "There is no move -1; the match has "),
    ],
)
def test_a_mistake_is_one_sentence(capsys, record, screens, arguments, sentence):
    code, out, err = said(capsys, *arguments.format(record=record).split())
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert screens == []


def test_an_interruption_is_quiet(capsys, monkeypatch):
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tournaments, "playout", interrupted)
    assert said(capsys, "simulate", "sun") == (130, "", "")
    monkeypatch.setattr(command_line, "open_window", interrupted)
    assert said(capsys, command_line.__file__) == (130, "", "")


# In a process of its own


def process(*arguments: str, encoding: str = "utf-8") -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tabletop", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        # a shell starts tests in the background with Ctrl-C ignored
        preexec_fn=None
        if sys.platform == "win32"
        else lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def test_the_module_runs_and_ends_with_its_number():
    out, err = process("verify", "none").communicate(timeout=HANGS)
    assert (out, err) == (b"", b'There is no file "none".' + END)
    child = process("games")
    out, err = child.communicate(timeout=HANGS)
    assert (child.returncode, err) == (0, b"")
    assert "太陽の子供たち" in out.decode()


def test_a_terminal_without_japanese_shows_what_it_can():
    out, err = process("--version", encoding="ascii").communicate(timeout=HANGS)
    assert (out, err) == (f"Tabletop ? {__version__}".encode() + END, b"")
    told, _ = process("games", encoding="").communicate(timeout=HANGS)
    assert "太陽の子供たち" in told.decode()


@pytest.mark.parametrize("encoding", ["cp1252", "cp932"])
def test_redirected_output_is_utf_8(encoding, monkeypatch):
    """Where the system's own encoding is another one, as on Windows."""
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    pipes = [TextIOWrapper(BytesIO(), encoding=encoding) for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", pipes[0])
    monkeypatch.setattr(sys, "stderr", pipes[1])
    assert main(["games"]) == 0
    assert "太陽の子供たち" in pipes[0].buffer.getvalue().decode()
    assert main(["verify", "ない"]) == 2
    assert pipes[1].buffer.getvalue().decode().strip() == 'There is no file "ない".'


def test_windows_has_another_word_for_a_reader_that_left(monkeypatch, capsys):
    def left(words: list[str]) -> int:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(command_line, "_run", left)
    monkeypatch.setattr(sys, "platform", "linux")
    assert main(["games"]) == 2
    monkeypatch.setattr(sys, "platform", "win32")
    capsys.readouterr()
    assert main(["games"]) == 1
    assert capsys.readouterr().err == ""


def test_a_program_without_a_terminal_runs(screens, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main([]) == 0
    assert screens == [("run", [])]


def test_a_reader_that_leaves_ends_it_quietly(record):
    child = process("show", str(record))
    child.stdout.close()
    assert child.stderr.read() == b""
    assert child.wait(HANGS) != 0


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what a process has begun")
def test_ctrl_c_ends_it_quietly():
    child = process("simulate", "sun", "--games", "1000000")
    try:
        end = time.monotonic() + HANGS
        while not _hears_ctrl_c(child.pid):
            assert time.monotonic() < end
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=HANGS)
    finally:
        child.kill()
    assert (child.returncode, out, err) == (130, b"", b"")


def _hears_ctrl_c(pid: int) -> bool:
    """Whether the modules are loaded, and the command puts in order what Ctrl+C ends."""
    told = Path(f"/proc/{pid}")
    caught = re.search(r"^SigCgt:\t(\w+)$", (told / "status").read_text(), re.MULTILINE)
    heard = caught is not None and int(caught[1], 16) >> (signal.SIGINT - 1) & 1
    return bool(heard) and "msgspec" in (told / "maps").read_text()


def test_a_bot_that_stays_outside_says_why_once(monkeypatch, capsys) -> None:
    async def join(link, name, seats, take_game, tell) -> Reason:
        tell(headless.TABLE_NOT_FOUND)
        return headless.TABLE_NOT_FOUND

    monkeypatch.setattr(headless, "join", join)
    assert main(["join", "K7MPQ2", "--bot"]) == 1
    assert capsys.readouterr().err.count(headless.TABLE_NOT_FOUND.text) == 1
