"""Percentages: one way of writing them in each language."""

import re

import pytest

from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.studio.translation.translation_check import (
    catalogue_folders,
    texts_in_folder,
    translated_texts,
)

ODD = re.compile(r"\s%|％|[0-9}] percent")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_share_is_written_without_a_space(language: str) -> None:
    words = Words(language)
    assert [words.percent(share) for share in (0, 0.144, 1)] == ["0%", "14%", "100%"]
    assert words.percent(0.1449, 1) == "14.5%"


@pytest.mark.parametrize("part", catalogue_folders(), ids=lambda part: part.name)
def test_every_text_writes_them_so(part) -> None:
    english = texts_in_folder(part)
    assert [
        text for text in (*english, *translated_texts(part, "ja").values()) if ODD.search(text)
    ] == []
