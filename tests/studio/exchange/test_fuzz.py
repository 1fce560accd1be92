"""Damaged files of every kind end in a result, or in the one error of their decoder."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from PIL import Image

from tabletop.background import worker_process
from tabletop.catalogue import game_folders
from tabletop.exchange import game_file
from tabletop.exchange.zip_archive import ZipArchive, pack_zip
from tabletop.files.errors import BadFile
from tabletop.games import card_sheet, game_info
from tabletop.games.folder_content import read_game_files
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.protocol import invitation
from tabletop.protocol.invitation import BadInvitation
from tabletop.studio.exchange import free_game, reading
from tabletop.studio.exchange.found_game import FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.workshop import new_game
from tabletop.text.translations import BrokenCatalogue, load_translations
from tests.mutations import mutated
from tests.studio.exchange.other_programs import ccfolia, cgs, pcio, picture, simulator, udonarium
from tests.studio.workshop.workbooks import ods, xlsx

INPUTS = 500
"""Damaged inputs of each kind."""
SHEETS = Path(__file__).parents[1] / "workshop" / "sheets"
ROWS = (("名前", "枚数", "効果"), ("鯉", 3.0, "一行目\n二行目"), ("鷺", "３枚", ""))
CSV = '名前,枚数,効果,name.en,コスト(金)\n鯉,3,"一行目, 二行目",Carp,"￥1,200"\n合計,3,,,\n'
TOML = """\
back = ["back"]
[box]
title = "Pond"
seats = [2, 3]
minutes = 20
feel = "Calm."
credit = "Mio"
rules = 1
[[card]]
for = { n = "1..3", kind = ["carp", "heron"] }
name = "{kind} {n}"
points = 2.5
[[dice]]
sides = 6
"""
PO = """\
# A comment.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#, python-format
msgid "Hand"
msgstr "手札"

msgid "one"
msgid_plural "many"
msgstr[0] "一"
msgstr[1] "多"
"""
INVITATIONS = (
    f"tabletop://192.168.1.4:18920/quiet-otter?code=K7MPQ2&fp={'ab' * 32}&at=%5Bfe80::1%25eth0%5D",
    "Join me: <https://example.com/#K7MPQ2>, or [::1]:18920 with the code K7M PQ2.",
    "https://safe.example/?url=tabletop%253A%252F%252Fhost%252Ft%253Fcode%253DK7MPQ2",
)  # fmt: skip


@pytest.fixture(autouse=True)
def without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode hundreds of workbooks in this process: a worker for each would take minutes."""
    monkeypatch.setattr(worker_process, "in_child_process", lambda: True)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")


def damaged(seeds: tuple[bytes, ...], name: str) -> Iterator[bytes]:
    """Yield damaged inputs: archives as they are, or with a damaged file in them."""
    for number in range(INPUTS):
        chance = random.Random(f"{name} {number}")
        seed = chance.choice(seeds)
        yield _repacked(seed, chance) if number % 3 else mutated(seed, chance)


