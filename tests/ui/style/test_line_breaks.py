"""Where Japanese text is wrapped."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFontMetricsF, QTextLayout, QTextOption
from pytestqt.qtbot import QtBot

from ui.style.line_breaks import (
    WORD_JOINER,
    ZERO_WIDTH_SPACE,
    bind_phrases,
    bind_words,
    split_breakable,
    wrap_for_column,
)
from ui.table.items.lettering import table_font
from ui.widgets.styled_widgets import PlainLabel, label


def lines(text: str, em: float) -> Iterator[str]:
    """The lines of a text in a room of so many ideographs' width."""
    layout = QTextLayout(text, table_font(20))
    wrapping = QTextOption()
    wrapping.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(wrapping)
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(em * QFontMetricsF(table_font(20)).horizontalAdvance("卓"))
        yield (
            text[line.textStart() :][: line.textLength()]
            .replace(WORD_JOINER, "")
            .replace(ZERO_WIDTH_SPACE, "")
        )
    layout.endLayout()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ひそかに討伐隊を組み、盾に挑む。", ["討伐隊", "挑む"]),
        ("妹12人、学園祭はひとつ。曲がり角のむこうから水ふうせん。", ["曲がり角", "学園祭"]),
        ("10から順につなぎ、欲しい数字で止める。", ["数字", "止める"]),
        ("そばに手札を1枚置いてください。", ["1枚", "置いてください"]),
        ("空いているマスならどこでもかまいません。", ["どこでも", "かまいません"]),
        ("置けるようになるかもしれません。", ["置ける", "ように"]),
        ("近くにいればたずねられます。", ["たずねられます"]),
        ("もう何も書かれていないのと同じです。", ["書かれて", "いないのと"]),
        ("アイテムを「デスポイント＋1」枚もらいます。", ["」枚"]),
        ("むぎは何もしませんでした。", ["しませんでした"]),
        ("何も見つけられませんでした。", ["何も", "ませんでした"]),
        ("むぎは移動しませんでした。", ["移動し", "ませんでした。"]),
        ("その人は追いかけることができます。", ["追いかける", "できます"]),
        ("ひなた\u00a05×1×5、かなめ\u00a03×1×5、つばさ\u00a04×1×5", ["ひなた", "かなめ", "つばさ"]),
    ],
)
def test_no_line_is_broken_within_a_word(qtbot: QtBot, text: str, words: list[str]) -> None:
    for em in range(9, 20):
        broken = list(lines(bind_phrases(text), em))
        assert "".join(broken) == text
        assert all(any(word in line for line in broken) for word in words), broken


def test_a_title_too_long_for_a_line_breaks_at_its_dot(qtbot: QtBot) -> None:
    assert list(lines(bind_phrases("シスター・ロワイアル"), 8)) == ["シスター・", "ロワイアル"]


def test_english_is_left_alone_and_a_label_keeps_its_text(qtbot: QtBot) -> None:
    assert bind_phrases("Planetary Sisters") == "Planetary Sisters"
    shown = label(wrap=True)
    qtbot.addWidget(shown)
    shown.setText("盾に挑む。")
    assert shown.text() == "盾に挑む。"


def test_a_long_paragraph_is_broken_between_words(qtbot: QtBot) -> None:
    text = "学園祭を駆けまわる12人の妹のうち1人を受け持ち、リタイアしたら次の妹と交代します。" * 2
    shown = label(wrap=True, text=text)
    qtbot.addWidget(shown)
    shown.resize(2_000, 60)
    shown.show()

    def is_shown(wanted: str) -> bool:
        return super(PlainLabel, shown).text() == wanted

    assert is_shown(bind_phrases(text)), "two lines: between phrases"
    needed = shown.heightForWidth(300)
    shown.resize(300, 200)
    qtbot.waitUntil(lambda: is_shown(bind_words(text)))
    assert shown.text() == text
    assert shown.heightForWidth(300) == needed, "known beforehand"
    shown.resize(2_000, 60)
    qtbot.waitUntil(lambda: is_shown(bind_phrases(text)))
    shown.setStyleSheet("font-size: 90px;")
    qtbot.waitUntil(lambda: is_shown(bind_words(text)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("「学園祭マップ」があれば振り直せます。", ["振り直せます"]),
        ("魔法では、幽霊の盾を解析でき、最後に得点します。", ["解析でき", "最後に"]),
        ("ほかの手では、勝率が約40ポイント下がっていました。", ["約40ポイント", "勝率が"]),
        ("ただし、「曲がり角ミラー」ではアイテムも見られます。", ["「曲がり角ミラー」"]),
        ("このゲームは「夜の池」（ダイジェスト3fa9c2d1b204）です。", ["ダイジェスト", "夜の池"]),
    ],
)
def test_no_word_of_a_paragraph_is_broken(qtbot: QtBot, text: str, words: list[str]) -> None:
    for em in range(12, 20):
        broken = list(lines(bind_words(text), em))
        assert all(any(word in line for line in broken) for word in words), broken


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("終端カード1：各5点", ["各5点"]),
        ("なびるな（十月十日+十人十色）、2023年", ["なびるな", "十人十色）、", "2023年"]),
        ("むぎが「33オズ」を獲得しました（差19）。", ["（差19）。"]),
        ("リタイアすれば−2点です。", ["−2点です。"]),
        ("幽霊に「赤・右2」を置き、90度回す（8）", ["「赤・右2」を", "（8）"]),
        ("ボット2の出目は2です。", ["ボット2の", "2です。"]),
        ("第19ターン（全21ターン）・リタイア0人", ["（全21ターン）・", "リタイア0人"]),
    ],
)
def test_no_number_is_parted_from_its_signs(text: str, whole: list[str]) -> None:
    assert set(whole) <= set(split_breakable(text)), list(split_breakable(text))


def test_in_a_column_a_long_name_is_broken(qtbot: QtBot) -> None:
    name = "W" * 24
    assert next(lines(bind_phrases(f"{name} draws a card."), 8)).strip() == name, "cut off"
    broken = list(lines(wrap_for_column(f"{name} draws a card."), 8))
    assert "".join(broken) == f"{name} draws a card."
    assert max(map(len, broken)) < len(name)
    assert wrap_for_column("Tickling Duster") == "Tickling Duster"


def test_no_line_is_a_single_letter() -> None:
    assert list(split_breakable("くすぐり羽ぼうき")) == ["くすぐり", "羽ぼうき"]
