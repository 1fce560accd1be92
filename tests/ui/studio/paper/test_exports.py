"""A game's cards for other programs, read back as those files are."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.exchange.zip_archive import ZipArchive
from tabletop.studio.exchange import exports, reading
from tabletop.studio.exchange.exports import ExportedCard
from tabletop.studio.exchange.found_game import FoundGame
from tabletop.studio.exchange.pictures import open_image
from tests.studio.exchange.other_programs import picture


@pytest.fixture(autouse=True)
def small_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "MAX_SHEET_PX", 500)


def exported(kind: str, tmp_path: Path) -> FoundGame:
    file = tmp_path / f"{kind}.zip"
    assert main(["export", "_blank", "--as", kind, "--lang", "ja", "--out", str(file)]) == 0
    found = reading.look(file)
    assert isinstance(found, FoundGame)
    return found


@pytest.mark.parametrize("kind", exports.EXPORTERS)
def test_every_card_arrives_in_another_program(kind: str, home: Path, tmp_path: Path) -> None:
    kit = catalogue.load("_blank")
    cards = [card for card in range(len(kit.deck)) if not kit.is_die(card)]
    found = exported(kind, tmp_path)
    assert found.missing == 0
    assert found.count == len(cards)
    assert len(found.decks) == len({kit.backs[card] for card in cards})
    assert all(card.face for deck in found.decks for card in deck.cards)
    if kind != "pictures":
        names = {card.name for deck in found.decks for card in deck.cards}
        assert "金魚" in " ".join(names)


def test_a_large_deck_fills_several_sheets(tmp_path: Path) -> None:
    cards = [
        ExportedCard(f"<{n}> & 札", "", picture("red"), picture("black"), 1 + (n == 0))
        for n in range(71)
    ]
    file = tmp_path / "big.zip"
    file.write_bytes(exports.export_simulator(cards, "大きい/箱"))
    archive = ZipArchive(file.read_bytes(), file.name)
    assert {"sheet1.png", "sheet2.png", "back1.png", "大きい 箱.json"} <= set(archive)
    sheet = open_image(archive.read("sheet1.png"))
    assert max(sheet.size) <= exports.MAX_SHEET_PX
    found = reading.look(file)
    assert [deck.count for deck in found.decks] == [72]
    file.write_bytes(exports.export_udonarium(cards, "札 & <箱>"))
    (deck,) = reading.look(file).decks
    assert (deck.name, deck.cards[0].name, deck.cards[0].copies) == ("札 & <箱>", "<0> & 札", 2)
