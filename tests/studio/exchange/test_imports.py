"""Games of other programs: what is found in them, and the free tables they become."""

import json
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from struct import pack
from unicodedata import normalize
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZipFile
from zlib import compress, crc32

import pytest
from PIL import Image

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import mask
from tabletop.engine.model import is_face
from tabletop.engine.play import start
from tabletop.exchange.zip_archive import pack_zip
from tabletop.files import folders
from tabletop.files.errors import BadFile
from tabletop.language.words import Words
from tabletop.studio.exchange import free_game, reading
from tabletop.studio.exchange.found_game import FoundCounter, FoundDice, FoundGame
from tabletop.studio.exchange.import_record import EarlierImport, find_earlier_import
from tabletop.text.phrases import fill_gaps
from tests.studio.exchange.other_programs import ccfolia, cgs, pcio, picture, simulator, udonarium
from tests.studio.workshop.workbooks import ods, xlsx


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")


def found_in(content: bytes, file: Path) -> FoundGame:
    file.write_bytes(content)
    found = reading.look(file)
    assert isinstance(found, FoundGame)
    return found


def told(found: FoundGame) -> list[tuple[str, list[tuple[str, int, bool]]]]:
    """Each deck with the name, number and picture of its cards."""
    return [
        (deck.name, [(card.name, card.copies, bool(card.face)) for card in deck.cards])
        for deck in found.decks
    ]


def said(found: FoundGame) -> list[str]:
    return sorted(fill_gaps(each.text, each.args) for each in found.left_out)


def made(found: FoundGame, folder: Path) -> GameKit:
    """The game of it, dealt at every number of players."""
    free_game.write(found, folder, found.title)
    (known,) = game_folders.add(folder)
    kit = catalogue.load(known.id)
    assert len(kit.deck) == found.count
    tokens = [deck.count for deck in found.decks if deck.is_open]
    for seats in kit.box.seats:
        state = start(kit.rules, seats, "seed", kit.backs, catalogue.options(kit)).state
        assert len(state.cards["deck1"]) == found.decks[0].count
        faces = list(filter(is_face, mask(state, 0).cards.get("tokens1", ())))
        assert len(faces) == sum(tokens)
    assert set(kit.facts.digest) <= set("0123456789abcdef")
    return kit


def test_a_zip_of_udonarium_has_its_stacks(tmp_path: Path) -> None:
    found = found_in(udonarium(), tmp_path / "池.zip")
    assert (found.tool, found.title, found.missing) == ("Udonarium", "池", 1)
    assert told(found) == [
        ("池の山", [("鯉", 1, True), ("鷺", 2, True), ("札", 1, False)]),
        ("カード", [("蛙", 1, True)]),
        ("駒", [("釣り人", 1, True)]),
    ]
    assert found.dice == (FoundDice("D6", 6, 2),)
    assert found.pictures[found.board].size == (60, 84)
    assert said(found) == [
        "Not imported: chat.xml (1)",
        "Not imported: terrain (1)",
        "Not imported: text-note (1)",
    ]
    carp = found.decks[0].cards[0]
    assert (carp.text, carp.fields) == ("引く", {"コスト": "3"})
    kit = made(found, tmp_path / "pond")
    assert kit.box.language == "ja"
    assert kit.deck[0]["cost"] == 3
    assert len(kit.back_names) == 2
    assert (tmp_path / "pond" / "assets" / "back1.svg").is_file()


