"""Sanitises SVG files from untrusted sources: parses them and writes only allowed content.

Qt's SVG reader opens files named in a drawing (`href`, style sheets) and expands entities. A
sanitised drawing refers only to its own elements and embedded pictures.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from collections.abc import Mapping
from typing import NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from ui.style.broken_drawing import MalformedSvg, UnsafeSvg
from ui.style.photograph import UnreadableImage, read_image_size

MAX_ELEMENTS = 20_000
"""Maximum number of elements in a drawing, counting an element once per reference to it."""
MAX_DEPTH = 60
"""Maximum nesting depth of elements."""
MAX_LAYERS = 8
"""Maximum nesting depth of elements that are each rendered into a separate layer."""
MAX_BYTES = 8 << 20
"""Maximum size of a drawing, in bytes."""
MAX_PICTURES = 64
"""Maximum number of pictures embedded in a drawing."""
MAX_PIXELS = 24_000_000
"""Maximum total number of pixels of the pictures embedded in a drawing."""

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
_SEPARATOR = "|"
"""The separator between namespace and name in the parser's output."""

_ELEMENTS = """
    a circle defs ellipse feGaussianBlur filter g image line linearGradient mask path pattern
    polygon polyline radialGradient rect stop style svg switch symbol tbreak text textArea tspan
    use
    """
ELEMENTS = frozenset(_ELEMENTS.split())
_STYLE = """
    color color-interpolation display fill fill-opacity fill-rule filter font-family font-size
    font-style font-variant font-weight image-rendering letter-spacing mask opacity stop-color
    stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
    stroke-miterlimit stroke-opacity stroke-width text-anchor vector-effect visibility
    """
STYLE_PROPERTIES = frozenset(_STYLE.split())
"""The allowed properties, either as attributes or in a style."""
_PLACES = """
    cx cy d dx dy filterUnits fx fy gradientTransform gradientUnits height line-increment
    maskContentUnits maskUnits offset orient patternContentUnits patternTransform patternUnits
    points preserveAspectRatio primitiveUnits r rotate rx ry spreadMethod stdDeviation transform
    version viewBox width x x1 x2 y y1 y2
    """
GEOMETRY_ATTRIBUTES = frozenset(_PLACES.split())
"""The allowed attributes for positions and shapes."""
NAME_ATTRIBUTES = frozenset(("class", "id"))
_HREFS = frozenset(("href", f"{XLINK}{_SEPARATOR}href"))
_XML_SPACE = "http://www.w3.org/XML/1998/namespace" + _SEPARATOR + "space"
_LAYERED = frozenset(("opacity", "mask", "filter"))

_FRAGMENT = re.compile(r"#[\w.:-]{1,200}")
_DATA = re.compile(r"data:image/(png|jpe?g|webp);base64,([A-Za-z0-9+/=\s]*)", re.ASCII)
_URL = re.compile(r"url\s*\(", re.IGNORECASE)
_OWN_URL = re.compile(r"""url\(\s*(['"]?)#[\w.:-]{1,200}\1\s*\)""")
_LARGE_NUMBER = re.compile(r"(?<![\d.])\d{8}|[\d.]e\+?(?:[7-9]|0*[1-9]\d)", re.IGNORECASE)
"""Matches numbers of eight or more digits, which make Qt compute for a long time."""
TOO_MANY_ELEMENTS = "it draws more than any picture needs"
_RULE = re.compile(r"\s*([^{}]{1,2000})\{([^{}]*)\}")
_CLASSES = re.compile(r"\s*\.[\w-]+(?:\s*,\s*\.[\w-]+)*\s*")
_NAMED = re.compile(r"#([\w.:-]+)")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def sanitize_svg(svg: bytes) -> bytes:
    """Return `svg` with nothing but allowed elements, attributes and pictures.

    Raises:
        UnsafeSvg: `svg` isn't an SVG, refers to something outside itself, or exceeds a limit.
    """
    if len(svg) > MAX_BYTES:
        raise UnsafeSvg("the picture is larger than any that can be drawn")
    return _SvgSanitizer().sanitize(svg)


