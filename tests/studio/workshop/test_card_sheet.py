"""Cards of a spreadsheet: read as it exports them, refused with the line where they are wrong."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.engine.play import start
from tabletop.games import card_sheet, game_info
from tabletop.games.typed_toml import BrokenFile
from tabletop.language.words import Words
from tabletop.studio.workshop import new_game as beginning
from tabletop.studio.workshop.translation_stubs import write_stubs
from tabletop.text.translations import forget_translations

CARP = {"name": "Carp", "value": 3, "text": "Big, and old", "copies": 2}


@pytest.mark.parametrize(
    "text",
    [
        'name,copies,value,text\nCarp,2,3,"Big, and old"\n',
        '\ufeffname;copies;value;text\r\nCarp;2;3;"Big, and old"\r\n',
        "name\tcopies\tvalue\ttext\nCarp\t2\t3\tBig, and old\n\n",
        '"Name","Copies","Value","Text",\n"Carp","2","3","Big, and old",\n,,,,\n',
    ],
)
def test_a_sheet_is_read_however_it_was_exported(text: str) -> None:
    assert [row.card for row in card_sheet.read_cards(card_sheet.sheet_from_csv(text))] == [CARP]


def test_cells_are_numbers_text_or_left_out_and_may_hold_lines() -> None:
    rows = card_sheet.read_cards(
        card_sheet.sheet_from_csv('name,value,weight,note\n7,-2,,"two\nlines"\nb,x1,03,\n')
    )
    assert tuple((row.card, row.number) for row in rows) == (
        ({"name": "7", "value": -2, "note": "two\nlines", "copies": 1}, 2),
        ({"name": "b", "value": "x1", "weight": 3, "copies": 1}, 3),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "row 1: "),
        ("name\n", "row 1: there are no cards"),
        ("nme,copies\na,1\n", 'row 1: no column is called "name"'),
        ("name,a,A\nx,1,2\n", 'row 1: the column "A" is there twice'),
        ("name,copies\nx,2\ny,many\n", 'row 3: column "copies" must be a whole number'),
        ("name,copies\nx,2\n,3\n", "row 3: the card has no name"),
        ("name,a\nx,1,2\n", "row 2: it has 3 cells, and there are 2 columns"),
        ('name,a\nx,"1\ny,2\n', "a quote is misplaced"),
        ("name\n" + "x\n" * 2_001, "more than 2000 rows"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(BrokenFile, match=r"cards\.csv ") as broken:
        card_sheet.read_cards(card_sheet.sheet_from_csv(text))
    assert told in str(broken.value)


BOX = '[box]\ntitle = "T"\nseats = [2]\nminutes = 1\nfeel = ""\ncredit = ""\nrules = 1\n'


def test_a_sheet_stands_beside_cards_toml_or_instead_of_it() -> None:
    beside = game_info.read_game_cards(
        "t", BOX + '[[card]]\nname = "a"\n', card_sheet.sheet_from_csv("name,back\nb,blue\nc,red\n")
    )
    assert [card["name"] for card in beside.deck()] == ["a", "b", "c"]
    assert beside.back == ("blue", "red")
    alone = game_info.read_game_cards(
        "pond night", "", card_sheet.sheet_from_csv("name,copies\nb,2\n")
    )
    assert (alone.box.title, alone.back, len(alone.deck())) == ("pond night", ("back",), 2)
    with pytest.raises(BrokenFile, match=r'row 2: the back "bleu" is not known; did you mean'):
        game_info.read_game_cards(
            "t", 'back = ["blue"]\n' + BOX, card_sheet.sheet_from_csv("name,back\nb,bleu\n")
        )
    with pytest.raises(BrokenFile, match=r'the back "x" is not known; "back" in cards\.toml'):
        game_info.read_game_cards(
            "t", 'back = ["blue"]\n' + BOX, card_sheet.sheet_from_csv("name,back\nb,x\n")
        )
    with pytest.raises(BrokenFile, match='no "card", no "dice" and no'):
        game_info.read_game_cards("t", 'back = ["blue"]\n' + BOX, None)


def test_dice_are_cards_with_backs_of_their_own() -> None:
    lying = "back = ['b', 'c']\nset_per_back = true\n" + BOX + "[[card]]\nname = 'a'\ncopies = 2\n"
    both = game_info.read_game_cards(
        "t", lying + "[[dice]]\ncopies = 2\nsides = 3\n[[dice]]\nsides = 2\n", None
    )
    assert both.back_names == ("b", "c", "die", "die", "die")
    assert both.backs() == (0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4)
    assert [face["name"] for face in both.deck()] == [*"aaaa", *"123", *"123", *"12"]
    assert both.deck()[-1] == {"name": "2", "value": 2, "sides": 2}
    alone = game_info.read_game_cards("t", BOX + "[[dice]]\n", None)
    assert (alone.back_names, alone.backs()) == (("die",), (0,) * 6)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[dice]]\nsides = 1\n", 'line 9: "sides" must be from 2 to 100'),
        ("[[dice]]\ncopies = 0\n", 'line 9: "copies" must be a whole number from 1 up'),
        ("[[dice]]\nside = 6\n", '"side" is not known; did you mean "sides"?'),
    ],
)
def test_wrong_dice_are_told_with_their_line(text: str, told: str) -> None:
    with pytest.raises(BrokenFile) as broken:
        game_info.read_game_cards("t", BOX + text, None)
    assert told in str(broken.value)


def test_no_other_back_is_called_as_that_of_dice() -> None:
    with pytest.raises(BrokenFile, match='line 1: "die" is the back of dice: call this one'):
        game_info.read_game_cards("t", 'back = ["die"]\n' + BOX + "[[card]]\nname = 'a'\n", None)
    with pytest.raises(BrokenFile, match=r'cards\.csv row 2: "die" is the back of dice'):
        game_info.read_game_cards("t", BOX, card_sheet.sheet_from_csv("name,back\na,die\n"))


def test_a_card_may_have_a_column_that_dice_have(tmp_path: Path) -> None:
    folder = tmp_path / "pond"
    beginning.create_game("Polygons", folder, "free")
    (folder / "cards.csv").write_text(
        "name,copies,points,sides\nTriangle,20,1,3\nSquare,20,2,4\n", "utf-8"
    )
    try:
        (known,) = game_folders.add(folder)
        kit = catalogue.load(known.id)
        assert not any(map(kit.is_die, range(len(kit.deck))))
        dealt = start(kit.rules, 2, "seed", kit.backs, catalogue.options(kit)).state
        assert len(dealt.cards["hand/0"]) == 4
    finally:
        game_folders.clear_cache()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
def test_a_japanese_sheet_is_read_in_each_encoding(encoding: str) -> None:
    text = "name,copies,name.ja\nCarp,2,鯉のぼり\n"
    (row,) = card_sheet.read_cards(card_sheet.sheet_from_file(text.encode(encoding), "cards.csv"))
    assert row.translations == {"ja": {"name": "鯉のぼり"}}


def test_a_western_sheet_is_read_as_windows_saves_it() -> None:
    text = "name,text\nBärenhöhle,Café à la crème\n"
    assert card_sheet.decode_sheet(text.encode("cp1252")) == text


def test_a_character_nobody_can_read_is_named_with_its_place() -> None:
    with pytest.raises(BrokenFile, match=r'cards\.csv row 2: column "text": .*UTF-8'):
        card_sheet.decode_sheet("name,text\n鯉,".encode() + b"\xff\n")


@pytest.mark.parametrize("before", ["", "x" * 300])
def test_a_nul_is_a_character_nobody_can_read(before: str) -> None:
    with pytest.raises(BrokenFile, match='column "text": a character cannot be read'):
        card_sheet.decode_sheet(f"name,text\nFish,{before}\0\n鯉,錦\n".encode())


def test_columns_of_a_language_translate_the_cards(tmp_path: Path) -> None:
    folder = tmp_path / "pond"
    beginning.create_game("Pond", folder, "free")
    (folder / "cards.csv").write_text("name,points,name.ja\nGolden carp,2,金の鯉\n", "utf-8")
    try:
        (known,) = game_folders.add(folder)
        kit = catalogue.load(known.id)
        assert (Words("ja", kit).card(0), Words("en", kit).card(0)) == ("金の鯉", "Golden carp")
    finally:
        game_folders.clear_cache()


def test_stubs_are_added_once_for_texts_without_a_column(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("name,text,name.ja\nHeron,Waits,\n", "utf-8")
    assert list(write_stubs(tmp_path)) == [
        "cards.csv: 1 empty cells in the columns of ja",
        "ja.po: 1 empty entries added",
    ]
    assert (tmp_path / "ja.po").read_text("utf-8") == '\nmsgid "Waits"\nmsgstr ""\n'
    forget_translations(tmp_path / "ja.po")
    assert list(write_stubs(tmp_path)) == ["cards.csv: 1 empty cells in the columns of ja"]
