"""Small workbooks as Excel and LibreOffice write them, and outsize ones."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

Cells = Sequence[Sequence[str | float]]
Pictures = Mapping[tuple[int, int], str]

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = f"""<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/></Types>"""
_ROOT = f"""<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="r1" Type="{_REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>"""
_ODS = "urn:oasis:names:tc:opendocument:xmlns"


def xlsx(
    sheets: dict[str, Cells],
    extra: str = "",
    hidden: Sequence[str] = (),
    pasted: Pictures | None = None,
    placed: Pictures | None = None,
    media: dict[str, bytes] | None = None,
) -> bytes:
    """A workbook of Excel with these sheets; `extra` is put into each.

    `hidden` are names of further sheets. `pasted` pictures lie on the first sheet, and `placed`
    ones are the content of its cells, by row and column from 1. `media` are the pictures.
    """
    shown = dict.fromkeys(sheets, "") | dict.fromkeys(hidden, ' state="hidden"')
    names = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"{state}/>'
        for n, (name, state) in enumerate(shown.items(), 1)
    )
    links = "".join(
        f'<Relationship Id="r{n}" Type="{_REL}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(shown) + 1)
    )
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _ROOT,
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_REL}">'
        f"<sheets>{names}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _links(links),
    }
    for n, name in enumerate(shown, 1):
        inside = "".join(
            f'<row r="{y}">{"".join(_cell(x, y, cell) for x, cell in enumerate(row))}'
            f"{_placed_cells(placed, y) if n == 1 else ''}</row>"
            for y, row in enumerate(sheets.get(name, ()), 1)
        )
        files[f"xl/worksheets/sheet{n}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{inside}{extra}</sheetData></worksheet>'
        )
    files |= _drawing(pasted or {}) | _rich_values(placed or {})
    return _packed(files | {f"xl/media/{name}": each for name, each in (media or {}).items()})


def _links(links: str) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'


def _image_links(pictures: Pictures) -> str:
    return _links(
        "".join(
            f'<Relationship Id="p{n}" Type="{_REL}/image" Target="../media/{name}"/>'
            for n, name in enumerate(pictures.values())
        )
    )


def _drawing(pasted: Pictures) -> dict[str, str | bytes]:
    """The parts of pictures that lie on the first sheet."""
    if not pasted:
        return {}
    anchors = "".join(
        f"<xdr:oneCellAnchor><xdr:from><xdr:col>{column - 1}</xdr:col><xdr:colOff>0</xdr:colOff>"
        f"<xdr:row>{row - 1}</xdr:row></xdr:from><xdr:pic><xdr:blipFill>"
        f'<a:blip r:embed="p{n}"/></xdr:blipFill></xdr:pic></xdr:oneCellAnchor>'
        for n, (row, column) in enumerate(pasted)
    )
    link = f'<Relationship Id="d" Type="{_REL}/drawing" Target="../drawings/drawing1.xml"/>'
    return {
        "xl/worksheets/_rels/sheet1.xml.rels": _links(link),
        "xl/drawings/_rels/drawing1.xml.rels": _image_links(pasted),
        "xl/drawings/drawing1.xml": f'<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:r="{_REL}">'
        f"{anchors}</xdr:wsDr>",
    }


def _placed_cells(placed: Pictures | None, row: int) -> str:
    return "".join(
        f'<c r="{chr(64 + column)}{y}" t="e" vm="{n}"><v>#VALUE!</v></c>'
        for n, (y, column) in enumerate(placed or {}, 1)
        if y == row
    )


def _rich_values(placed: Pictures) -> dict[str, str | bytes]:
    """The parts of pictures that were placed in cells."""
    if not placed:
        return {}
    numbers = range(len(placed))
    rich = "".join(f'<bk><ext><xlrd:rvb i="{n}"/></ext></bk>' for n in numbers)
    values = "".join(f'<bk><rc t="1" v="{n}"/></bk>' for n in numbers)
    return {
        "xl/metadata.xml": f'<metadata xmlns:xlrd="l"><futureMetadata>{rich}</futureMetadata>'
        f"<valueMetadata>{values}</valueMetadata></metadata>",
        "xl/richData/rdrichvalue.xml": "<rvData>"
        + "".join(f'<rv s="0"><v>{n}</v><v>5</v></rv>' for n in numbers)
        + "</rvData>",
        "xl/richData/richValueRel.xml": f'<richValueRels xmlns:r="{_REL}">'
        + "".join(f'<rel r:id="p{n}"/>' for n in numbers)
        + "</richValueRels>",
        "xl/richData/_rels/richValueRel.xml.rels": _image_links(placed),
    }


def _cell(x: int, y: int, cell: str | float) -> str:
    place = f"{chr(65 + x)}{y}"
    if cell == "":
        return ""
    if isinstance(cell, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
    return f'<c r="{place}"><v>{cell}</v></c>'


def ods(rows: Cells, extra: str = "", files: dict[str, bytes] | None = None) -> bytes:
    """A workbook of LibreOffice; `extra` are further rows, and `files` further parts. A cell that
    begins with "<table:" is XML.
    """
    inside = "".join(
        f"<table:table-row>{''.join(map(_open_cell, row))}"
        '<table:table-cell table:number-columns-repeated="16380"/></table:table-row>'
        for row in rows
    )
    content = (
        f'<office:document-content xmlns:office="{_ODS}:office:1.0" '
        f'xmlns:table="{_ODS}:table:1.0" xmlns:text="{_ODS}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="Sheet1">{inside}{extra}'
        '<table:table-row table:number-rows-repeated="1048570"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row></table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{_ODS}:manifest:1.0"><manifest:file-entry '
        f'manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>'
    )
    parts = {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest}
    return _packed(parts | (files or {}))


def _open_cell(cell: str | float) -> str:
    if cell == "":
        return "<table:table-cell/>"
    if isinstance(cell, str) and cell.startswith("<table:"):
        return cell
    if isinstance(cell, str):
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in cell.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
    return (
        f'<table:table-cell office:value-type="float" office:value="{cell}">'
        f"<text:p>{cell}</text:p></table:table-cell>"
    )


def _packed(files: Mapping[str, str | bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
