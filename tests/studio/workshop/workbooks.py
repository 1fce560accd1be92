"""Small workbooks as Excel and LibreOffice write them, and outsize ones."""

from collections.abc import Sequence
from io import BytesIO
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

Cells = Sequence[Sequence[str | float]]

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = f"""<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/></Types>"""
_ROOT = f"""<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="r1" Type="{_REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>"""
_ODS = "urn:oasis:names:tc:opendocument:xmlns"


def xlsx(sheets: dict[str, Cells], extra: str = "") -> bytes:
    """A workbook of Excel with these sheets; `extra` is put into each."""
    names = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(sheets, 1)
    )
    links = "".join(
        f'<Relationship Id="r{n}" Type="{_REL}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    files = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _ROOT,
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_REL}">'
        f"<sheets>{names}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{links}</Relationships>",
    }
    for n, rows in enumerate(sheets.values(), 1):
        inside = "".join(
            f'<row r="{y}">{"".join(_cell(x, y, cell) for x, cell in enumerate(row))}</row>'
            for y, row in enumerate(rows, 1)
        )
        files[f"xl/worksheets/sheet{n}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{inside}{extra}</sheetData></worksheet>'
        )
    return _packed(files)


def _cell(x: int, y: int, cell: str | float) -> str:
    place = f"{chr(65 + x)}{y}"
    if cell == "":
        return ""
    if isinstance(cell, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
    return f'<c r="{place}"><v>{cell}</v></c>'


def ods(rows: Cells, extra: str = "") -> bytes:
    """A workbook of LibreOffice; `extra` are further rows."""
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
    files = {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest}
    return _packed(files)


def _open_cell(cell: str | float) -> str:
    if cell == "":
        return "<table:table-cell/>"
    if isinstance(cell, str):
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in cell.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
    return (
        f'<table:table-cell office:value-type="float" office:value="{cell}">'
        f"<text:p>{cell}</text:p></table:table-cell>"
    )


def _packed(files: dict[str, str]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
