"""The page about what strangers send names every decoder, and nothing that is not there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HOME = Path(__file__).parents[1]
PAGE = (HOME / "docs" / "decisions" / "strangers.md").read_text("utf-8")
PARTS = ("net", "web", "catalogue", "exchange", "storage")
PARTS += ("studio/exchange", "server/public_archive")
DECODERS = frozenset(
    (
        "Decoder",
        "GzipFile",
        "TomlFile",
        "b64decode",
        "convert",
        "from_json",
        "from_xml",
        "json_decoder",
        "msgpack_decoder",
        "decode",
        "decompress",
        "decompressobj",
        "fromstring",
        "load_pem_private_key",
        "load_pem_x509_certificate",
        "loads",
        "parse_qs",
        "parsed",
        "read_po",
        "read_regular",
        "translations",
        "unpack",
        "unpack_from",
        "urlsplit",
    )
)
"""Names of functions that make values of bytes or of text."""
OWN = {
    "tabletop/server/log_lines.py",
    "tabletop/studio/exchange/exports.py",
}
"""Where only what this program made here is decoded."""
ROW = re.compile(r"^\| (?!what|-)(.+) \|$", re.MULTILINE)


def decoding() -> Iterator[str]:
    """The modules that decode something."""
    for part in PARTS:
        for file in sorted((HOME / "tabletop" / part).rglob("*.py")):
            calls = (
                node.func
                for node in ast.walk(ast.parse(file.read_text("utf-8")))
                if isinstance(node, ast.Call)
            )
            names = {
                each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "")
                for each in calls
            }
            if names & DECODERS:
                yield file.relative_to(HOME).as_posix()


def test_every_decoder_is_on_the_page() -> None:
    found = [*decoding()]
    assert len(found) > 20
    assert [each for each in found if f"`{each}`" not in PAGE and each not in OWN] == []


def test_every_line_has_its_check_its_limits_and_its_test() -> None:
    rows = [row.split(" | ") for row in ROW.findall(PAGE)]
    assert len(rows) > 25
    for row in rows:
        assert len(row) == 6, row
        assert re.search(r"`(tabletop|ui)/", row[1]), row
        tests = re.findall(r"`(tests/[\w./]+)`", row[5])
        assert tests, row
        assert all((HOME / test).is_file() for test in tests), row
