"""The check of Japanese style: each rule finds what breaks it, and the program breaks none."""

import re
from pathlib import Path

import pytest

from tabletop.studio.translation import japanese_style, translation_check
from tabletop.studio.translation.japanese_style import find_faults, forms, load_terms

ROOT = Path(__file__).parents[3]

PO = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("もう一回!", "half-width sign"),
        ("場所:手札", "half-width sign"),
        ("4枚(短いゲーム)", "half-width brackets"),
        ("勝率は60％です。", "full-width ％"),
        ("勝率は60 %です。", "a space before %"),
        ("させられれば-2点です。", "a hyphen as minus"),
        ("2～4人用", "a full-width tilde"),
        ("命中 ≥ 回避", "≥ or ≤"),
        ("右に90°", "°: write 度"),
        ("手札３枚", "full-width digits"),
        ("手札 3枚", "a half-width space"),
        ("Python は要りません。", "a half-width space"),
        ("ほか {n} 枚", "a half-width space"),
        ("投了しますか？ 取り消せません。", "after a full-width sign"),
        ("秋 · 冬", "Latin middle dot"),
        ("1–2枚", "a dash between numbers"),
        ("命中/回避の順", "a half-width slash"),
        ("手札, 山札", "a half-width comma"),
        ("残しますか？残しておくと戻れます。", "after a ？"),
        ("置きます。向きが変わる。", "polite and plain in one text"),
    ],
)
def test_what_no_japanese_text_has_is_told(text: str, told: str) -> None:
    assert [each for each in find_faults(text) if told in each]