class _SvgSanitizer:
    """Rewrites one drawing while the parser reads it."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
        self._out: list[str] = []
        self._open: list[str] = []
        """The names of the open elements."""
        self._dropped_depth = 0
        """The nesting depth within a dropped element; 0 outside."""
        self._layers: list[bool] = []
        self._style_text: list[str] | None = None
        self._pictures = 0
        self._pixels = 0
        self._counts = _DrawnElementCounter()

    def sanitize(self, svg: bytes) -> bytes:
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._on_start
        parser.EndElementHandler = self._on_end
        parser.CharacterDataHandler = self._on_text
        parser.EntityDeclHandler = self._on_entity
        parser.StartDoctypeDeclHandler = self._on_doctype
        try:
            parser.Parse(svg, True)
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code)
            raise MalformedSvg(f"it is no SVG: {why}", error.lineno) from error
        except (ValueError, LookupError) as error:  # an unknown encoding
            raise MalformedSvg("it is no SVG: its encoding is unknown") from error
        self._counts.check()
        return "".join(self._out).encode()

    def _reject(self, why: str) -> NoReturn:
        raise UnsafeSvg(why, self._parser.CurrentLineNumber)

    def _on_entity(self, *_: object) -> None:
        self._reject("it declares entities: a picture holds all that it shows")

    def _on_doctype(self, name: str, system: object, public: object, inside: int) -> None:
        if inside:
            self._reject("it declares its own elements: a picture holds all that it shows")

    def _on_start(self, full: str, given: Mapping[str, str]) -> None:
        space, _, name = full.rpartition(_SEPARATOR)
        if not self._open and not self._dropped_depth and (name != "svg" or space not in (SVG, "")):
            self._reject("it is no SVG: its outermost element is another one")
        if self._dropped_depth or space not in (SVG, "") or name not in ELEMENTS:
            self._dropped_depth += 1
            return
        if len(self._open) >= MAX_DEPTH:
            self._reject("its elements lie deeper in each other than any picture needs")
        kept = self._clean_attributes(name, given)
        declared = kept.get("style", "")
        self._layers.append(any(each in kept or f"{each}:" in declared for each in _LAYERED))
        if sum(self._layers) > MAX_LAYERS:
            self._reject("it lays more sheets over each other than any picture needs")
        root = not self._open
        self._open.append(name)
        self._counts.begin(kept)
        if name == "style":
            self._style_text = []
            return
        spaces = f' xmlns="{SVG}" xmlns:xlink="{XLINK}"' if root else ""
        attributes = "".join(f" {key}={quoteattr(value)}" for key, value in kept.items())
        self._out.append(f"<{name}{spaces}{attributes}>")

    def _on_end(self, full: str) -> None:
        if self._dropped_depth:
            self._dropped_depth -= 1
            return
        name = self._open.pop()
        self._layers.pop()
        self._counts.end()
        if self._style_text is not None:
            sheet, self._style_text = "".join(self._style_text), None
            self._out.append(f"<style>{escape(self._clean_stylesheet(sheet))}</style>")
            return
        self._out.append(f"</{name}>")

    def _on_text(self, text: str) -> None:
        if self._dropped_depth or not self._open:
            return
        if self._style_text is not None:
            self._style_text.append(text)
        else:
            self._out.append(escape(text))

    def _clean_attributes(self, element: str, given: Mapping[str, str]) -> dict[str, str]:
        kept: dict[str, str] = {}
        for key, value in given.items():
            if key in _HREFS:
                if element != "a":  # links are drawn without their address
                    kept["xlink:href"] = self._clean_href(element, value)
            elif key == "style":
                kept[key] = self._clean_declarations(value)
            elif key in GEOMETRY_ATTRIBUTES:
                kept[key] = self._clean_geometry(value)
            elif key in STYLE_PROPERTIES:
                kept[key] = self._clean_property(key, value)
            elif key in NAME_ATTRIBUTES:
                kept[key] = value
            elif key == _XML_SPACE:
                kept["xml:space"] = value
        return kept

    def _clean_href(self, element: str, value: str) -> str:
        address = value.strip()
        if element != "image":
            if _FRAGMENT.fullmatch(address):
                return address
            self._reject("it names something outside: a picture holds all that it shows")
        if not address:
            return ""
        found = _DATA.fullmatch(address)
        if found is None:
            self._reject("it names other files: a picture holds all that it shows")
        kind = found[1].replace("jpg", "jpeg")
        try:
            content = b64decode("".join(found[2].split()), validate=True)
            size = read_image_size(content, kind)
        except (NoBase64, UnreadableImage):
            self._reject(f"it holds a picture that is no {kind.upper()}")
        self._pictures += 1
        self._pixels += size.width() * size.height()
        if self._pictures > MAX_PICTURES or self._pixels > MAX_PIXELS:
            self._reject("it holds more pictures than any drawing needs")
        return f"data:image/{kind};base64,{b64encode(content).decode()}"

    def _clean_geometry(self, value: str) -> str:
        if _LARGE_NUMBER.search(value):
            self._reject("it names a number larger than any picture needs")
        return self._reject_references(value)

    def _clean_property(self, key: str, value: str) -> str:
        if (
            key != "font-family"
            and not value.lstrip().startswith("#")
            and _LARGE_NUMBER.search(value)
        ):
            self._reject("it names a number larger than any picture needs")
        return self._reject_references(value)

    def _reject_references(self, value: str) -> str:
        """Return `value`, or raise UnsafeSvg if it refers to something outside the drawing."""
        if "\\" in value or len(_URL.findall(value)) != len(_OWN_URL.findall(value)):
            self._reject("it names something outside: a picture holds all that it shows")
        return value

    def _clean_declarations(self, style: str) -> str:
        kept: list[str] = []
        for each in _COMMENT.sub("", style).split(";"):
            key, colon, value = (part.strip() for part in each.partition(":"))
            if colon and key in STYLE_PROPERTIES:
                kept.append(f"{key}:{self._clean_property(key, value)}")
        return ";".join(kept)

    def _clean_stylesheet(self, sheet: str) -> str:
        """Return the rules of a style sheet whose
        selectors are classes; other rules are dropped.
        """
        sheet = _COMMENT.sub("", sheet)
        if "@" in sheet or "<" in sheet:
            self._reject("its style names others: a picture holds all that it shows")
        rules: list[str] = []
        for selector, style in _RULE.findall(self._reject_references(sheet)):
            if _CLASSES.fullmatch(selector):
                declared = self._clean_declarations(style)
                rules.append(f"{selector.strip()}{{{declared}}}")
                for each in selector.split(","):
                    self._counts.add_rule(each.strip()[1:], declared)
        return "\n".join(rules)


class _DrawnElementCounter:
    """Counts the elements that a drawing renders, once
    per reference to them. Qt limits only their depth.
    """

    def __init__(self) -> None:
        self._children: list[list[int]] = []
        """The indexes of each element's children."""
        self._targets: list[set[str]] = []
        self._classes: list[list[str]] = []
        self._of_classes: dict[str, set[str]] = {}
        self._ids: dict[str, int] = {}
        self._open: list[int] = []
        self._totals: dict[int, int] = {}

    def begin(self, attributes: Mapping[str, str]) -> None:
        """Record the start of an element with its allowed attributes."""
        number = len(self._children)
        if number > MAX_ELEMENTS:
            raise UnsafeSvg(TOO_MANY_ELEMENTS)
        if self._open:
            self._children[self._open[-1]].append(number)
        self._open.append(number)
        self._children.append([])
        self._targets.append(
            {name for key, value in attributes.items() for name in _referenced_ids(key, value)}
        )
        self._classes.append(attributes.get("class", "").split())
        if "id" in attributes:
            self._ids[attributes["id"]] = number

    def end(self) -> None:
        """Record the end of the innermost element."""
        self._open.pop()

    def add_rule(self, name: str, style: str) -> None:
        """Record the style of the class `name`."""
        self._of_classes.setdefault(name, set()).update(_referenced_ids("style", style))

    def check(self) -> None:
        """Check the number of rendered elements.

        Raises:
            UnsafeSvg: the drawing renders more than `MAX_ELEMENTS` elements.
        """
        if self._children and self._count_drawn(0, 0) > MAX_ELEMENTS:
            raise UnsafeSvg(TOO_MANY_ELEMENTS)

    def _count_drawn(self, number: int, depth: int) -> int:
        if number not in self._totals:
            if depth > 4 * MAX_DEPTH:
                return MAX_ELEMENTS + 1
            self._totals[number] = MAX_ELEMENTS + 1  # stops the recursion of a self-reference
            names = set(self._targets[number])
            for each in self._classes[number]:
                names |= self._of_classes.get(each, set())
            parts = [
                *self._children[number],
                *(self._ids[each] for each in names & self._ids.keys()),
            ]
            whole = 1
            for part in parts:
                whole = min(whole + self._count_drawn(part, depth + 1), MAX_ELEMENTS + 1)
            self._totals[number] = whole
        return self._totals[number]


def _referenced_ids(key: str, value: str) -> list[str]:
    if key == "xlink:href":
        return [value[1:]] if value.startswith("#") else []
    return _NAMED.findall(value) if _URL.search(value) else []
