"""The rulebooks of a game as tests read them."""

import re
from dataclasses import dataclass

from tabletop.catalogue import catalogue

LANGUAGES = ("en", "ja")


@dataclass(frozen=True)
class Book:
    """The rulebook of one game, in each language."""

    game: str

    def text(self, language: str) -> str:
        return catalogue.load(self.game).read_text(f"rulebook.{language}.md")

    def headings(self, language: str) -> list[str]:
        return re.findall(r"^#{1,6} +(.+)$", self.text(language), re.MULTILINE)

    def numbers(self, language: str) -> list[str]:
        """The numbers of the numbered headings, in order."""
        found = (re.match(r"(\d+(?:\.\d+)*)\s\S", h) for h in self.headings(language))
        return [match[1] for match in found if match]

    def paragraphs(self, language: str) -> dict[str, str]:
        """The text under each numbered heading, by its number."""
        heading = r"^#{1,6} +(\d+(?:\.\d+)*)\s.*$"
        parts = re.split(heading, self.text(language), flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2], strict=True))

    def tables(self, language: str) -> list[tuple[str, list[list[str]]]]:
        """Each table as the number of its paragraph and its rows of cells."""
        return [
            (number, [_cells(row) for row in block.splitlines()])
            for number, body in self.paragraphs(language).items()
            for block in re.findall(r"(?:^\|.*\n)+", body, re.MULTILINE)
        ]

    def shapes(self, language: str) -> list[tuple[str, list[int]]]:
        """Each table as the number of its paragraph and how many cells its rows have."""
        return [(number, [len(row) for row in rows]) for number, rows in self.tables(language)]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split("|")[1:-1]]
