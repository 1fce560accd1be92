"""Drawings that try to show a picture of the computer that draws them, or to draw for ever: of each
a function that makes it for the path of such a picture."""

import zlib
from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from struct import pack

PHOTO = "#fe01a7"
"""The colour of the picture that no drawing may show: nothing else has it."""
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' width="9" height="9" viewBox="0 0 9 9">'
)


def svg(inside: str) -> bytes:
    """A drawing that holds this."""
    return f"{HEAD}{inside}</svg>".encode()


def png(side: int = 2, *, told: int = 0) -> bytes:
    """A black PNG; `told` is the width that its head names."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return pack(">I", len(content)) + kind + content + pack(">I", zlib.crc32(kind + content))

    rows = zlib.compress(bytes(side * (1 + 3 * side)))
    head = pack(">IIBBBBB", told or side, told or side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def image(address: str) -> str:
    return f'<image width="9" height="9" xlink:href="{address}"/>'


def packed(content: bytes, kind: str) -> str:
    """A picture as an address."""
    return f"data:image/{kind};base64,{b64encode(content).decode()}"


def _zipped(drawing: bytes) -> bytes:
    from gzip import GzipFile

    buffer = BytesIO()
    with GzipFile(fileobj=buffer, mode="wb") as file:
        file.write(drawing)
    return buffer.getvalue()


def _xpm(path: str) -> bytes:
    return b'/* XPM */ static char*x[]={"1 1 1 1","a c #fe01a7","a"};'


DRAWINGS: dict[str, Callable[[str], bytes]] = {
    "path": lambda path: svg(image(path)),
    "file address": lambda path: svg(image(f"file://{path}")),
    "href without xlink": lambda path: svg(f'<image width="9" height="9" href="{path}"/>'),
    "another prefix": lambda path: svg(
        f'<image xmlns:q="http://www.w3.org/1999/xlink" width="9" height="9" q:href="{path}"/>'
    ),
    "relative": lambda path: svg(image("../secret.png")),
    "resource of Qt": lambda path: svg(image(":/qt-project.org/styles/commonstyle/images/up.png")),
    "device": lambda path: svg(image("/dev/zero")),
    "utf-16": lambda path: svg(image(path)).decode().encode("utf-16"),
    "written as signs": lambda path: svg(image("".join(f"&#{ord(sign)};" for sign in path))),
    "nested drawing": lambda path: svg(image(packed(svg(image(path)), "svg+xml"))),
    "drawing called png": lambda path: svg(image(packed(svg(image(path)), "png"))),
    "zipped drawing called png": lambda path: svg(image(packed(_zipped(svg(image(path))), "png"))),
    "xpm called png": lambda path: svg(image(packed(_xpm(path), "png"))),
    "data with a comma": lambda path: svg(image(f"data:image/png;charset=x,{path}")),
    "entity": lambda path: (
        b'<!DOCTYPE svg [<!ENTITY p "' + path.encode() + b'">]>' + svg(image("&p;"))
    ),
    "outer entity": lambda path: (
        b'<!DOCTYPE svg [<!ENTITY p SYSTEM "'
        + path.encode()
        + b'">]>'
        + svg("<text y='9'>&p;</text>")
    ),
    "given attribute": lambda path: (
        b'<!DOCTYPE svg [<!ATTLIST image href CDATA "'
        + path.encode()
        + b'">]>'
        + svg('<image width="9" height="9"/>')
    ),
    "style sheet": lambda path: (
        f'<?xml-stylesheet type="text/css" href="{path}"?>'.encode() + svg("<rect/>")
    ),
    "imported style": lambda path: svg(f"<style>@import url({path});</style><rect/>"),
    "fill by address": lambda path: svg(f'<rect width="9" height="9" fill="url({path}#a)"/>'),
    "style by address": lambda path: svg(
        f'<rect width="9" height="9" style="fill:url(\'file://{path}\')"/>'
    ),
    "escaped style": lambda path: svg(f'<rect width="9" height="9" style="fill:\\75 rl({path})"/>'),
    "use of a file": lambda path: svg(f'<use xlink:href="{path}#a"/>'),
    "font": lambda path: svg(
        f'<defs><font><font-face><font-face-src><font-face-uri xlink:href="{path}"/>'
        "</font-face-src></font-face></font></defs><text y='9'>a</text>"
    ),
    "film": lambda path: svg(f'<video width="9" height="9" xlink:href="{path}"/>'),
    "foreign object": lambda path: svg(
        f'<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml"'
        f' src="{path}"/></foreignObject>'
    ),
    "filter with a picture": lambda path: svg(
        f'<filter id="f"><feImage xlink:href="{path}"/></filter>'
        '<rect width="9" height="9" filter="url(#f)"/>'
    ),
    "address set later": lambda path: svg(
        f'<image width="9" height="9"><set attributeName="href" to="{path}"/></image>'
    ),
    "entities without end": lambda path: (
        b'<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
        b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]>'
        + svg("<text>&d;</text>")
    ),
    "png of a gigapixel": lambda path: svg(image(packed(png(told=32_000), "png"))),
}