def test_a_deck_of_tabletop_simulator_is_cut_from_its_sheet(tmp_path: Path) -> None:
    found = reading.look(simulator(tmp_path / "tts"))
    assert isinstance(found, FoundGame)
    assert (found.title, found.missing) == ("My proto", 0)
    names = [("Card 0", 1, True), ("Card 1", 1, True), ("Card 2", 1, True), ("Card 3", 2, True)]
    tokens = [("Crate", 1, True), ("Gem", 3, True), ("PlayerPawn", 2, False)]
    assert told(found) == [
        ("Main", names),
        ("Cards", [("Cards 1", 1, True)]),
        ("Tokens", tokens),
    ]
    assert found.dice == (FoundDice("", 6, 2), FoundDice("Wind", 8))
    assert found.counters == (FoundCounter("Tide", 7),)
    assert found.pictures[found.board].size == (300, 200)
    assert said(found) == ["Not imported: LuaScript (1)", "Not imported: Notecard (1)"]
    assert found.decks[0].cards[1].text == "Text 1"
    assert {each.size for each in found.pictures.values()} == {(60, 84), (300, 200), (50, 50)}
    made(found, tmp_path / "proto")
    mods = tmp_path / "tts" / "Mods" / "Images"
    mods.mkdir(parents=True)
    saved = tmp_path / "tts" / "Saves" / "Saved Objects"
    saved.mkdir(parents=True)
    for name in ("sheet.png", "httpexamplecomback.jpg", "board.png", "token.png"):
        (tmp_path / "tts" / name).rename(mods / name)
    (tmp_path / "tts" / "save.json").rename(saved / "save.json")
    again = reading.look(saved / "save.json")
    assert (told(again), again.missing) == (told(found), 0)
    (mods / "sheet.png").unlink()
    lacking = reading.look(saved / "save.json")
    assert lacking.missing == 1
    assert made(lacking, tmp_path / "bare").deck[0]["name"] == "Card 0"


def test_a_save_is_read_as_the_program_writes_it(tmp_path: Path) -> None:
    sheet = Image.new("RGB", (600, 588), "blue")
    sheet.paste(Image.new("RGB", (60, 84), "red"), (60, 0))
    sheet.save(tmp_path / "sheet.png")
    custom = {"1": {"FaceURL": "file:///sheet.png", "BackURL": "file:///sheet.png"}}
    card = {"Name": "Card", "CardID": 101, "Nickname": "Carp", "CustomDeck": custom}
    bag = {"Name": "Bag", "Transform": {"posX": "HERE"}, "States": {"2": card}}
    text = json.dumps({"ObjectStates": [bag]}).replace('"HERE"', "NaN")
    (tmp_path / "save.json").write_text(text)
    found = reading.look(tmp_path / "save.json")
    assert told(found) == [("Cards", [("Carp", 1, True)])]
    assert found.pictures[found.decks[0].cards[0].face].size == (60, 84)


def test_other_programs_are_read(tmp_path: Path) -> None:
    room = found_in(ccfolia(), tmp_path / "room.zip")
    assert (room.tool, room.title) == ("ccfolia", "季節の卓")
    cards = [("札0", 1, True), ("札1", 1, True), ("札2", 1, True)]
    pieces = [("船", 1, True), ("船長", 1, True), ("料理人", 1, True)]
    assert told(room) == [("Deck 1", cards), ("カード", [("カード 1", 1, True)]), ("駒", pieces)]
    assert room.decks[2].cards[1].fields == {"HP": "12"}
    assert (room.dice, room.counters) == (
        (FoundDice("", 10),),
        (FoundCounter("HP", 12, of_seats=True),),
    )
    assert said(room) == [
        "Not imported: notes (1)",
        'The table has one picture, so "background" isn\'t imported.',
    ]
    assert room.decks[0].cards[0].text == "効果0"
    made(room, tmp_path / "season")
    table = found_in(pcio(), tmp_path / "room.pcio")
    assert told(table) == [
        ("Deck 1", [("Own", 2, True), ("Drawn", 1, True)]),
        ("Pieces", [("red pin", 2, False)]),
    ]
    assert (table.dice, table.counters) == ((FoundDice("", 4),), (FoundCounter("Score", 3),))
    assert table.pictures[table.board].size == (300, 200)
    assert said(table) == ["Not imported: automationButton (1)"]
    assert table.decks[0].cards[0].fields == {"rank": "3"}
    assert table.decks[0].backs == ("userassets/back.png",)
    made(table, tmp_path / "table")
    tide = reading.look(cgs(tmp_path / "tide"))
    assert (tide.title, tide.missing) == ("Tide", 1)
    assert told(tide) == [("base", [("Wave", 1, True), ("Foam", 1, False)])]
    assert made(tide, tmp_path / "tide game").deck[0]["power"] == 4


