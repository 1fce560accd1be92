"""Lists the games for software centres: fills the gaps of a metainfo file.

    python3 shelf.py TEMPLATE [ADDRESS] > FILE

ADDRESS is where the pictures of `assets/readme/` are on the web; without it no pictures are named.
"""

import sys
from html import escape
from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words


def titles(kit: GameKit) -> dict[str, str]:
    """The game's title and what it feels like, in each language."""
    said = {language: Words(language, kit) for language in LANGUAGES}
    return {code: f"{words(kit.box.title)}: {words(kit.box.feel)}" for code, words in said.items()}


def each(tag: str, texts: dict[str, str]) -> list[str]:
    """The text as an element for every language, English unmarked."""
    marks = {"en": "", **{code: f' xml:lang="{code}"' for code in LANGUAGES if code != "en"}}
    return [f"<{tag}{marks[code]}>{escape(text)}</{tag}>" for code, text in texts.items()]


def finished() -> list[GameKit]:
    """The games on the shelf that are no drafts."""
    return [kit for kit in catalogue.shelf() if not kit.is_draft]


def games() -> str:
    return "\n".join(line for kit in finished() for line in each("li", titles(kit)))


def screenshots(address: str) -> str:
    if not address:
        return ""
    made = ["<screenshots>"]
    for number, kit in enumerate(finished()):
        made += [
            '<screenshot type="default">' if number == 0 else "<screenshot>",
            *each("caption", titles(kit)),
            f"<image>{escape(address)}/{kit.id}.png</image>",
            "</screenshot>",
        ]
    return "\n".join([*made, "</screenshots>"])


def filled(template: str, address: str) -> str:
    return template.replace("@GAMES@", games()).replace("@SCREENSHOTS@", screenshots(address))


if __name__ == "__main__":
    template = Path(sys.argv[1]).read_text(encoding="utf-8")
    print(filled(template, sys.argv[2] if len(sys.argv) > 2 else ""), end="")
