"""Imports of files that are made to cost time or memory, or to meet a library's own errors."""

import json
from collections.abc import Iterator
from io import BytesIO
from itertools import count
from pathlib import Path
from struct import pack
from zipfile import ZIP_DEFLATED, ZipFile
from zlib import crc32

import pytest
from PIL import Image

from tabletop.catalogue import game_folders
from tabletop.exchange import game_file
from tabletop.exchange.zip_archive import ZipArchive, pack_zip
from tabletop.files.errors import BadFile
from tabletop.files.safe_xml import BadXml, parse_xml
from tabletop.studio.exchange import picture_folder, pictures, reading, untrusted_data
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tests.studio.exchange.other_programs import picture

PILE = "a" + "\u0315\u0300" * 30_000


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")


def squeezed(files: dict[str, str]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def found_in(content: bytes, file: Path) -> FoundGame:
    file.write_bytes(content)
    found = reading.look(file)
    assert isinstance(found, FoundGame)
    return found


# Cards


def test_cards_are_counted_while_they_come_in() -> None:
    endless = (FoundCard(str(number)) for number in count())
    with pytest.raises(BadFile, match="more than 2000 different cards"):
        DeckCollector("a").add_deck("Deck", endless)
    alike = (FoundCard("Carp") for _ in count())
    with pytest.raises(BadFile, match="more than 5000 cards"):
        DeckCollector("a").add_deck("Deck", alike)
    decks = DeckCollector("a")
    with pytest.raises(BadFile, match="more than 40 decks"):
        [decks.add_deck("Deck", [FoundCard("Carp")]) for _ in range(41)]  # type: ignore[func-returns-value]


def test_decks_without_cards_are_no_decks() -> None:
    decks = DeckCollector("a")
    for _ in range(100):
        decks.add_deck("Deck", [])
    decks.add_deck("", [FoundCard("Carp", copies=2), FoundCard("Carp")])
    (deck,) = decks.finish()
    assert (deck.name, deck.cards) == ("Deck 101", (FoundCard("Carp", copies=3),))


MANY = {
    "ccfolia": {"__data.json": '{"entities":{"decks":{"d":{"items":{'
                + ",".join(f'"{n:x}":{{}}' for n in range(900_000)) + "}}}}}"},
    "pcio": {"widgets.json": "[" + ",".join(["[]"] * 2_000_000) + "]"},
    "cgs": {"AllCards.json": "[" + ",".join(["{}"] * 2_000_000) + "]"},
    "simulator": {"save.json": '{"ObjectStates":[' + ",".join(["1"] * 2_000_000) + "]}"},
}  # fmt: skip


@pytest.mark.parametrize("program", MANY)
def test_json_with_millions_of_values_is_never_decoded(program: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="it holds too much"):
        found_in(squeezed(MANY[program]), tmp_path / "room.zip")


ATTRIBUTES = " ".join(f'a{n}="1"' for n in range(200_000))
NESTED = "<card-stack>" * 50 + "<a/>" * 150_000 + "<card/>" * 40_000 + "</card-stack>" * 50
XML = {
    "nested stacks": (NESTED, "more than 2000 different cards"),
    "attributes": (f"<a {ATTRIBUTES}/>", "isn't XML"),
    "a comment": (f"<!--{'x' * 3_000_000}--><card-stack/>", "isn't XML"),
    "texts": ("<card-stack>" + "<b/>x" * 150_000 + "</card-stack>", "holds no cards"),
    "an encoding": ('<?xml version="1.0" encoding="idna"?><card-stack/>', "isn't XML"),
    "another encoding": ('<?xml version="1.0" encoding="zlib_codec"?><card-stack/>', "isn't XML"),
    "no encoding": ('<?xml version="1.0" encoding="undefined"?><card-stack/>', "isn't XML"),
    "a control": ("<card>&#x1b;</card>", "isn't XML"),
}  # fmt: skip


@pytest.mark.parametrize("kind", XML)
def test_xml_is_read_within_limits(kind: str, tmp_path: Path) -> None:
    text, told = XML[kind]
    with pytest.raises(BadFile, match=told):
        found_in(squeezed({"data.xml": text}), tmp_path / "room.zip")


def test_elements_of_all_files_count_together(tmp_path: Path) -> None:
    half = "<r>" + "<a/>" * (untrusted_data.MAX_ELEMENTS // 2) + "</r>"
    with pytest.raises(BadFile, match=r"2\.xml"):
        found_in(squeezed({"1.xml": half, "2.xml": half}), tmp_path / "room.zip")


def test_a_stack_in_another_one_is_a_part_of_it(tmp_path: Path) -> None:
    inner = f"<card-stack>{of_udonarium('Heron')}</card-stack>"
    text = f"<r><card-stack>{of_udonarium('Carp')}{inner}</card-stack>{of_udonarium('Frog')}</r>"
    found = found_in(squeezed({"data.xml": text}), tmp_path / "room.zip")
    decks = [[card.name for card in deck.cards] for deck in found.decks]
    assert decks == [["Carp", "Heron"], ["Frog"]]


def test_callbacks_may_refuse_an_element() -> None:
    def refuse(name: str, given: dict[str, str]) -> None:
        raise BadFile("No.")

    with pytest.raises(BadFile):
        parse_xml(b"<a/>", refuse, lambda _: None, lambda _: None, 10, 10)
    with pytest.raises(BadXml):
        parse_xml(b"<a>", lambda *_: None, lambda _: None, lambda _: None, 10, 10)


def of_ccfolia(name: str, memo: str) -> dict[str, str]:
    deck = {"name": name, "items": {"1": {"memo": memo}}}
    return {"__data.json": json.dumps({"entities": {"decks": {"d": deck}}})}


def of_udonarium(name: str) -> str:
    named = f'<data name="common"><data name="name">{name}</data></data>'
    return f'<card><data name="card">{named}</data></card>'


PILED = {
    "ccfolia": of_ccfolia("Deck", PILE),
    "a deck": of_ccfolia(PILE, "Carp"),
    "pcio": {"widgets.json": json.dumps([{"type": "cardDeck", "cardTypes": {"a": {"x": PILE}}}])},
    "cgs": {"AllCards.json": json.dumps([{"name": PILE}])},
    "simulator": {"a.json": json.dumps({"ObjectStates": [{"Name": "Card", "Description": PILE}]})},
    "Udonarium": {"a.xml": of_udonarium(PILE)},
    "hidden signs": {"AllCards.json": json.dumps([{"name": "a" + ("\u0300" * 9 + "\u200b") * 5}])},
}


@pytest.mark.parametrize("program", PILED)
def test_piled_accents_are_one_sentence(program: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="a character has more than 30 accents"):
        found_in(squeezed(PILED[program]), tmp_path / "room.zip")


def test_a_title_with_piled_accents_is_cut(tmp_path: Path) -> None:
    data = {
        "entities": {"room": {"name": PILE}, "decks": {"d": {"items": {"1": {"memo": "Carp"}}}}}
    }
    found = found_in(squeezed({"__data.json": json.dumps(data)}), tmp_path / "room.zip")
    assert len(found.title) <= 60


def test_sheets_of_one_folder_count_together(tmp_path: Path) -> None:
    sheet = "name,copies\n" + "Carp,0\n" * 1_900
    with pytest.raises(BadFile, match="more than 200000 cells"):
        found_in(squeezed({f"{n}.csv": sheet for n in range(80)}), tmp_path / "room.zip")


# Archives


def local(name: str = "a.png") -> bytes:
    return pack_zip({name: picture("red"), "b.png": picture("red")})


def with_offset(offset: int) -> bytes:
    """Return an archive whose list says that its first file begins there."""
    content = bytearray(local())
    at = content.find(b"PK\x01\x02") + 42
    content[at : at + 4] = pack("<I", offset)
    return bytes(content)


def moved_list() -> bytes:
    """Return an archive whose list seems to begin before its beginning."""
    content = bytearray(local())
    end = content.rfind(b"PK\x05\x06") + 16
    content[end : end + 4] = pack("<I", int.from_bytes(content[end : end + 4], "little") + 50)
    return bytes(content)


def large_offset() -> bytes:
    """Return an archive whose file begins beyond 64 bits."""
    content, body, name = local(), picture("red"), b"a.png"
    extra = pack("<HHQ", 1, 8, 2**64 - 16)
    head = pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0, crc32(body), len(body),
                len(body), len(name), len(extra), 0, 0, 0, 0, 0xFFFFFFFF)  # fmt: skip
    entry = head + name + extra
    files = content[: content.find(b"PK\x01\x02")]
    end = pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(files), 0)
    return files + entry + end


