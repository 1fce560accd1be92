"""The command line under odd words, odd outputs and Ctrl-C: a sentence or nothing, no traceback."""

import os
import signal
import subprocess
import sys

import pytest

from tabletop.commands.command_line import main

LONG = "x" * 300
WINDOWS = sys.platform == "win32"
TOO_LONG = (
    ("There is no file", "Can't write")
    if WINDOWS
    else (": File name too long.", ": File name too long.")
)
posix = pytest.mark.skipif(WINDOWS, reason="these are ways of Unix")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([LONG], "No such command"),
        ([f"{LONG}.tabletop"], "There is no file"),
        (["verify", LONG], TOO_LONG[0]),
        (["record", "sun", "--out", LONG], TOO_LONG[1]),
        (["serve", "--bind", "../.."], "Can't listen there"),
        (["serve", "--bind", LONG], "Can't listen there"),
        (["serve", "--bind", "a\udcff"], "Can't listen there"),
        (["arena", "sun", "--games", "999999999999"], "Invalid value for '--games'"),
        (["arena", "sun", "--seconds", "inf"], "Invalid value for '--seconds'"),
        (["review", "none", "--seconds", "inf"], "Invalid value for '--seconds'"),
        (["review", "none", "--seconds", "0,5"], "from 0.01 to 3600; decimals have a point: 0.5."),
        (["shot", "none", "--scale", "0.4"], '"0.4" isn\'t a number from 0.5 to 4.'),
        (["verify", "a\nb\x1b[31m"], 'There is no file "a b[31m".'),
        (["verify", "a\0b"], "embedded null"),
        (["a\0b"], "No such command"),
    ],
)
def test_odd_words_bring_one_sentence(capsys, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    told = [line for line in err.splitlines() if "Z INFO " not in line]
    assert len(told) == 1


def test_an_odd_address_is_refused(capsys):
    assert main(["join", "../..", "--bot"]) == 2
    assert capsys.readouterr() == ("", '"../.." isn\'t an address or an invitation.\n')


@pytest.mark.parametrize("words", ["server", "home", "help", "server serve"])
def test_who_names_no_command_is_told_where_they_are(words: str, capsys) -> None:
    assert main(words.split()) == 2
    group = "" if words == "help" else f" {words.split()[0]}"
    assert f"{group} --help` lists them." in capsys.readouterr().err


def run(words: str, redirected: str = "", **environment: str) -> tuple[int, bytes, bytes]:
    """The result of a command line whose outputs are redirected."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m tabletop {words} {redirected}', sys.executable],
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


@posix
@pytest.mark.parametrize("words", ["games", "simulate --help", "simulate sun --games 2"])
def test_a_full_output_is_one_sentence(words):
    assert run(words, ">/dev/full") == (2, b"", b"The system refuses: No space left on device.\n")


@posix
def test_closed_outputs_and_a_full_one_for_complaints_are_quiet():
    assert run("games", ">&-") == (0, b"", b"")
    assert run("foo", "2>&-") == (2, b"", b"")
    assert run("foo", "2>/dev/full") == (2, b"", b"")


@posix
def test_no_file_gets_the_number_of_a_closed_output(tmp_path):
    file = tmp_path / "x.tabletop"
    code, _, err = run(f"record sun --out {file}", "<&- >&-")
    assert (code, err) == (0, b"")
    assert main(["verify", str(file)]) == 0


@posix
@pytest.mark.parametrize("words", ["games", "--version", "--help"])
def test_without_a_language_the_bytes_are_the_same(words):
    usual = run(words, LC_ALL="C.UTF-8", TERM="dumb")
    assert usual[0] == 0
    assert run(words, LC_ALL="C", TERM="dumb") == usual
    # as in a packed program, whose Python does not turn to UTF-8 by itself
    bare = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TERM": "dumb"}
    assert run(words, **bare) == usual


def test_a_fault_of_the_program_is_one_sentence_too(capsys, monkeypatch):
    def fault() -> None:
        raise ZeroDivisionError("nothing\nis left")

    monkeypatch.setattr("tabletop.commands.command_line.open_window", lambda files, public: fault())
    assert main([]) == 2
    assert capsys.readouterr().err == ("This can't be done: ZeroDivisionError: nothing\\nis left\n")


INTERRUPTED = """
import os, runpy, signal, sys
moment = sys.argv.pop(1)

def hear(event, arguments):  # the whole group hears it, as from a terminal
    if event == "import" and arguments[0] == moment:
        os.killpg(0, signal.SIGINT)

sys.addaudithook(hear)
runpy.run_module("tabletop", run_name="__main__", alter_sys=True)
"""


@posix
@pytest.mark.parametrize(
    "moment",
    ["tabletop.commands.command_line", "typer", "tabletop.games.royale.deck", "rich.progress"],
)
def test_ctrl_c_is_quiet_whatever_is_being_loaded(moment: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, moment, "arena", "royale", "--games", "50"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = child.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        raise
    assert (out, err) == (b"", b"")
    assert child.returncode in (130, -signal.SIGINT)
