"""A pipe, a device, a folder, noise or far too much in the place of every file that is read.

The program comes up with one sentence each time; with none where nothing is lost by it.
"""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue
from tabletop.commands.command_line import main
from tabletop.engine.model import Reason
from tabletop.files import folders, small_file
from tabletop.files.errors import BadFile, StorageError
from tabletop.games.folder_content import read_game_files
from tabletop.games.received_games import find_received_games as received
from tabletop.games.typed_toml import BrokenFile
from tabletop.home.known_hosts import KnownHosts
from tabletop.match.match import Player
from tabletop.net.certificate import load_certificate
from tabletop.net.host.finished_file import read_finished
from tabletop.server.bans import Bans
from tabletop.storage import playtest_notes, saved_matches, settings
from tabletop.storage.record import record_of, save
from tabletop.storage.seal import Seal
from tabletop.storage.settings import Settings
from tabletop.storage.statistics import open_statistics
from tests.net.loopback import hosting, run
from tests.storage.odd_disks import forbid
from tests.storage.odd_files import HUGE, ODD, huge
from tests.storage.played_matches import begun

LONGEST = 300
"""Signs of a sentence."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no pipes with names")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


# Readers


def _settings() -> None:
    _, notice = settings.load()
    if notice is not None:
        small_file.notify_user(notice)


def _statistics() -> None:
    with open_statistics() as kept:
        kept.to_csv()


def _notes(path: Path) -> None:
    playtest_notes.notes(path)


def _hosted(folder: Path) -> None:
    async def comes_up() -> None:
        async with hosting(folder):
            pass

    run(comes_up)


def _listed(look: Callable[[], tuple[object, tuple[BadFile, ...]]]) -> None:
    for bad in look()[1]:
        small_file.notify_user(bad.reason)


def _game(folder: Path) -> None:
    try:
        read_game_files(folder)
    except OSError as error:  # as the reader of a game's folder says it
        raise BrokenFile(error.strerror) from error


def _command(*words: object) -> None:
    main([str(word) for word in words])


KINDS: dict[str, tuple[Callable[[Path], Path], Callable[[Path], object]]] = {
    "settings": (lambda home: home / "settings.json", lambda _: _settings()),
    "lock of the settings": (
        lambda home: home / ".settings.json.lock",
        lambda _: settings.save(Settings()),
    ),
    "keyring": (lambda home: home / "keyring.json", KnownHosts),
    "seal": (lambda home: home / "seal.key", lambda _: Seal().locked_key()),
    "agreements": (lambda home: home / "agreed.json", lambda _: agreements.list_own_folders()),
    "statistics": (lambda home: home / "statistics.sqlite", lambda _: _statistics()),
    "journal of the statistics": (
        lambda home: home / "statistics.sqlite-journal",
        lambda _: _statistics(),
    ),
    "certificate": (lambda home: home / "host.pem", lambda path: load_certificate(path.parent)),
    "bans": (lambda home: home / "bans.json", lambda path: Bans(path.parent)),
    "table": (lambda home: home / "hosted" / "0123.table", lambda path: _hosted(path.parent)),
    "finished": (lambda home: home / "x.finished", lambda path: _finished(path)),
    "notes": (lambda home: home / "matches" / "m.tabletop.notes.json", _notes),
    "match": (
        lambda home: home / "matches" / "m.tabletop",
        lambda _: _listed(saved_matches.unfinished_matches),
    ),
    "replay": (
        lambda home: home / "replays" / "m.tabletop",
        lambda _: _listed(saved_matches.finished_matches),
    ),
    "match played on": (lambda home: home / "matches" / "m.tabletop", saved_matches.resume),
    "record verified": (lambda home: home / "m.tabletop", partial(_command, "verify")),
    "server's settings": (lambda home: home / "s.toml", partial(_command, "serve", "--config")),
    "backup": (
        lambda home: home / "backup.gz",
        lambda path: _command("server", "restore", path, "--data", path.with_name("restored")),
    ),
    "game's file": (lambda home: home / "games" / "pond" / "cards.toml", lambda p: _game(p.parent)),
    "received game's note": (
        lambda home: home / "received" / "pond-0123456789" / "received.json",
        lambda path: list(received(path.parent.parent)),
    ),
    "index": (
        lambda home: home / "cache" / "records.sqlite",
        lambda _: _listed(saved_matches.unfinished_matches),
    ),
    "journal of the index": (
        lambda home: home / "cache" / "records.sqlite-journal",
        lambda _: _listed(saved_matches.unfinished_matches),
    ),
}


def _finished(path: Path) -> None:
    try:
        read_finished(path)
    except OSError as error:
        raise StorageError("{why}", why=error.strerror or "") from error
    except ValueError as error:
        raise StorageError("It is no such file.") from error


SILENT = {
    # Files that can be made again at any time, and those left out of a list.
    *((kind, odd) for kind in ("index", "journal of the index") for odd in ODD),
    *(("received game's note", odd) for odd in ODD),
    # A missing file is made again, and SQLite takes an empty file for a new one.
    *((kind, "nothing behind it") for kind in ("settings", "lock of the settings", "keyring")),
    *((kind, "nothing behind it") for kind in ("seal", "certificate", "bans")),
    *((kind, "nothing behind it") for kind in ("agreements", "statistics", "notes", "match")),
    ("statistics", "empty"),
    *(("journal of the statistics", odd) for odd in ("empty", "zeros", "noise", "huge")),
    *(("lock of the settings", odd) for odd in ("empty", "zeros", "noise", "huge")),
    # A game's own check looks into its files.
    *(("game's file", odd) for odd in ("empty", "zeros", "noise")),
    *(("game's file", odd) for odd in ("folder", "full folder")),
}
"""Where nothing is lost or nothing can be known, nothing is said."""
WELL = {("server's settings", "empty")}
"""Where nothing is odd about it."""


CASES = [(kind, odd) for kind in KINDS for odd in ODD if (kind, odd) not in WELL]


@pytest.mark.parametrize(("kind", "odd"), CASES)
def test_one_sentence_and_the_program_comes_up(
    kind: str,
    odd: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place, use = KINDS[kind]
    path = place(home)
    path.parent.mkdir(parents=True, exist_ok=True)
    if "index" in kind:
        match, record = begun("sun", 3), folders.matches() / "good.tabletop"
        record.parent.mkdir()
        save(record_of(match, record), record)
    ODD[odd](path)
    if odd == "unreadable":
        forbid(path, monkeypatch)
    told: list[Reason] = []
    small_file.set_notice_handler(told.append)
    caplog.set_level(logging.ERROR)
    try:
        sentences = []
        try:
            use(path)
        except (BadFile, StorageError, BrokenFile) as error:
            sentences.append(str(error))
    finally:
        small_file.set_notice_handler(lambda _: None)
    sentences += [reason.text.format(**reason.args) for reason in told]
    sentences += [record.message for record in caplog.records if record.levelno >= logging.ERROR]
    sentences += capsys.readouterr().err.splitlines()
    if (kind, odd) in SILENT:
        assert sentences == []
        return
    assert len(sentences) == 1, sentences
    (sentence,) = sentences
    assert len(sentence) < LONGEST
    assert sentence.isprintable()
    assert "Error" not in sentence
    assert "Traceback" not in sentence


def test_a_pipe_in_its_place_is_not_written_over(home: Path) -> None:
    os.mkfifo(folders.settings())
    with pytest.raises(StorageError, match="it's not a regular file"):
        settings.save(Settings())
    assert folders.settings().is_fifo()


def test_settings_that_are_far_too_large_are_set_aside_whole(home: Path) -> None:
    huge(folders.settings())
    settings.save(Settings(volume=5))
    assert settings.load()[0].volume == 5
    (aside,) = home.glob("settings.json.broken-*")
    assert aside.stat().st_size == HUGE


def test_a_file_that_grows_while_it_is_read_ends(home: Path) -> None:
    from tabletop.files.regular_file import TooLarge, read_regular

    path = home / "growing"
    path.write_bytes(b"x" * 100)
    assert read_regular(path, 100) == read_regular(path, 2**60) == b"x" * 100
    with pytest.raises(TooLarge):
        read_regular(path, 99)


def test_new_matches_need_a_key_that_is_a_file(home: Path) -> None:
    os.mkfifo(folders.key())
    players = (Player("Ann"), Player("Bob", kind="bot"))
    with pytest.raises(StorageError, match=r'Can.t read "seal[.]key"'):
        saved_matches.begin(catalogue.load("sun"), players)
    with suppress(FileNotFoundError):
        assert list(folders.matches().iterdir()) == []
