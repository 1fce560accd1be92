"""Translations as gettext's po files hold them: what each English text becomes.

Of contexts and plural forms the first is read; what is fuzzy, that is still to be looked at, is
none. Files are UTF-8.
"""

import re

SAID = r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"'
"""Something in quotation marks, in which a backslash lets the next sign stand for another."""
TEXT = rf"[ \t]*{SAID}[ \t\r]*\n(?:[ \t]*{SAID}[ \t\r]*\n)*"
REMARKS = r"(?:[ \t\r]*(?:#[^\n]*)?\n)*"
ENTRY = re.compile(
    rf"({REMARKS})(?:msgctxt{TEXT})?msgid({TEXT})(?:msgid_plural{TEXT})?"
    rf"msgstr(?:\[0\])?({TEXT})(?:msgstr\[\d\]{TEXT})*"
)
END = re.compile(rf"{REMARKS}[ \t\r]*\Z")
FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
PARTS = re.compile(SAID)
ESCAPED = re.compile(r"\\(.)")
SIGNS = {"n": "\n", "t": "\t", "r": "\r"}


class NoPoFile(ValueError):
    """A file that isn't a po file; says from which line on."""


def read_po(content: bytes) -> dict[str, str]:
    """By the English text: the translation, where there is one that is not fuzzy.

    Raises:
        NoPoFile: it is not UTF-8, or no po file from some line on.
    """
    try:
        text = content.decode("utf-8-sig") + "\n"
    except UnicodeDecodeError as error:
        raise NoPoFile("it is no text in UTF-8") from error
    found, at = {}, 0
    while entry := ENTRY.match(text, at):
        at = entry.end()
        remarks, english, other = entry.groups()
        if not ("fuzzy" in remarks and FUZZY.search(remarks)):
            found[_said(english)] = _said(other)
    if not END.match(text, at):
        odd = len(text) - len(text[at:].lstrip())
        raise NoPoFile(f"line {text.count(chr(10), 0, odd) + 1}")
    return {english: other for english, other in found.items() if english and other}


def entries(content: bytes) -> set[str]:
    """The English texts of a po file, those without a translation included. Raises as `read_po`."""
    read_po(content)
    text, at, found = content.decode("utf-8-sig") + "\n", 0, set()
    while entry := ENTRY.match(text, at):
        at = entry.end()
        found.add(_said(entry[2]))
    return found


def quoted(text: str) -> str:
    """A text as a po file holds it."""
    for sign, escaped in (
        ("\\", "\\\\"),
        ('"', '\\"'),
        ("\n", "\\n"),
        ("\t", "\\t"),
        ("\r", "\\r"),
    ):
        text = text.replace(sign, escaped)
    return f'"{text}"'


def _said(written: str) -> str:
    """What lines in quotation marks say."""
    said = "".join(part[1:-1] for part in PARTS.findall(written))
    return ESCAPED.sub(lambda sign: SIGNS.get(sign[1], sign[1]), said) if "\\" in said else said