def odd_name() -> bytes:
    """Return an archive in which a file's own name isn't UTF-8."""
    content = bytearray(local("カード.png"))
    content[content.find("カード".encode())] = 0xFF
    return bytes(content)


@pytest.mark.parametrize(
    "content", [with_offset(0xFFFFFFF0), moved_list(), large_offset(), odd_name()]
)
def test_a_damaged_archive_is_one_sentence(content: bytes) -> None:
    archive = ZipArchive(content, "a.zip")
    refused = []
    for name in archive:
        try:
            archive.read(name)
        except BadFile as error:
            refused.append(str(error))
    assert refused
    assert all("is damaged" in each for each in refused)


def test_names_and_numbers_of_files_are_limited() -> None:
    with pytest.raises(BadFile, match="more than 500 characters"):
        ZipArchive(pack_zip({"_" * 497 + ".png": b"", "b": b""}), "a.zip")
    with pytest.raises(BadFile, match="more than 2000 files"):
        ZipArchive(local() + b"PK\x01\x02" * 30_000, "a.zip")
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr("a.png", b"x")
        archive.writestr("b/", b"")
    without_name = out.getvalue().replace(b"a.png", b"\0.png")
    assert [*ZipArchive(without_name, "a.zip")] == []


@pytest.mark.parametrize("name", [".", "/", "//x", "..", "./", "\\"])
def test_odd_names_in_a_game_are_one_sentence(name: str, tmp_path: Path) -> None:
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr(name, b"x")
    (tmp_path / "a.tabletop-game").write_bytes(out.getvalue())
    with pytest.raises(BadFile, match="was not taken in"):
        game_file.read_game_file(tmp_path / "a.tabletop-game")