def test_names_of_a_mac_are_composed(tmp_path: Path) -> None:
    files = {f"{normalize('NFD', name)}.png": picture("red") for name in ("ガラス", "ぺんぎん x2")}
    found = found_in(pack_zip(files), tmp_path / "deck.zip")
    assert told(found)[0][1] == [("ぺんぎん", 2, True), ("ガラス", 1, True)]


def test_pictures_of_other_kinds_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="save them as PNG"):
        found_in(pack_zip({"a.svg": b"<svg/>", "b.heic": b"x"}), tmp_path / "deck.zip")


def test_a_sheet_with_pictures_beside_it_is_a_game(tmp_path: Path) -> None:
    """As somebody's Excel writes it: cp932, a column of paths, an empty row, and the sum."""
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "fire.png").write_bytes(picture("red"))
    rows = "カード名,枚数,コスト,効果,画像,No.,name.en\r\n"
    rows += "火の玉,３枚,2,敵に3点,img\\fire.png,1,Fire\r\n"
    rows += ",,,,,,\r\n盾,2,１,1点減らす,,2,Shield\r\n合計,5,,,,,\r\n"
    found = found_in(rows.encode("cp932"), tmp_path / "火.csv")
    assert told(found) == [("火", [("火の玉", 3, True), ("盾", 2, False)])]
    assert (found.tool, found.title, found.missing) == ("a spreadsheet", "火", 0)
    folder = tmp_path / "game"
    kit = made(found, folder)
    assert kit.box.credit == "表計算の表から取り込み"
    assert [kit.deck[n].get("cost") for n in (0, 3)] == [2, 1]
    assert not (folder / "assets" / "face.svg").exists()  # the usual face has room for the text
    assert Words("en", kit).card(0) == "Fire"


def test_a_zip_with_a_sheet_is_one_however_it_was_packed(tmp_path: Path) -> None:
    for at in ("", "火/", "火/表/"):
        files = {f"{at}cards.tsv": b"Name\tQty\tBack\tPicture\nFire\t2\tred\tfire.png\n"}
        files |= {f"{at}pics/fire.png": picture("red")}
        found = found_in(pack_zip(files), tmp_path / "deck.zip")
        assert told(found) == [("red", [("Fire", 2, True)])]


@pytest.mark.parametrize("folder", ["room/", "表/room/"])
def test_an_archive_packed_again_with_its_folder_is_read(folder: str, tmp_path: Path) -> None:
    for whole in (ccfolia(), pcio()):
        with ZipFile(BytesIO(whole)) as archive:
            again = pack_zip({folder + name: archive.read(name) for name in archive.namelist()})
        assert told(found_in(again, tmp_path / "a.zip")) == told(
            found_in(whole, tmp_path / "b.zip")
        )


def test_pictures_in_a_folder_are_cards(tmp_path: Path) -> None:
    folder = tmp_path / "絵"
    (folder / "wide").mkdir(parents=True)
    for name in ("10.png", "2_x3.png", "鯉 4枚.png", "裏.png", ".hidden.png"):
        (folder / name).write_bytes(picture("red"))
    (folder / "wide" / "sea.jpg").write_bytes(picture("blue", (120, 60), "JPEG"))
    (folder / "notes.txt").write_text("x", "utf-8")
    found = reading.look(folder)
    assert told(found) == [
        ("絵", [("2", 3, True), ("10", 1, True), ("鯉", 4, True)]),
        ("wide", [("sea", 1, True)]),
    ]
    kit = made(found, tmp_path / "game")
    assert (kit.deck[0]["wide"], kit.deck[0]["high"]) == (240, 336)
    assert (kit.deck[-1]["wide"], kit.deck[-1]["high"]) == (240, 120)
    with pytest.raises(BadFile, match="already exists"):
        free_game.write(found, tmp_path / "game", "Again")
    with pytest.raises(BadFile, match="folder of a game already"):
        reading.look(tmp_path / "game")