def _repacked(seed: bytes, chance: random.Random) -> bytes:
    if not seed.startswith(b"PK"):
        return mutated(seed, chance)
    with ZipFile(BytesIO(seed)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice([*files])
    if chance.random() < 0.2:
        content = files.pop(name)
        with suppress(UnicodeDecodeError):
            name = mutated(name.encode(), chance).decode()
        files[name] = content
    else:
        files[name] = mutated(files[name], chance)
    out = BytesIO()
    with ZipFile(out, "w", ZIP_STORED) as again:
        for each, content in files.items():
            again.writestr(each.replace("\0", "") or "x", content)
    return out.getvalue()


def as_folder(folder: Path) -> bytes:
    """Return the zip of a folder's files."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return pack_zip({each.relative_to(folder).as_posix(): each.read_bytes() for each in files})


# Decoders: each takes a damaged input, and may raise only the error that stands beside it


def open_archive(content: bytes, folder: Path) -> None:
    archive = ZipArchive(content, "a.zip")
    for name in archive:
        with suppress(BadFile):
            archive.read(name)


def read_sheet(suffix: str, content: bytes, folder: Path) -> None:
    sheet = card_sheet.sheet_from_file(content, f"cards{suffix}")
    card_sheet.sheet_columns(sheet)
    card_sheet.read_cards(sheet)
    assert card_sheet.sheet_from_csv(card_sheet.export_csv(sheet).decode()).rows


def take_in(suffix: str, content: bytes, folder: Path) -> None:
    """Import a file of another program, and read what was made of it."""
    file = folder / f"game{suffix}"
    file.write_bytes(content)
    found = reading.look(file)
    if not isinstance(found, FoundGame):
        return
    made = folder / "made"
    free_game.write(found, made, found.title)
    sheet = card_sheet.find_sheet(made)
    cards = game_info.read_game_cards(
        "made", (made / game_info.CARDS_TOML).read_text("utf-8"), sheet
    )
    sums = sum(card.name in card_sheet.TOTAL_LABELS for deck in found.decks for card in deck.cards)
    assert len(cards.deck()) == found.count or sums


def read_game(content: bytes, folder: Path) -> None:
    file = folder / f"game{game_file.GAME_FILE_SUFFIX}"
    file.write_bytes(content)
    assert game_file.read_game_file(file).question


class OnePicture:
    """A source with one file."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[str]:
        return iter(("a.png",))

    def __contains__(self, name: str) -> bool:
        return name == "a.png"

    def read(self, name: str) -> bytes:
        return self._content


def read_picture(content: bytes, folder: Path) -> None:
    found = FoundPictures(OnePicture(content))
    for columns, rows in ((1, 1), (2, 3), (20, 20)):
        name = found.load_cell("a", columns, rows, 0)
        assert (name in found.kept) == bool(name)
    assert found.load("a.png") in ("a.png", "")


def read_translations(content: bytes, folder: Path) -> None:
    file = folder / "ja.po"
    file.write_bytes(content)
    load_translations(file).gettext("Hand")


def read_toml(content: bytes, folder: Path) -> None:
    with suppress(UnicodeDecodeError):
        TomlFile("cards.toml", content.decode(), 4).read(game_info.Cards)
        game_info.read_game_cards("pond", content.decode(), None)


def read_invitation(content: bytes, folder: Path) -> None:
    text = content.decode(errors="surrogateescape")
    invitation.has_invitation(text)
    invitation.has_link(text)
    invitation.normalise_code(text)
    for read in (
        invitation.parse_server,
        invitation.parse_address_or_invitation,
        invitation.parse_code,
    ):
        with suppress(BadInvitation):
            read(text)
    invitation.parse_invitation(text)


@cache
def shared_game() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "pond"
        new_game.create_game("Pond", folder, "free")
        return pack_zip(read_game_files(folder))


@cache
def pictures() -> tuple[bytes, ...]:
    size = (60, 84)
    clear = BytesIO()
    Image.new("RGBA", size, (200, 30, 30, 90)).save(clear, "PNG")
    palette = BytesIO()
    Image.new("P", size).save(palette, "GIF")
    kinds = (picture("red", size, kind) for kind in ("PNG", "JPEG", "WEBP"))
    return (*kinds, clear.getvalue(), palette.getvalue())


@cache
def folders() -> dict[str, bytes]:
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        simulator(Path(home) / "tts")
        cgs(Path(home) / "cgs")
        return {name: as_folder(Path(home) / name) for name in ("tts", "cgs")}


def picture_files() -> bytes:
    names = ("a/10.png", "a/2_x3.png", "鯉 4枚.png", "a/裏.png", "wide/sea.jpg")
    return pack_zip({name: picture("red") for name in names})


class NeverRaised(Exception):
    """The error of a decoder that has none: a picture that can't be read is missing."""


Decoder = Callable[[bytes, Path], None]
DECODERS: dict[str, tuple[Callable[[], tuple[bytes, ...]], Decoder, type[Exception]]] = {
    "zip": (lambda: (ccfolia(), picture_files()), open_archive, BadFile),
    "xlsx": (
        lambda: (xlsx({"カード": ROWS}), *((SHEETS / each).read_bytes() for each in
                 ("excel.xlsx", "libreoffice.xlsx", "error.xlsx"))),
        partial(read_sheet, ".xlsx"),
        BrokenFile,
    ),
    "ods": (
        lambda: (ods(ROWS), *((SHEETS / each).read_bytes() for each in
                 ("libreoffice.ods", "error.ods"))),
        partial(read_sheet, ".ods"),
        BrokenFile,
    ),
    "csv": (
        lambda: tuple(CSV.encode(each) for each in ("utf-8", "utf-8-sig", "cp932", "utf-16")),
        partial(read_sheet, ".csv"),
        BrokenFile,
    ),
    "sheet in a zip": (
        lambda: (pack_zip({"cards.csv": CSV.encode(), "a.png": picture("red")}),),
        partial(take_in, ".zip"),
        BadFile,
    ),
    "ccfolia": (lambda: (ccfolia(),), partial(take_in, ".zip"), BadFile),
    "pcio": (lambda: (pcio(),), partial(take_in, ".pcio"), BadFile),
    "Card Game Simulator": (lambda: (folders()["cgs"],), partial(take_in, ".zip"), BadFile),
    "Tabletop Simulator": (lambda: (folders()["tts"],), partial(take_in, ".zip"), BadFile),
    "Udonarium": (lambda: (udonarium(),), partial(take_in, ".zip"), BadFile),
    "picture folder": (lambda: (picture_files(),), partial(take_in, ".zip"), BadFile),
    "tabletop-game": (lambda: (shared_game(),), read_game, BadFile),
    "picture": (pictures, read_picture, NeverRaised),
    "translations": (lambda: (PO.encode(),), read_translations, BrokenCatalogue),
    "TOML": (lambda: (TOML.encode(),), read_toml, BrokenFile),
    "invitation": (
        lambda: tuple(each.encode() for each in INVITATIONS), read_invitation, BadInvitation
    ),
}  # fmt: skip
"""By the name of each kind of file: good ones, their decoder, and its only error."""


@pytest.mark.parametrize("kind", DECODERS)
def test_damaged_files_end_in_one_kind_of_error(kind: str, tmp_path: Path) -> None:
    seeds, decode, error = DECODERS[kind]
    good = refused = 0
    for number, content in enumerate(damaged(seeds(), kind)):
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            decode(content, folder)
            good += 1
        except error:
            refused += 1
    assert good + refused == INPUTS
    assert good > INPUTS / 50
    assert refused > INPUTS / 50 or error is NeverRaised