def test_numbers_in_names_are_sorted_however_long() -> None:
    names = ["a10", "a9", "a" + "9" * 5_000, "b", "a01", "2", "10", "0"]
    order = ["0", "2", "10", "a01", "a9", "a10", "a" + "9" * 5_000, "b"]
    assert sorted(names, key=picture_folder._natural) == order


def test_copies_are_read_from_long_names(tmp_path: Path) -> None:
    long = "_" * 240
    names = (f"{long}.png", f"{long}x3.png", "鯉 (2枚).png", "x2.png", "Heron-x12.png", "9x.png")
    found = found_in(pack_zip({name: picture("red") for name in names}), tmp_path / "deck.zip")
    cards = {card.name: card.copies for card in found.decks[0].cards}
    assert cards["鯉"] == 2
    assert (cards["Heron"], cards["x2"], cards["9x"]) == (12, 2, 1)
    assert sum(cards.values()) == 21


# Pictures


class Files:
    """A source of these files that counts how often each is read."""

    def __init__(self, **files: bytes) -> None:
        self._files = {f"{name}.png": content for name, content in files.items()}
        self.reads: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def read(self, name: str) -> bytes:
        self.reads.append(name)
        return self._files[name]


def test_a_picture_that_cannot_be_read_is_tried_once() -> None:
    files = Files(bad=picture("red", (300, 300))[:-40], good=picture("red"))
    found = FoundPictures(files)
    for number in range(50):
        assert found.load("bad.png") == found.load_cell("bad.png", 2, 2, number % 4) == ""
        assert found.load("good.png") == "good.png"
    assert files.reads == ["bad.png", "good.png"]
    assert found.missing == 1


def test_two_sheets_in_turn_are_each_decoded_once() -> None:
    files = Files(face=picture("red", (300, 300)), back=picture("blue", (300, 300)))
    found = FoundPictures(files)
    names = [found.load_cell(f"{side}.png", 3, 3, n) for n in range(9) for side in ("face", "back")]
    assert len({*names}) == len(found.kept) == 18
    assert files.reads == ["face.png", "back.png"]


def test_pixels_are_counted_before_they_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_TOTAL_PIXELS", 25_000)
    decoded: list[object] = []
    decode = pictures._decode
    monkeypatch.setattr(pictures, "_decode", lambda image: (decoded.append(image), decode(image)))
    files = Files(**{f"p{n}": picture("red", (100, 100)) for n in range(9)})
    found = FoundPictures(files)
    assert [bool(found.load(f"p{n}.png")) for n in range(9)] == [True, True, *[False] * 7]
    assert len(decoded) == 2
    assert len(files.reads) == 3


def test_pictures_that_are_too_large_together_are_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pictures, "MAX_KEPT_BYTES", 1_000)
    files = Files(**{f"p{n}": picture("red") for n in range(90)})
    found = FoundPictures(files)
    with pytest.raises(BadFile, match="larger than"):
        [found.load(f"p{number}.png") for number in range(90)]


def test_pictures_beyond_the_first_megabytes_are_written_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pictures, "MAX_UNCHANGED_BYTES", len(picture("red")))
    found = FoundPictures(Files(first=picture("red"), second=picture("red")))
    assert found.kept[found.load("first.png")].content == picture("red")
    assert found.kept[found.load("second.png")].suffix == ".jpg"


@pytest.mark.parametrize("size", [(5, 5), (1, 400), (400, 1)])
def test_a_sheet_smaller_than_its_cells_is_missing(size: tuple[int, int]) -> None:
    found = FoundPictures(Files(sheet=picture("red", size)))
    names = [found.load_cell("sheet.png", 20, 20, number) for number in range(400)]
    assert all(name == "" or name in found.kept for name in names)
    assert "" in names


def test_a_sheet_of_4096_by_4096_is_cut() -> None:
    out = BytesIO()
    Image.new("L", (4_096, 4_096)).save(out, "PNG")
    found = FoundPictures(Files(sheet=out.getvalue()))
    assert found.kept[found.load_cell("sheet.png", 10, 7, 69)].size == (410, 585)


def test_a_picture_like_a_line_becomes_a_game(tmp_path: Path) -> None:
    from tabletop.studio.exchange import free_game

    found = found_in(pack_zip({"a.png": picture("red", (9_000, 1))}), tmp_path / "deck.zip")
    free_game.write(found, tmp_path / "game", "Line")
    assert "240,1" in (tmp_path / "game" / "cards.csv").read_text("utf-8")
