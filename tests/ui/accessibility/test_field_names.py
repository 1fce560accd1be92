"""Fields as a screen reader calls them, where `test_screens.py` does not come to."""

from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.studio.workshop import new_game as beginning
from tests.ui.accessibility.screens import silent, unnamed_fields
from tests.ui.window_driver import Open
from ui.match.note_sheet import NoteSheet
from ui.studio.workshop.trial_session import Trial


def test_every_field_of_new_games_and_the_workshop_has_a_name(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    window, lacking, seen = opened(), {}, set[str]()
    for kit in catalogue.shelf():
        window.show_new_game(catalogue.load(kit.id))
        lacking[f"a new game of {kit.id}"] = [*unnamed_fields(seen), *silent(window)]
    window.run_command("workshop")
    lacking["the workshop"] = [*unnamed_fields(seen), *silent(window)]
    sheet = NoteSheet(window.context, window, "a place")
    lacking["a note"] = unnamed_fields(seen)
    sheet.close()
    folder = tmp_path / "pond"
    beginning.create_game("Pond Night", folder, "cards")
    agreements.add_own_folder(folder)
    game_folders.add(folder)
    window.workshop.open(folder, Trial(2, "1"))
    lacking["a game in the making"] = [*unnamed_fields(seen), *silent(window)]
    assert {name: each for name, each in lacking.items() if each} == {}
    assert seen >= {"ChoiceBox", "TextField", "SeatCountSlider", "NoteField", "SpinBox"}
