"""A home is exported to one file, and merged into another home without a loss on either side."""

import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import game_folders
from tabletop.commands.command_line import main
from tabletop.engine.model import Result
from tabletop.files import folders
from tabletop.files.errors import BadFile
from tabletop.games import received_games
from tabletop.games.folder_content import read_game_files
from tabletop.home.home_file import export_home
from tabletop.home.known_hosts import KnownHosts
from tabletop.home.merge import MergeResult, merge_home
from tabletop.match.match import Player
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.invitation import Address
from tabletop.storage import playtest_notes, saved_matches, settings
from tabletop.storage.match_import import ImportOutcome
from tabletop.storage.statistics import open_statistics
from tests.home.kept_things import (
    added_game,
    begun,
    left,
    moves_at,
    played_on,
    played_table,
    received_game,
)
from tests.net.loopback import Friend, hosting, play_on, play_out
from tests.private_files import is_private
from tests.storage.played_matches import play

HERE = Address(("192.0.2.1",), fingerprint="ab" * 32)
Computer = Callable[[str], None]


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    """Sit down at the computer of this name."""

    def sit(name: str) -> None:
        monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / name))

    sit("old")
    return sit


def moves_of(path: Path) -> int:
    match = saved_matches.resume(path)
    match.journal.close()
    return len(match.record)


def moved(at: Computer, tmp_path: Path, to: str = "new") -> MergeResult:
    """Export this computer's home, and import it at another one."""
    file = tmp_path / "home.tar.gz"
    assert export_home(file).remarks == []
    at(to)
    return merge_home(file)


def counted(key: str, name: str) -> None:
    with open_statistics() as kept:
        kept.add_match(key, "sun", (Player(name), Player("Bea")), Result((0,), (5, 3)))


def test_all_of_it_is_at_the_new_computer(at: Computer, tmp_path: Path) -> None:
    path = begun("one", 9)
    playtest_notes.add(playtest_notes.notes_path(path), playtest_notes.make_note("slow", 3, 0))
    saved_matches.picture_path(path).write_bytes(b"a picture")
    over = saved_matches.move_to_replays(begun("two", 10_000))
    gone = saved_matches.move_to_trash(begun("three", 4))
    counted("two", "Ann")
    settings.save(replace(settings.Settings(), players=("Ann", "Bea"), theme="dark", geometry=b"g"))
    hosts = KnownHosts(folders.known_hosts())
    hosts.trust("club", "cd" * 32)
    hosts.add_rejoinable(HERE, Ticket("t" * 32, seats={1: "token"}), "Friday", "sun")
    received, added = received_game(), added_game()
    note = dict(received_games.find_received_games(folders.received()))[received]
    merged = moved(at, tmp_path)
    assert (merged.matches[ImportOutcome.NEW], merged.games, merged.remarks) == (3, 2, [])
    assert moves_of(folders.matches() / path.name) == 9
    notes = playtest_notes.notes(playtest_notes.notes_path(folders.matches() / path.name))
    assert [note.text for note in notes] == ["slow"]
    assert saved_matches.picture_path(folders.matches() / path.name).read_bytes() == b"a picture"
    assert [kept.path.name for kept in saved_matches.finished_matches()[0]] == [over.name]
    assert (folders.trash() / gone.parent.name / gone.name).is_file()
    with open_statistics() as kept:
        assert [each.score for each in kept.matches("Ann", "sun")] == [5]
        assert kept.list_people() == ("Ann", "Bea")
    now, _ = settings.load()
    assert (now.players, now.theme, now.geometry) == (("Ann", "Bea"), "dark", b"")
    hosts = KnownHosts(folders.known_hosts())
    assert hosts.fingerprint_of("club") == "cd" * 32
    assert [back.ticket.seats for back in hosts.rejoinable_tables] == [{1: "token"}]
    there = folders.received() / received.name
    assert dict(received_games.find_received_games(folders.received()))[there] == note
    assert (note.digest, note.giver) == (
        received_games.compute_digest(read_game_files(there)),
        "Mio",
    )
    assert read_game_files(folders.games() / "pond") == read_game_files(added)


