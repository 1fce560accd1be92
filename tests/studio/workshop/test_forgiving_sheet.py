"""Sheets as people have them: workbooks, headings of their own, numbers written in any way."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.engine.play import start
from tabletop.games import card_sheet
from tabletop.games.folder_content import read_folder, read_game_files
from tabletop.games.typed_toml import BrokenFile
from tabletop.studio.workshop import new_game as beginning
from tabletop.studio.workshop.check import check
from tabletop.studio.workshop.file_check import describe_columns, find_date_cells
from tests.game_folders import change
from tests.studio.workshop.workbooks import Cells, ods, xlsx

ROWS: Cells = (
    ("名前", "枚数", "点", "効果"),
    ("", "", "", ""),
    ("鯉", 3.0, "２点", "一行目\n二行目"),
    ("鷺", "３枚", 1.5, ""),
)
# The headings of a sheet that is passed on between users of Squib.
SQUIB = (
    "No.,種類,カード名,数量,コスト(金),HP/ATK,VP + Climb,Est. Actions Min,効果,裏面,メモ\n"
    '1,店,りんご飴,３,2,1/2,20,3.00,"【即時】2点を得る。\n【最後】ATK +2 になる。",夜市,\n'
    "2,店,焼きそば,2枚,1,0/1,10,2.50,隣の店を見る,夜市,試作\n"
    "3,客,迷子,1.0,,,,, ,客,\n"
)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (xlsx({"メモ": [["a"]], "カード": ROWS}), "cards.xlsx"),
        (xlsx({"Sheet1": ROWS}), "cards.xlsx"),
        (ods(ROWS), "cards.ods"),
    ],
)
def test_a_workbook_has_the_cards(content: bytes, name: str) -> None:
    carp, heron = card_sheet.read_cards(card_sheet.sheet_from_file(content, name))
    assert (carp.number, carp.card["name"], carp.card["copies"]) == (3, "鯉", 3)
    assert carp.card["points"] == carp.card["点"] == 2
    assert carp.card["text"] == "一行目\n二行目"
    assert (heron.card["copies"], heron.card["points"]) == (3, "1.5")


def test_a_mistake_is_told_as_it_is_written_there() -> None:
    book = ods([["カード名", "数量"], ["鯉", "たくさん"]])
    with pytest.raises(BrokenFile) as told:
        card_sheet.read_cards(card_sheet.sheet_from_file(book, "cards.ods"))
    text = 'cards.ods row 2: column "数量" must be a whole number from 0 to 999, not "たくさん"'
    assert str(told.value) == text
    with pytest.raises(BrokenFile, match="there are: 番号, 説明欄"):
        card_sheet.read_cards(card_sheet.sheet_from_csv("番号,説明欄\n1,2\n"))


@pytest.mark.parametrize("three", ["3", "３", "3枚", "３ 枚", "3.0", "x3", "×3", "3 copies"])
def test_three_is_three(three: str) -> None:
    (row,) = card_sheet.read_cards(card_sheet.sheet_from_csv(f"Name,Qty\nCarp,{three}\n"))
    assert row.card["copies"] == 3
    (row,) = card_sheet.read_cards(card_sheet.sheet_from_csv("name,weight,text\nCarp,３.0,３\n"))
    assert (row.card["weight"], row.card["text"]) == (3, "３")


def test_the_paper_lists_every_heading() -> None:
    paper = (Path(__file__).parents[3] / "docs" / "new-game.md").read_text("utf-8")
    for name, headings in card_sheet.HEADINGS.items():
        listed = ", ".join(each.replace("_", " ") for each in headings.split())
        assert f"| `{name}` | {listed} |" in paper


def test_the_name_of_a_field_goes_before_other_headings_for_it() -> None:
    (row,) = card_sheet.read_cards(
        card_sheet.sheet_from_csv("title,説明,text,効果,count\nA,b,c,d,2\n")
    )
    assert row.card == {
        "name": "A",
        "title": "A",
        "text": "c",
        "説明": "b",
        "効果": "d",
        "copies": 2,
        "count": 2,
    }


def test_a_sheet_of_squib_goes_in_unchanged(tmp_path: Path) -> None:
    folder = tmp_path / "fair"
    beginning.create_game("Fair", folder, "free")
    (folder / "cards.csv").write_text(SQUIB, "utf-8")
    change(folder / "cards.toml", 'back = ["back"]\n', "")
    change(folder / "cards.toml", "rules = 1", 'rules = 1\nlanguage = "ja"')
    change(folder / "free.toml", 'starts = "all"', 'starts = { "種類" = ["店"], kind = "店" }')
    change(folder / "free.toml", 'column = "points"', 'column = "VP + Climb"')
    change(folder / "free.toml", "hand = 4, market = 4", "hand = 1")
    try:
        (known,) = game_folders.add(folder)
        kit = catalogue.load(known.id)
        assert [card["name"] for card in kit.deck[::3]] == ["りんご飴", "焼きそば"]
        assert kit.back_names[:2] == ("夜市", "客")
        assert kit.deck[0]["HP/ATK"] == "1/2"
        (note, own) = describe_columns(kit)
        assert 'カード名 is "name"' in note
        assert "No., HP/ATK, VP + Climb, Est. Actions Min, メモ" in own
        start(kit.rules, 2, "seed", kit.backs, catalogue.options(kit))
        found = [str(each) for each in check(kit)]
        assert not [each for each in found if "Japanese" in each]
        assert any("no English for" in each for each in found)
    finally:
        game_folders.clear_cache()


def test_a_workbook_travels_as_a_sheet_of_text(tmp_path: Path) -> None:
    folder = tmp_path / "pond"
    beginning.create_game("Pond", folder, "free")
    (folder / "cards.csv").rename(tmp_path / "old.csv")
    (folder / "cards.ods").write_bytes(ods([["name", "points"], ["Carp, old", 2.0]]))
    assert read_game_files(folder)["cards.csv"] == b'name,points\n"Carp, old",2\n'
    digest = read_folder(folder).digest
    (folder / "cards.ods").write_bytes(ods([["name", "points"], ["Carp, old", "2"]]))
    assert read_folder(folder).digest == digest
    try:
        (known,) = game_folders.add(folder)
        assert catalogue.load(known.id).deck[0]["points"] == 2
        (folder / "cards.csv").write_text("name,points\nHeron,1\n", "utf-8")
        catalogue.reread(known.id)
        kit = catalogue.load(known.id)
        assert kit.deck[0]["name"] == "Heron"
        assert any("cards.ods: it isn't read" in str(each) for each in check(kit))
    finally:
        game_folders.clear_cache()


@pytest.mark.parametrize(
    ("content", "name", "told"),
    [
        (b"PK nothing", "cards.xlsx", "is no workbook, or is damaged"),
        (xlsx({"a": ROWS})[:-50], "cards.xlsx", "is no workbook, or is damaged"),
        (xlsx({"a": ROWS}, '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
         "cards.xlsx", "farther out than any sheet"),
        (ods(ROWS, '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
                   'office:value-type="string" table:number-columns-repeated="16000"><text:p>x'
                   "</text:p></table:table-cell></table:table-row>"),
         "cards.ods", "farther out than any sheet"),
        (b"x" * (9 << 20), "cards.xlsx", "is larger than 8 MiB"),
    ],
)  # fmt: skip
def test_an_odd_workbook_is_one_sentence(content: bytes, name: str, told: str) -> None:
    with pytest.raises(BrokenFile) as error:
        card_sheet.sheet_from_file(content, name)
    assert str(error.value).startswith(name)
    assert told in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "魚のゲーム 第3版,,\n,,\n名前,枚数,効果\n鯉,3,引く\n",
        "sep=;\n名前;枚数;効果\n鯉;3;引く\n",
        "魚のゲーム\n名前\t枚数\t効果\n鯉\t3\t引く\n",
        " 名前 ,　枚数,効果,,\n鯉,3,引く,,\n",
    ],
)
def test_the_columns_are_found_below_a_title(text: str) -> None:
    (carp,) = card_sheet.read_cards(card_sheet.sheet_from_csv(text))
    assert {key: carp.card[key] for key in ("name", "copies", "text")} == {
        "name": "鯉",
        "copies": 3,
        "text": "引く",
    }


def test_a_card_called_as_a_heading_is_no_heading() -> None:
    with pytest.raises(BrokenFile, match="there are: 番号, 区分"):
        card_sheet.read_cards(card_sheet.sheet_from_csv("番号,区分\n1,カード\n"))


@pytest.mark.parametrize("text", ["名前,枚数\n鯉,3\n", "name,copies\n鯉,3\n"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "cp932"])
def test_a_sheet_is_read_as_it_was_saved(text: str, encoding: str) -> None:
    (carp,) = card_sheet.read_cards(card_sheet.sheet_from_file(text.encode(encoding), "cards.csv"))
    assert (carp.card["name"], carp.card["copies"]) == ("鯉", 3)


def test_numbers_are_read_as_people_write_them() -> None:
    text = 'name;cost;points\na;2,00;"1,000"\nb;1,5;-12,000\n'
    cards = [row.card for row in card_sheet.read_cards(card_sheet.sheet_from_csv(text))]
    assert [(card["cost"], card["points"]) for card in cards] == [(2, 1000), ("1,5", -12000)]


@pytest.mark.parametrize("price", ["1200", "¥1,200", "￥1200", "1,200円"])
def test_a_price_is_a_number(tmp_path: Path, price: str) -> None:
    (tmp_path / "cards.csv").write_text(f'name,Price\nLantern,"{price}"\n', "utf-8")
    (row,) = card_sheet.read_cards(card_sheet.find_sheet(tmp_path))
    assert row.card["cost"] == 1200


def test_a_formula_that_fails_is_named() -> None:
    with pytest.raises(BrokenFile) as told:
        card_sheet.read_cards(card_sheet.sheet_from_csv("Name,Qty\nCarp,2\nHeron,#REF!\n"))
    assert str(told.value) == 'cards.csv row 3: column "Qty": the formula there gives #REF!'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (xlsx({"Sheet1": ROWS}), "is a workbook, not text: call it cards.xlsx or cards.ods"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "is an old Excel file, not text"),
    ],
)
def test_a_workbook_under_another_name_is_named(content: bytes, sentence: str) -> None:
    with pytest.raises(BrokenFile, match=sentence):
        card_sheet.sheet_from_file(content, "cards.csv")


SHOWN = Path(__file__).parent / "sheets"


@pytest.mark.parametrize("name", ["excel.xlsx", "libreoffice.xlsx", "libreoffice.ods"])
def test_a_workbook_says_what_it_shows(name: str) -> None:
    content = (SHOWN / name).read_bytes()
    sheet = card_sheet.sheet_from_file(content, f"cards{Path(name).suffix}")
    carp, turtle, heron = (row.card for row in card_sheet.read_cards(sheet))
    assert [card["kind"] for card in (carp, turtle, heron)] == ["魚", "魚", "鳥"]
    assert (carp["確率"], turtle["確率"]) == ("50%", "12.5%")
    assert (carp["copies"], turtle["copies"], heron["copies"]) == (3, 40, 2)
    assert carp["text"] == "カードを1枚引く。\n捨てる。"


@pytest.mark.parametrize("name", ["error.xlsx", "error.ods"])
def test_a_formula_that_fails_in_a_workbook_is_named(name: str) -> None:
    suffix = Path(name).suffix
    with pytest.raises(BrokenFile) as told:
        card_sheet.read_cards(
            card_sheet.sheet_from_file((SHOWN / name).read_bytes(), f"cards{suffix}")
        )
    sentence = f'cards{suffix} row 3: column "効果": the formula there gives #DIV/0!'
    assert str(told.value) == sentence


def test_a_date_that_a_spreadsheet_made_is_told(tmp_path: Path) -> None:
    for cell in ("2026-01-02", "1月2日", "2-Jan"):
        (tmp_path / "cards.csv").write_text(f"name,odds\nCarp,3\nHeron,{cell}\n", "utf-8")
        kit = SimpleNamespace(folder=tmp_path)
        (found,) = find_date_cells(kit)
        assert found.fault == f'cards.csv row 3, column "odds": "{cell}" is a date'
