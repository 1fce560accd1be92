"""Sheets and workbooks of strangers: limits that hold while they are read."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from tabletop.games import card_sheet, sheet_limits
from tabletop.games.typed_toml import BrokenFile, unknown_word
from tests.studio.workshop.workbooks import ods, xlsx

ROWS = (("name", "copies"), ("Carp", 2.0))
FAR = "farther out than any sheet"
MUCH = "more cells or text than any sheet"
DAMAGED = "is no workbook, or is damaged"
PILE = "a" + "\u0315\u0300" * 20_000


def refused(content: bytes, name: str) -> str:
    with pytest.raises(BrokenFile) as told:
        card_sheet.read_cards(card_sheet.sheet_from_file(content, name))
    return str(told.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name" + "," * 500 + "\nCarp\n", "row 1: there are more than 500 columns"),
        ("name\n" + "\n" * 20_000, "row 20001: there are more than 20000 rows"),
        ("name\n" + ("a," * 499 + "\n") * 500, "row 401: there are more than 200000 cells"),
        ("name\n" + "x" * 32_768, "row 2: column 1: there are more than 32767 characters"),
        ("name\n" + ",a" * 600_000, "line 2: it is longer than any of a sheet of cards"),
        ("name," + "x" * 201 + "\nCarp,1\n", "a column name has more than 200 characters"),
        ("name,cost\nCarp,x" + PILE[:30_000], "column 2: a character has more than 30 accents"),
        ("name,x" + PILE[:30_000] + "\nCarp,1", "column 2: a character has more than 30 accents"),
        ("name\n" + "x" * 9 * 2**20, "is larger than 8 MiB"),
        ('name,copies\nCarp,"' + "9" * 30_000 + '"\n', f'not "{"9" * 60}…"'),
        ('sep="\nname"copies\na"1\n', "no column is called"),
    ],
)
def test_a_sheet_goes_no_farther(text: str, told: str) -> None:
    assert told in refused(text.encode(), "cards.csv")


def test_an_odd_character_far_out_is_one_sentence() -> None:
    long_cell = "名前,a\n".encode() + b"x" * 200_000 + b"\xff\n"
    for content in (long_cell, "あ\n".encode() * 30_000 + b"\xff"):
        assert "a character cannot be read" in refused(content, "cards.csv")


def test_headings_that_are_listed_are_few() -> None:
    text = ",".join(f"column of mine {n}" for n in range(400)) + "\nCarp\n"
    assert len(refused(text.encode(), "cards.csv")) < 600
    assert len(unknown_word("x" * 10_000, ["x" * 10_000] * 1_000)) < 100


CELL = '<row><c r="{}" t="inlineStr"><is><t>z</t></is></c></row>'
BOOKS = {
    "small letters": (CELL.format("xfd1048576"), FAR),
    "a space": (CELL.format("XFD1048576").replace("r=", "r ="), FAR),
    "a reference": (CELL.format("XFD1&#48;48576"), FAR),
    "no reference": ("<row/>" * 20_000 + "<row><c><v>1</v></c></row>", FAR),
    "many cells": (CELL.format("RR15000"), MUCH),
    "a long text": (f'<row><c r="A3"><v>{"9" * 40_000}</v></c></row>', MUCH),
    "no place": (CELL.format("A"), DAMAGED),
    "no style": ('<row><c r="C3" s="4294967295"><v>1e308</v></c></row>', ""),
    "no date": ('<row><c r="C3" t="d"><v>never</v></c></row>', ""),
    "no number": ('<row><c r="C3"><v>many</v></c></row>', ""),
    "a formula": ('<row><c r="C3"><f t="shared" si="4000000000" ref="A1">1</f></c></row>', ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", BOOKS)
def test_a_workbook_of_excel_goes_no_farther(kind: str) -> None:
    inside, told = BOOKS[kind]
    content = xlsx({"cards": ROWS}, inside)
    if told:
        assert told in refused(content, "cards.xlsx")
    else:
        assert card_sheet.sheet_from_file(content, "cards.xlsx").rows[1][:2] == ("Carp", "2")


def changed(content: bytes, names: dict[str, str], texts: dict[str, bytes]) -> bytes:
    """Return a workbook with other names for its parts, and other texts in them."""
    out = BytesIO()
    with ZipFile(BytesIO(content)) as archive, ZipFile(out, "w") as again:
        for name in archive.namelist():
            part = archive.read(name)
            for old, new in names.items():
                part = part.replace(old.encode(), new.encode())
            new_name = next((new for old, new in names.items() if name.endswith(old)), "")
            path = f"xl/{new_name}" if new_name else name
            again.writestr(path, texts.get(name, part))
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize("name", ["elsewhere/sheet1.xml", "worksheets/sheet1.XML"])
def test_a_sheet_at_another_place_is_measured(name: str) -> None:
    moved = {"worksheets/sheet1.xml": name}
    far = xlsx({"cards": ROWS}, CELL.format("XFD1048576"))
    assert FAR in refused(changed(far, moved, {}), "cards.xlsx")
    near = card_sheet.sheet_from_file(changed(xlsx({"cards": ROWS}), moved, {}), "cards.xlsx")
    assert near.rows == (("name", "copies"), ("Carp", "2"))


def test_a_sheet_in_another_encoding_is_measured() -> None:
    content = xlsx({"cards": ROWS}, CELL.format("XFD1048576"))
    with ZipFile(BytesIO(content)) as archive:
        text = archive.read(SHEET).decode()
    wide = ('<?xml version="1.0" encoding="UTF-16"?>' + text).encode("utf-16")
    assert FAR in refused(changed(content, {}, {SHEET: wide}), "cards.xlsx")
    grammar = b'<!DOCTYPE x [<!ENTITY a "z">]>' + text.encode()
    assert DAMAGED in refused(changed(content, {}, {SHEET: grammar}), "cards.xlsx")


def test_only_the_sheet_of_the_cards_is_read() -> None:
    book = xlsx({"notes": ROWS, "カード": ROWS})
    broken = changed(book, {}, {SHEET: b"<worksheet>" * 1_000})
    assert card_sheet.sheet_from_file(broken, "cards.xlsx").rows[1] == ("Carp", "2")


def with_strings(text: str, uses: int, head: str = "<sst>") -> bytes:
    cells = "".join(
        f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(3, uses + 3)
    )
    book = xlsx({"cards": ROWS}, cells)
    out = BytesIO(book)
    with ZipFile(out, "a") as archive:
        archive.writestr("xl/sharedStrings.xml", f"{head}<si><t>{text}</t></si></sst>")
    return out.getvalue()


def test_a_text_that_many_cells_share_counts_for_each() -> None:
    assert MUCH in refused(with_strings("x" * 30_000, 300), "cards.xlsx")
    sheet = card_sheet.sheet_from_file(with_strings("Heron", 3), "cards.xlsx")
    assert [row[0] for row in sheet.rows[2:]] == ["Heron"] * 3


def test_a_number_of_texts_that_is_too_large_is_not_believed() -> None:
    head = '<sst uniqueCount="18446744073709551615">'
    assert (
        card_sheet.sheet_from_file(with_strings("Heron", 1, head), "cards.xlsx").rows[2][0]
        == "Heron"
    )


def test_merged_areas_are_counted() -> None:
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>1</v></c></row>' for n in range(3, 20_000))
    book = xlsx({"cards": ROWS}, rows)
    with ZipFile(BytesIO(book)) as archive:
        text = archive.read(SHEET).decode()
    areas = "".join(f'<mergeCell ref="A{n}:A20000"/>' for n in range(3, 60))
    merged = text.replace("</worksheet>", f"<mergeCells>{areas}</mergeCells></worksheet>")
    assert MUCH in refused(changed(book, {}, {SHEET: merged.encode()}), "cards.xlsx")


def cell(text: str, more: str = "") -> str:
    return (
        f'<table:table-cell office:value-type="string" {more}><text:p>{text}</text:p>'
        "</table:table-cell>"
    )


OPEN_BOOKS = {
    "a repeated text": ('<table:table-row table:number-rows-repeated="300">'
                        + cell("x" * 5_000, 'table:number-columns-repeated="20"')
                        + "</table:table-row>", MUCH),
    "spaces": ("<table:table-row>" + cell('<text:s text:c="9999999"/>')
               + "</table:table-row>", MUCH),
    "no type": ('<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
                'office:boolean-value="true"/></table:table-row>', FAR),
    "a negative number": (f'<table:table-row table:number-rows-repeated="-5">{cell("z")}'
                          "</table:table-row>", DAMAGED),
    "no number": (f'<table:table-row table:number-rows-repeated="x">{cell("z")}'
                  "</table:table-row>", DAMAGED),
    "spans": ("<table:table-row>"
              + cell("z", 'table:number-rows-spanned="9999999"') * 20 + "</table:table-row>", MUCH),
    "empty rows": ('<table:table-row table:number-rows-repeated="9999999"><table:table-cell/>'
                   "</table:table-row>", ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", OPEN_BOOKS)
def test_a_workbook_of_libreoffice_goes_no_farther(kind: str) -> None:
    inside, told = OPEN_BOOKS[kind]
    content = ods(ROWS, inside)
    if told:
        assert told in refused(content, "cards.ods")
    else:
        assert card_sheet.sheet_from_file(content, "cards.ods").rows == (
            ("name", "copies"),
            ("Carp", "2"),
        )


def test_the_limits_leave_room_for_any_game() -> None:
    columns = 60
    text = ",".join(["name", *(f"field {n}" for n in range(columns))]) + "\n"
    text += "".join(f"Card {n}{',12' * columns}\n" for n in range(card_sheet.MAX_CARD_ROWS))
    assert (
        len(card_sheet.read_cards(card_sheet.sheet_from_file(text.encode(), "cards.csv")))
        == card_sheet.MAX_CARD_ROWS
    )
    assert sheet_limits.MAX_CELLS >= 100 * card_sheet.MAX_CARD_ROWS


def test_numbers_keep_their_formats() -> None:
    numbers = (-0.5, 45_000, -599_999, 2_958_465, 1e300)
    styled = "".join(
        f'<row r="{row}"><c r="A{row}" s="{style}"><v>{number}</v></c></row>'
        for row, (style, number) in enumerate([(s, n) for s in (0, 1) for n in numbers], 3)
    )
    out = BytesIO(xlsx({"cards": ROWS}, styled))
    with ZipFile(out, "a") as archive:
        styles = '<styleSheet><cellXfs><xf numFmtId="9"/><xf numFmtId="14"/></cellXfs></styleSheet>'
        archive.writestr("xl/styles.xml", styles)
    shown = [row[0] for row in card_sheet.sheet_from_file(out.getvalue(), "cards.xlsx").rows[2:]]
    assert shown[:2] == ["-50%", "4500000%"]
    assert (shown[6], shown[8]) == ("2023-03-15", "9999-12-31")
    assert shown[4] == shown[9] == str(int(1e300))