def test_neither_side_is_lost(at: Computer, tmp_path: Path) -> None:
    theirs = begun("one", 9)
    counted("one", "Ann")
    hosts = KnownHosts(folders.known_hosts())
    hosts.trust("club", "cd" * 32)
    hosts.add_rejoinable(HERE, Ticket("t" * 32, seats={1: "token"}), "Friday", "sun")
    settings.save(replace(settings.Settings(), players=("Ann", "Bea"), theme="dark"))
    at("new")
    ours = begun("two", 7)
    counted("two", "Ann")
    hosts = KnownHosts(folders.known_hosts())
    hosts.trust("club", "ef" * 32)
    hosts.add_rejoinable(HERE, Ticket("t" * 32, seats={0: "mine"}), "Friday", "sun")
    hosts.add_rejoinable(HERE, Ticket("u" * 32, seats={0: "mine"}), "Sunday", "sun")
    settings.save(replace(settings.Settings(), theme="contrast"))
    at("old")
    for again in (False, True):
        merged = moved(at, tmp_path)
        assert merged.matches == {ImportOutcome.KNOWN if again else ImportOutcome.NEW: 1}
        assert merged.counted == (not again)
        at("old")
    at("new")
    assert moves_of(ours) == 7
    assert moves_of(folders.matches() / theirs.name) == 9  # sealed by the other computer's key
    with open_statistics() as kept:
        assert len(kept.matches("Ann")) == 2
        assert [seat.played for seat in kept.seat_statistics("Bea", "sun")] == [2]
    hosts = KnownHosts(folders.known_hosts())
    assert hosts.fingerprint_of("club") == "ef" * 32
    seats = {back.ticket.table: back.ticket.seats for back in hosts.rejoinable_tables}
    assert seats == {"t" * 32: {0: "mine", 1: "token"}, "u" * 32: {0: "mine"}}
    now, _ = settings.load()
    assert (now.players, now.theme) == (("Ann", "Bea"), "contrast")


def test_a_match_goes_on_where_it_went_furthest(at: Computer, tmp_path: Path) -> None:
    path = begun("one", 9)
    at("new")
    begun("another, so that this computer has a key of its own", 2)
    at("old")
    moved(at, tmp_path)
    here = folders.matches() / path.name
    at("old")
    played_on(path, 3)
    assert moved(at, tmp_path).matches == {ImportOutcome.EXTENDED: 1}
    assert moves_of(here) == 12
    played_on(here, 2)
    at("old")
    assert moved(at, tmp_path).matches == {ImportOutcome.KNOWN: 1}
    assert moves_of(here) == 14


def test_a_match_that_went_on_at_both_is_kept_twice(at: Computer, tmp_path: Path) -> None:
    path = begun("one", 9)
    moved(at, tmp_path)
    here = folders.matches() / path.name
    match = saved_matches.resume(here)
    match.undo(None)
    play(match, 3)
    left(match)
    at("old")
    played_on(path, 3)
    for again in (False, True):
        assert moved(at, tmp_path).matches == {
            ImportOutcome.KNOWN if again else ImportOutcome.DIVERGED: 1
        }
        found, bad = saved_matches.unfinished_matches()
        assert (len(found), bad) == (2, ())
        at("old")


def test_a_match_that_ended_there_is_finished_here(at: Computer, tmp_path: Path) -> None:
    path = begun("one", 9)
    moved(at, tmp_path)
    at("old")
    played_on(path, 10_000)
    saved_matches.move_to_replays(path)
    assert moved(at, tmp_path).matches == {ImportOutcome.EXTENDED: 1}
    assert saved_matches.unfinished_matches()[0] == ()
    assert [kept.path.name for kept in saved_matches.finished_matches()[0]] == [path.name]
    begun_there = folders.matches() / path.name
    at("old")
    begun_there.parent.mkdir(exist_ok=True)
    assert moved(at, tmp_path).matches == {ImportOutcome.KNOWN: 1}


def test_a_match_in_an_open_window_is_left(at: Computer, tmp_path: Path) -> None:
    path = begun("one", 9)
    moved(at, tmp_path)
    here = folders.matches() / path.name
    at("old")
    played_on(path, 3)
    export_home(tmp_path / "home.tar.gz")
    at("new")
    match = saved_matches.resume(here)
    merged = merge_home(tmp_path / "home.tar.gz")
    match.journal.close()
    assert merged.remarks == [f'"{path.name}" is open in another window.']
    assert moves_of(here) == 9


