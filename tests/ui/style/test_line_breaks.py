"""Where Japanese text is wrapped."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFontMetricsF, QTextLayout, QTextOption
from pytestqt.qtbot import QtBot

from ui.style.line_breaks import JOINER, by_phrases, pieces
from ui.table.items.lettering import letters
from ui.widgets.surface import PlainLabel, label


def lines(text: str, em: float) -> Iterator[str]:
    """The lines of a text in a room of so many ideographs' width."""
    layout = QTextLayout(text, letters(20))
    wrapping = QTextOption()
    wrapping.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(wrapping)
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(em * QFontMetricsF(letters(20)).horizontalAdvance("卓"))
        yield text[line.textStart() :][: line.textLength()].replace(JOINER, "")
    layout.endLayout()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ひそかに討伐隊を組み、盾に挑む。", ["討伐隊", "挑む"]),
        ("妹12人、学園祭はひとつ。曲がり角のむこうから水ふうせん。", ["曲がり角", "学園祭"]),
        ("10から順につなぎ、欲しい数字で止める。", ["数字", "止める"]),
        ("そばに手札を1枚置いてください。", ["1枚", "置いてください"]),
        ("ひなた\u00a05×1×5、かなめ\u00a03×1×5、つばさ\u00a04×1×5", ["ひなた", "かなめ", "つばさ"]),
    ],
)
def test_no_line_is_broken_within_a_word(qtbot: QtBot, text: str, words: list[str]) -> None:
    for em in range(9, 20):
        broken = list(lines(by_phrases(text), em))
        assert "".join(broken) == text
        assert all(any(word in line for line in broken) for word in words), broken


def test_a_title_too_long_for_a_line_breaks_at_its_dot(qtbot: QtBot) -> None:
    assert list(lines(by_phrases("シスター・ロワイアル"), 8)) == ["シスター・", "ロワイアル"]


def test_english_is_left_alone_and_a_label_keeps_its_text(qtbot: QtBot) -> None:
    assert by_phrases("Planetary Sisters") == "Planetary Sisters"
    shown = label(wrap=True)
    qtbot.addWidget(shown)
    shown.setText("盾に挑む。")
    assert shown.text() == "盾に挑む。"


def test_a_long_paragraph_is_broken_as_in_print(qtbot: QtBot) -> None:
    text = "学園祭を駆けまわる12人の妹のうち1人を受け持ち、リタイアしたら次の妹と交代します。" * 2
    shown = label(wrap=True, text=text)
    qtbot.addWidget(shown)
    shown.resize(2_000, 60)
    shown.show()
    assert JOINER in super(PlainLabel, shown).text(), "two lines: between phrases"
    shown.resize(300, 200)
    qtbot.waitUntil(lambda: JOINER not in super(PlainLabel, shown).text())
    assert shown.text() == text
    shown.resize(2_000, 60)
    qtbot.waitUntil(lambda: JOINER in super(PlainLabel, shown).text())
    shown.setStyleSheet("font-size: 90px;")
    qtbot.waitUntil(lambda: JOINER not in super(PlainLabel, shown).text())


def test_no_line_is_a_single_letter() -> None:
    assert list(pieces("くすぐり羽ぼうき")) == ["くすぐり", "羽ぼうき"]
