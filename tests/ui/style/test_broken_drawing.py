"""An error in a drawing is reported with its file and line."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tabletop.commands import command_line
from tabletop.games.typed_toml import BrokenFile
from ui.style.art import Art


@pytest.mark.parametrize(
    ("face", "sentence"),
    [
        ("<svg>\n{{ card.weigth }}</svg>", 'line 2: "weigth" is not known; did you mean "weight"?'),
        ("<svg>\n\n{{ crad.x }}</svg>", 'line 3: "crad" is not known; did you mean "card"?'),
        ("<svg>\n{% if %}", "line 2: Expected an expression"),
        ("<svg>\n{{ 1 / 0 }}</svg>", "line 2: division by zero"),
        ("a card", "what it gives is no SVG: a card"),
    ],
)
def test_a_face_that_cannot_be_drawn_is_told_in_a_sentence(
    face: str,
    sentence: str,
    tmp_path: Path,
    qapp: QApplication,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "pond").mkdir()
    (tmp_path / "pond" / "face.svg").write_text(face)

    def draw(_: object) -> int:
        Art(root=tmp_path).card_face("pond", {"weight": 3}, 100, 1)
        return 0

    with pytest.raises(BrokenFile):
        draw(None)
    monkeypatch.setattr(command_line, "_run", draw)
    assert command_line.main([]) != 0
    output = capsys.readouterr().err
    assert output.startswith("pond/face.svg")
    assert sentence in output
    assert output.count("\n") == 1