def test_every_sheet_of_a_workbook_is_a_deck_or_is_named(tmp_path: Path) -> None:
    cards = [["name", "copies"], ["Fire", 2]]
    sheets = {
        "Sheet1": cards,
        "敵": [["名前"], ["竜"]],
        "Notes": [["to do", "who"], ["draw", "me"]],
    }
    found = found_in(xlsx(sheets, hidden=("Old",)), tmp_path / "quest.xlsx")
    assert told(found) == [("quest", [("Fire", 2, False)]), ("敵", [("竜", 1, False)])]
    assert len(found.left_out) == 2
    assert said(found)[0] == 'The hidden sheet "Old" of "quest.xlsx" isn\'t imported.'
    assert said(found)[1].startswith(
        'The sheet "Notes" isn\'t imported: quest.xlsx row 1: no column'
    )
    assert made(found, tmp_path / "quest").box.title == "quest"
    with pytest.raises(BadFile, match="no column is called"):
        found_in(xlsx({"Notes": [["to do"], ["draw"]]}), tmp_path / "notes.xlsx")


def test_pictures_pasted_into_cells_are_on_the_cards(tmp_path: Path) -> None:
    rows = [["name", "picture", "back"], ["Fire"], ["Water"]]
    media = {"red.png": picture("red"), "black.png": picture("black"), "blue.png": picture("blue")}
    anchored = {(2, 2): "red.png", (2, 3): "black.png", (9, 1): "red.png"}
    book = xlsx({"Cards": rows}, pasted=anchored, placed={(3, 2): "blue.png"}, media=media)
    found = found_in(book, tmp_path / "quest.xlsx")
    assert told(found) == [("quest", [("Fire", 1, True), ("Water", 1, True)])]
    colours = [Image.open(BytesIO(found.pictures[card.face].content)).getpixel((0, 0))
               for card in found.decks[0].cards]  # fmt: skip
    assert colours == [(255, 0, 0), (0, 0, 255)]
    assert [bool(card.back) for card in found.decks[0].cards] == [True, False]
    assert said(found) == ['Pictures on the sheet "Cards" that lie on no card: 1']
    made(found, tmp_path / "quest")
    frame = '<draw:frame xmlns:draw="d" xmlns:xlink="x"><draw:image xlink:href="Pictures/r.png"/>'
    pasted = f"<table:table-cell>{frame}</draw:frame></table:table-cell>"
    book = ods([["name", "picture"], ["Fire", pasted]], files={"Pictures/r.png": picture("red")})
    assert told(found_in(book, tmp_path / "pond.ods")) == [("pond", [("Fire", 1, True)])]


def test_importing_again_keeps_the_game_and_its_edits(tmp_path: Path) -> None:
    def write(rows: str) -> FoundGame:
        (tmp_path / "fire.csv").write_text(rows, "utf-8")
        found = reading.look(tmp_path / "fire.csv")
        assert isinstance(found, FoundGame)
        return found

    for name in ("red", "blue"):
        (tmp_path / f"{name}.png").write_bytes(picture(name))
    first = write("name,deck,picture\nFire,A,red.png\nIce,A,blue.png\n")
    folder = folders.games() / "fire"
    assert find_earlier_import(first) is None
    free_game.write(first, folder, "Fire")
    assert find_earlier_import(first) == EarlierImport(folder, "Fire")
    mine = (folder / "free.toml").read_text("utf-8").replace("rounds = 20", "rounds = 7")
    (folder / "free.toml").write_text(mine, "utf-8")
    (folder / "cards.csv").write_text("my edit", "utf-8")
    named = {each.name: each.read_bytes() for each in (folder / "pictures").iterdir()}
    again = write("name,deck,picture\nIce,A,blue.png\nSteam,B,\n")
    done = free_game.update(again, folder)
    assert done == free_game.CardUpdate(("cards.csv",), ("B",), ())
    assert (folder / free_game.REPLACED / "cards.csv").read_text("utf-8") == "my edit"
    kept = {each.name: each.read_bytes() for each in (folder / "pictures").iterdir()}
    assert kept.items() < named.items()
    assert (folder / "free.toml").read_text("utf-8").startswith(mine.rstrip())
    (known,) = game_folders.add(folder)
    kit = catalogue.load(known.id)
    assert [card["name"] for card in kit.deck] == ["Ice", "Steam"]
    state = start(kit.rules, 2, "seed", kit.backs, catalogue.options(kit)).state
    assert [len(state.cards[zone]) for zone in ("deck1", "deck2")] == [1, 1]
    gone = free_game.update(write("name,deck\nSteam,B\n"), folder)
    assert gone == free_game.CardUpdate((), (), ("A",))
    (folder / "import.toml").write_text('[digests]\n"../../x" = "1"\n', "utf-8")
    with pytest.raises(BadFile, match="isn't an imported game"):
        free_game.update(again, folder)