async def back_at_the_table(
    tickets: list[Ticket], print_: str, moves: int = 0, luck: str = ""
) -> None:
    """Play so many moves more, or to the end."""
    async with hosting(folders.hosted()) as host:
        assert host.certificate.fingerprint == print_
        back = [Friend(host.port, print_, ticket=ticket) for ticket in tickets]
        for friend in back:
            await friend.inside()
            await friend.until(lambda friend=friend: friend.guest.own_seats)
        if not moves:
            await play_out(back)
            return
        for friend in back:
            friend._bot = RandomBot(luck)
        wanted = moves_at(host) + moves
        play_on(back)
        await back[0].until(lambda: moves_at(host) > wanted)


async def test_a_hosted_table_goes_on_at_the_new_computer(at: Computer, tmp_path: Path) -> None:
    tickets, print_ = await played_table()
    merged = moved(at, tmp_path)
    assert (merged.tables, merged.remarks) == (1, [])
    at("old")
    await back_at_the_table(tickets, print_, 3)
    for again in (False, True):
        merged = moved(at, tmp_path)
        assert (merged.tables, merged.remarks) == (0 if again else 1, [])
        at("old")
    at("new")
    await back_at_the_table(tickets, print_)


async def test_a_table_that_went_on_at_both_stays(at: Computer, tmp_path: Path) -> None:
    tickets, print_ = await played_table()
    moved(at, tmp_path)
    await back_at_the_table(tickets, print_, 9, "here")
    kept = {path.name: path.read_bytes() for path in folders.hosted().iterdir()}
    at("old")
    await back_at_the_table(tickets, print_, 9, "there")
    merged = moved(at, tmp_path)
    assert merged.tables == 0
    assert ["went on at both" in remark for remark in merged.remarks] == [True]
    assert {path.name: path.read_bytes() for path in folders.hosted().iterdir()} == kept


def test_another_version_of_a_game_is_kept_beside(at: Computer, tmp_path: Path) -> None:
    added_game()
    at("new")
    ours = read_game_files(added_game("# mine\n"))
    at("old")
    for again in (False, True):
        merged = moved(at, tmp_path)
        assert (merged.games, len(merged.remarks)) == ((0, 0) if again else (1, 1))
        assert read_game_files(folders.games() / "pond") == ours
        assert len(list(folders.games().iterdir())) == 2
        games = folders.games().resolve()
        here = {
            each.id for each in game_folders.folders_by_id().values() if each.path.parent == games
        }
        assert len(here) == 2
        assert game_folders.hidden_folders() == ()
        at("old")


@pytest.mark.parametrize("cut", [0.2, 0.9])
def test_half_a_file_changes_nothing(cut: float, at: Computer, tmp_path: Path) -> None:
    begun("one", 9)
    file = tmp_path / "home.tar.gz"
    export_home(file)
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * cut)])
    at("new")
    with pytest.raises(BadFile, match="no whole file"):
        merge_home(file)
    assert not any(folders.data().iterdir())


@pytest.mark.parametrize(
    "name", ["../evil", "agreed.json", "cache/a", "matches/a.exe", "server/a.table", "games/evil"]
)
def test_files_that_no_home_exports_are_refused(name: str, at: Computer, tmp_path: Path) -> None:
    file = tmp_path / "home.tar.gz"
    with tarfile.open(file, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(BadFile, match="not made by"):
        merge_home(file)
    assert not any(folders.data().iterdir())


def test_the_command_line_warns_of_the_keys(
    at: Computer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun("one", 9)
    file = tmp_path / "new" / "folder" / "mine.tar.gz"
    assert main(["home", "export", str(file)]) == 0
    assert "holds keys" in capsys.readouterr().out
    assert is_private(file)
    assert main(["home", "export", str(file)]) == 2  # there is one already
    assert "--force" in capsys.readouterr().err
    at("new")
    assert main(["home", "import", str(file)]) == 0
    assert "matches: 1 new" in capsys.readouterr().out
    assert main(["home", "import", str(tmp_path / "nothing")]) == 2
    assert capsys.readouterr().err == 'There is no file "nothing".\n'
    assert os.listdir(tmp_path / "new") != []
