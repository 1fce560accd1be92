"""Where a person wants a file: with its ending, and over nothing unasked."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import Open, answering, settle
from ui.widgets import file_dialogs


def naming(monkeypatch: pytest.MonkeyPatch, *names: Path | str) -> list[str]:
    """Answer the file dialogs in turn; gives where each of them begins."""
    begun, answers = [], iter(names)

    def named(_: object, __: str, begin: str, *___: object) -> tuple[str, str]:
        begun.append(begin)
        return str(next(answers)), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", named)
    return begun


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("evening", "evening.tabletop"),
        ("vs. Anna", "vs. Anna.tabletop"),
        ("match.png", "match.png.tabletop"),
        ("evening.tabletop", "evening.tabletop"),
        ("EVENING.TABLETOP", "EVENING.TABLETOP"),
    ],
)
def test_a_file_gets_its_ending(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, written: str
) -> None:
    naming(monkeypatch, tmp_path / typed)
    window = opened()
    words = window.context.words
    chosen = file_dialogs.ask_where_to_save(
        window, words, "", "a.tabletop", file_dialogs.record_filter(words)
    )
    assert chosen == tmp_path / written


def test_a_file_whose_ending_was_left_out_is_asked_about(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evening.tabletop").write_text("another match")
    window = opened()
    words = window.context.words
    asked = answering(monkeypatch, "Cancel")
    begun = naming(monkeypatch, tmp_path / "evening", tmp_path / "morning")
    chosen = file_dialogs.ask_where_to_save(window, words, "", "a.tabletop", "")
    assert asked == ["“evening.tabletop” already exists. Replace it?"]
    assert begun[1] == str(tmp_path / "evening.tabletop")
    assert chosen == tmp_path / "morning.tabletop"
    answering(monkeypatch, "Replace")
    naming(monkeypatch, tmp_path / "evening")
    chosen = file_dialogs.ask_where_to_save(window, words, "", "a.tabletop", "")
    assert chosen == tmp_path / "evening.tabletop"
    naming(monkeypatch, "")
    assert file_dialogs.ask_where_to_save(window, words, "", "a.tabletop", "") is None


def test_a_match_is_not_saved_onto_itself(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    window = opened()
    screen = near_its_end(window)
    file = screen.seated.record.file
    assert file is not None
    before = file.read_bytes()
    naming(monkeypatch, file)
    window.run_command("save")
    settle()
    assert window.banner.text.endswith("it's saved there after every move.")
    assert file.read_bytes() == before
