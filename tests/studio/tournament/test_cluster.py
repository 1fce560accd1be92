"""A tournament on a Dask cluster: the same table, even if workers fail."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.commands.command_line import main
from tabletop.studio.commands import tournaments
from tabletop.studio.tournament import cluster
from tabletop.studio.tournament.arena import plan_matches, play_match
from tabletop.studio.tournament.cluster import ClusterError, ClusterExecutor
from tabletop.studio.tournament.executors import play_tournament
from tests.game_folders import change, laid

SUN = catalogue.load("sun")
ARENA = ["arena", "sun", "--bots", "normal,easy", "--games", "6", "--seed", "dask"]


@pytest.fixture(scope="module")
def threads() -> Iterator[str]:
    """The address of a scheduler whose two workers live in this process."""
    with LocalCluster(
        n_workers=2, threads_per_worker=2, processes=False, dashboard_address=":0"
    ) as local:
        yield local.scheduler_address


def test_the_same_seeds_give_the_same_table(
    threads: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ARENA, "--cluster", threads, "--balance"]) == 0
    there = capsys.readouterr().out
    assert main([*ARENA, "--balance"]) == 0
    assert there == capsys.readouterr().out
    assert "6 games of sun" in there


def test_a_worker_that_is_killed_costs_nothing_but_time() -> None:
    planned = plan_matches("sun", catalogue.options(SUN), ["normal", "easy"], 2, 12, "killed")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local:
        with Client(local) as client:
            pids = client.run(os.getpid)
        games = play_tournament(planned, executor=ClusterExecutor(local.scheduler_address, SUN))
        played = dict([next(games)])
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        played |= dict(games)
    assert [played[number] for number in range(len(planned))] == [
        play_match(each) for each in planned
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of one's own."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    game = laid(tmp_path / "pond")
    agreements.add_own_folder(game)
    return game


def test_a_folder_is_played_where_it_is_the_same(
    threads: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["arena", str(folder), "--bots", "easy", "--games", "2", "--cluster", threads]
    assert main(words) == 0
    assert "2 games of pond" in capsys.readouterr().out
    change(folder / "cards.toml", "weight = 1", "weight = 2")
    catalogue.reread("pond")
    assert main(words) == 0  # the workers read it again
    real = cluster.digest
    monkeypatch.setattr(ClusterExecutor, "__init__", _with_digest("0" * 64))
    assert main(words) == 2
    told = capsys.readouterr().err
    assert f'has another "pond" (digest {real(catalogue.load("pond"))[:12]}' in told
    assert told.count("\n") == 1


def _with_digest(wanted: str):
    made = ClusterExecutor.__init__

    def init(self: ClusterExecutor, address: str, kit: catalogue.GameKit) -> None:
        made(self, address, kit)
        self._digest = wanted

    return init


@pytest.mark.parametrize(
    ("game", "version", "sentence"),
    [
        ("sun", "0.0", "has Tabletop"),
        ("nothing", cluster.__version__, 'has no game "nothing"'),
    ],
)
def test_a_worker_that_has_something_else_says_so(
    game: str, version: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_own_address", lambda: "tcp://there")
    (pairing,) = plan_matches(game, {}, ["easy"], 2, 1, "s")
    with pytest.raises(ClusterError, match=f"The worker tcp://there {sentence}"):
        cluster.play_on_worker(pairing, version, "")


def test_trouble_and_ctrl_c_leave_what_was_played(
    threads: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (KeyboardInterrupt(), ClusterError("It is gone.")):

        def stopped(planned, jobs, executor, error=error):
            games = play_tournament(planned, jobs, executor)
            yield next(games)
            yield next(games)
            games.close()
            raise error

        monkeypatch.setattr(tournaments, "play_tournament", stopped)
        assert main([*ARENA, "--cluster", threads]) == 0
        assert "2 of 6 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--cluster", "tcp://127.0.0.1:9"], "No Dask scheduler answers"),
        (["--cluster", "nonsense://x"], "No Dask scheduler answers"),
        (["--cluster", "tcp://127.0.0.1:9", "--jobs", "2"], "--jobs can't be used with --cluster"),
    ],
)
def test_what_is_no_cluster_is_said_in_a_sentence(
    words: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT_S", 0.2)
    assert main([*ARENA, *words]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1