def test_a_zip_of_a_python_game_says_what_a_friend_must_do(tmp_path: Path) -> None:
    for at in ("", "bids/", "games/bids/"):
        files = {f"{at}rules.py": b"", f"{at}cards.csv": b"name\nFire\n", "notes.txt": b"x"}
        with pytest.raises(BadFile, match=r"Python code.*Unpack it, then move"):
            found_in(pack_zip(files), tmp_path / "bids.zip")


ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><card-stack>&b;'
    "</card-stack>"
)
HOSTILE = {
    "entities": ({"data.xml": ENTITIES.encode()}, "isn't XML, or too much"),
    "deep": ({"data.xml": b"<card>" * 500}, "isn't XML, or too much"),
    "many": ({"data.xml": b"<r>" + b"<a/>" * 200_001 + b"</r>"}, "isn't XML, or too much"),
    "empty": ({"data.xml": b"<r/>"}, "holds no cards"),
    "other": ({"readme.txt": b"hello"}, "holds no game that can be imported"),
    "nested json": ({"__data.json": b"[" * 100_000}, "isn't JSON"),
    "odd json": ({"__data.json": b'{"entities": {"decks": [1, {"items": 3}]}}'}, "no cards"),
    "huge numbers": (
        {"save.json": json.dumps({"ObjectStates": [
            {"Name": "Deck", "DeckIDs": [10**9] * 6_000, "CustomDeck": []}]}).encode()},
        "more than 2000 different cards",
    ),
    "many copies": (
        {"save.json": json.dumps({"ObjectStates": [
            {"Name": "Deck", "DeckIDs": [100] * 6_000, "CustomDeck": [],
             "ContainedObjects": [{"CardID": 100, "Nickname": "Carp"}]}]}).encode()},
        "more than 5000 cards",
    ),
    "endless deck": (
        {"save.json": json.dumps({"ObjectStates": [
            {"Name": "Deck", "DeckIDs": [100] * 20_001, "CustomDeck": []}]}).encode()},
        "more than 20000 objects",
    ),
    "odd pictures": ({"a.png": b"no picture", "b.png": picture("red")[:60]}, "holds no cards"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_strangers_put_into_one_is_one_sentence(name: str, tmp_path: Path) -> None:
    files, why = HOSTILE[name]
    with pytest.raises(BadFile) as refused:
        found_in(pack_zip(files), tmp_path / "odd.zip")
    assert why in str(refused.value)


def png_of(width: int, height: int) -> bytes:
    """A PNG that says it is so large."""
    head = b"IHDR" + pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = b"IDAT" + compress(b"\0" * 100_000)
    chunks = (pack(">I", len(each) - 4) + each + pack(">I", crc32(each)) for each in (head, body))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize(
    "content",
    [
        png_of(60_000, 60_000),
        png_of(9_000, 9_000),
        b"II*\0" + picture("red"),
        b"%!PS-Adobe-3.0 EPSF-3.0\n",
        b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    ],
)
def test_an_odd_picture_is_missing_and_the_rest_is_there(content: bytes, tmp_path: Path) -> None:
    files = {"good.png": picture("red"), "odd.png": content}
    found = found_in(pack_zip(files), tmp_path / "cards.zip")
    assert (told(found), found.missing) == ([("cards", [("good", 1, True)])], 1)


def test_names_of_strangers_lead_nowhere(tmp_path: Path) -> None:
    data = {"entities": {"decks": {"d": {"name": "../../{seat}\n\"]", "items": {
        "1": {"imageUrl": "../../../etc/passwd", "memo": "=cmd|' /C calc'!A0"},
        "2": {"imageUrl": "../up.png", "memo": "{{ 7 * 7 }}"}}}}}}  # fmt: skip
    files = {"__data.json": json.dumps(data).encode(), "../up.png": picture("red")}
    found = found_in(pack_zip(files), tmp_path / "odd.zip")
    kit = made(found, tmp_path / "deep" / "game")
    written = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*.png")}
    assert written == {"deep"}
    assert kit.deck[1]["name"] == "{{ 7 * 7 }}"


LONE = "\ud800"
"""Half a character: JSON holds it, no file does."""
SAID = {
    "markup": "[/x][bold red]<b>&amp;</b>{0}{seat}%s{{ 7 * 7 }}{% raw %}",
    "turned": "\u202eoval\u2066 \u05d0\u05d1",
    "controls": "a\x00b\x1b[2Jc\x7fd\x85e\u2028f",
    "half a character": f"a{LONE}b",
    "nothing to see": f"\x00{LONE}\u202e",
    "long": "x" * 10_000,
    "braces": "}{0}{",
    "a table": "|a|\n|-|\n# b",
}
"""What people, or their programs, write for a name."""


def _of_udonarium(said: str) -> dict[str, bytes]:
    plain = "".join(sign for sign in said if (sign >= " " and sign != LONE) or sign == "\n")
    told = f"<data name={quoteattr(plain)}>{escape(plain)}</data>"
    name = f'<data name="common"><data name="name">{escape(plain)}</data></data>'
    note = f'<data name="n" type="note">{escape(plain)}</data>'
    detail = f'<data name="detail">{told}{note}</data>'
    card = f'<card><data name="card">{name}{detail}</data></card>'
    deck = f'<card-stack><data name="card-stack">{name}</data>{card}</card-stack>'
    return {"data.xml": f"<room>{deck}{card}</room>".encode()}


def _of_ccfolia(said: str) -> dict[str, bytes]:
    card = {"imageUrl": said, "coverImageUrl": said, "memo": f"{said}\n{said}"}
    deck = {"name": said, "coverImageUrl": said, "items": {said: card}}
    data = {"room": {"name": said}, "decks": {said: deck}, "items": {said: card}}
    return {"__data.json": json.dumps({"entities": data}).encode()}


def _of_simulator(said: str) -> dict[str, bytes]:
    sheets = {"1": {"FaceURL": said, "BackURL": said, "NumWidth": 2, "NumHeight": 2}}
    card = {"Name": "Card", "CardID": 100, "Nickname": said, "Description": said}
    deck = {"Name": "Deck", "Nickname": said, "DeckIDs": [100], "CustomDeck": sheets}
    save = {"SaveName": said, "ObjectStates": [deck | {"ContainedObjects": [card]}, card]}
    return {"save.json": json.dumps(save).encode()}


def _of_pcio(said: str) -> dict[str, bytes]:
    kind = {"label": said, "face": said, said: said}
    deck = {"type": "cardDeck", "id": said, "label": said, "cardTypes": {said: kind}}
    return {"widgets.json": json.dumps([deck, {"type": "hand"}]).encode()}


def _of_cgs(said: str) -> dict[str, bytes]:
    card = {"id": said, "name": said, "set": said, "text": said, said: said}
    told = {"name": said, "cardImageFileType": said}
    return {"cgs.json": json.dumps(told).encode(), "AllCards.json": json.dumps([card]).encode()}


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("program", [_of_udonarium, _of_ccfolia, _of_simulator, _of_pcio, _of_cgs])
def test_any_words_of_strangers_become_a_game(
    program: Callable[[str], dict[str, bytes]], said: str, tmp_path: Path
) -> None:
    found = found_in(pack_zip(program(SAID[said])), tmp_path / "odd.zip")
    kit = made(found, tmp_path / "game")
    assert found.title
    every = [found.title, *(text for card in kit.deck for text in _texts_of(card))]
    for text in every:
        assert len(text) <= 1_000
        assert all(line.isprintable() for line in text.split("\n")), text
    if said == "markup":
        assert kit.deck[0]["name"] == SAID[said][:60]


def _texts_of(card: Mapping[str, object]) -> Iterator[str]:
    for heading, value in card.items():
        yield heading
        yield str(value)
