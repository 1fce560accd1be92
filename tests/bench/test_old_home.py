"""The home of a year is made as it is told."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.home.known_hosts import KnownHosts
from tabletop.storage import saved_matches
from tests.bench import old_home


def test_a_small_year_is_made_and_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(old_home, "MATCHES", 1)
    home = tmp_path / "year"
    old_home.make(home, 12, 5, 3)
    monkeypatch.setenv("TABLETOP_HOME", str(home))
    kept, bad = saved_matches.finished_matches()
    assert (len(kept), bad) == (12, ())
    begun, bad = saved_matches.unfinished_matches()
    assert (len(begun), bad) == (5, ())
    assert len(list(folders.trash().rglob(f"*{folders.SUFFIX}"))) == 3
    assert len(KnownHosts(folders.known_hosts()).rejoinable_tables) == old_home.WAYS_BACK
    given = [each for each in catalogue.list_entries().games if each.received]
    assert len(given) == old_home.RECEIVED


def test_of_received_games_the_box_alone_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_home, "MATCHES", 1)
    home = tmp_path / "year"
    old_home.make(home, 0, 0, 0)
    monkeypatch.setenv("TABLETOP_HOME", str(home))
    monkeypatch.setattr(catalogue, "_load_folder_game", lambda folder: pytest.fail(folder.id))
    given = [kit for kit in catalogue.list_entries().shelf_entries if kit.received is not None]
    assert len(given) == old_home.RECEIVED
    assert not any(isinstance(each, catalogue.GameKit) for each in given)
    assert all(each.digest == each.received.digest for each in given)