@pytest.mark.parametrize(
    "text",
    [
        "10-9-8-7のように、つなぎます。",
        "攻撃手段（射撃）。近+1/1/1、中−2/1/1。",
        "「--code」でコードも指定してください。",
        "その他の設定",
        "自分から始めます。",
        "Tabletop 卓で遊びました",
        "空きは{free} MiBです。",
        "English only (and more): 1 %",
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    assert not list(find_faults(text))


@pytest.mark.parametrize(
    ("text", "file", "name"),
    [
        ("手を戻す", "ui/ja.po", "元に戻す"),
        ("別のコンピューター", "ui/ja.po", "パソコン"),
        ("いまは選べません。", "ui/ja.po", "今"),
        ("リタイヤしました。", "ui/ja.po", "リタイア"),
        ("得点が一番多い人の勝ちです。", "ui/ja.po", "いちばん"),
        ("手札を分け合います。勝利を分け合います。", "ui/ja.po", "勝利を分かち合います"),
        ("これまでのピック", "tabletop/games/awss/ja.po", "ピックカード"),
        ("レンジ変更", "tabletop/games/royale/ja.po", "移動（レンジの変更）"),
        ("競技フェイズ", "tabletop/games/sisters/rulebook.ja.md", "フェーズ"),
    ],
)
def test_one_thing_has_one_name(text: str, file: str, name: str) -> None:
    assert [each for each in find_faults(text, file) if each.endswith(f"write {name}")]


def test_a_name_of_one_game_binds_no_other() -> None:
    assert not list(find_faults("解析フェイズ", "tabletop/games/sun/ja.po"))
    assert all(not term.never.search(term.say.split("、")[0]) for term in load_terms())


WORDS = """
goal = "The goal."
turn = ["A turn."]
[asks]
act = { prompt = "A prompt" }
[verbs]
act = { sentence = "A button" }
[told]
"it" = "It is told."
"""
RULES = """
table.say("{seat} draws.", seat=seat)
raise Refused(Reason("Only cards can be drawn."))
Remark("You draw." if drawn else "You lay.")
form.tell(phrase("A note."))
"""
FILES = {
    "rules.py": RULES,
    "words.toml": WORDS,
    "cards.toml": '[box]\ntitle = "G"\nseats = [2]\n[[card]]\nname = "C"\ntext = "Draws."\n',
    "first.toml": '[[lesson]]\ntext = "A lesson."\n',
    "illustrations.toml": '[[symbol]]\ntext = "A symbol"\n',
    "meaning.toml": '[win]\ntext = "Most wins"\n[[idle]]\ntext = "You are out"\n',
}


@pytest.mark.parametrize(
    ("english", "right", "wrong"),
    [
        ("{seat} draws.", "{seat}が引きました。", "{seat}が引きます。"),
        ("{seat} draws.", "{seat}が引きました。", "{seat}が引く。"),
        ("{seat} draws.", "{seat}が引きました。", "{seat}が引きました"),
        ("Only cards can be drawn.", "引けるのはカードだけです。", "引けるのはカードだけ。"),
        ("You draw.", "カードを引きます。", "カードを引く。"),
        ("You lay.", "カードを置きます。", "カードを置く。"),
        ("You lay.", "カードを置きます。", "カードを置きました。"),
        ("A note.", "手札の大きさです。", "手札の大きさ。"),
        ("A prompt", "選んでください", "選ぶ"),
        ("A prompt", "選んでください", "選んでください。"),
        ("A button", "選ぶ", "選びます"),
        ("It is told.", "山札は3枚です。", "山札は3枚。"),
        ("The goal.", "多い人の勝ちです。", "多い人が勝つ。"),
        ("A turn.", "カードを引く。", "カードを引きます。"),
        ("Draws.", "1枚引く。", "1枚引きます。"),
        ("A lesson.", "引きましょう。", "引くとよい。"),
        ("A symbol", "カードを引く", "カードを引きます"),
        ("Most wins", "得点のいちばん多い人の勝ち", "得点のいちばん多い人の勝ちです"),
        ("You are out", "脱落しました", "脱落しました。"),
    ],
)
def test_each_kind_of_text_has_its_form(
    english: str, right: str, wrong: str, tmp_path: Path
) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, "utf-8")
    assert english in forms(tmp_path)
    for said, faulty in ((right, False), (wrong, True)):
        entry = f'msgid "{english}"\nmsgstr "{said}"\n'
        (tmp_path / "ja.po").write_text(PO + entry, "utf-8")
        found = list(japanese_style.check_folder(tmp_path, "game"))
        assert bool(found) == faulty, found
        assert all(each.startswith("game/ja.po:5: ") for each in found)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("## 10 ひとりで遊ぶ", "after a heading's number"),
        ("カードを1枚引く。山札がなければ引けない。", "a rulebook is polite"),
        ("*命中判定*に成功します。", "italics"),
        ("**お先に！**は前に使います。", "** ** beside a sign"),
        ("- 手札 (6枚) を持ちます。", "a half-width space"),
    ],
)
def test_a_rulebook_has_its_form(line: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "rulebook.ja.md").write_text(f"# 題名\n\n{line}\n", "utf-8")
    found = list(japanese_style.check_folder(tmp_path, "game"))
    assert [each for each in found if each.startswith("game/rulebook.ja.md:3: ") and told in each]


def test_code_in_a_paper_is_no_text(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("`pip install` で\n\n```\npip install 卓 (x)\n```\n", "utf-8")
    assert not [f for f in japanese_style.check_document(paper, "paper.md") if "bracket" in f]


def test_the_program_and_its_games_keep_the_style() -> None:
    assert list(translation_check.check_japanese()) == []


def test_games_made_for_tests_keep_the_style() -> None:
    folders = [file.parent for file in (ROOT / "tests").rglob("ja.po")]
    assert folders
    assert [f for each in folders for f in japanese_style.check_folder(each, each.name)] == []


def test_japanese_papers_keep_the_style() -> None:
    papers = [ROOT / "README.ja.md", *sorted((ROOT / "docs").glob("*.ja.md"))]
    found = [f for paper in papers for f in japanese_style.check_document(paper, paper.name)]
    assert [each for each in found if not re.search("a rulebook is polite", each)] == []
