"""Tables on a terminal."""

import pytest

from tabletop.text.terminal import Grid


@pytest.mark.parametrize("columns", [12, 24, 40, 80])
def test_no_cell_is_cut_on_a_narrow_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    grid = Grid("game", "title", "minutes")
    grid.disable_wrapping(0)
    grid.add("sisters", "Planetary Sisters", 30)
    grid.add("sun", "", 20)
    grid.show()
    told = capsys.readouterr().out
    assert "\u2026" not in told
    for word in ("game", "sisters", "Planetary", "Sisters", "30", "sun", "20"):
        assert word in told
    assert all(len(line.rstrip()) <= columns for line in told.splitlines())
