"""Splits Japanese text into phrases and words, between which lines may break.

The model and the patterns are slow to load, so
`line_breaks` imports this module only for Japanese text.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import budoux

Join = Callable[[str], str]
"""Function that joins the characters of a text so that no line breaks within it."""
PART_BOUNDARY = re.compile(
    r"(?<=[・／：、+\s])|(?<=\d[枚個回点人])(?=[\u4e00-\u9fff])|(?<!^)(?=（)"
)
"""Matches a boundary within a phrase: after a separator, before a bracket, or between a number with
its counter and a verb.
"""
SEPARATORS = "・／：、"
"""Characters that may end a line but never start one."""
UNBREAKABLE = re.compile(
    r"「[^「」]{1,8}」[枚個点]?|（[^（）]{1,6}）"
    r"|[\u4e00-\u9fff]?[−+]\d[\d./]*|[第各約計差]*[−+]?\d[\d.,]*(?:[%点枚個歩回人手年月日番目度周巡段種組列本分秒位面件戦勝]+|[\u30a1-\u30ff]{1,6})?"
)
"""Matches text that never breaks: short quoted names, short bracketed notes, and numbers with sign
and counter.
"""
WORD_BOUNDARY = re.compile(
    r"(?<=[\u30a1-\u30ff\u4e00-\u9fff])(?=する|して|した|し、|でき|させ|され)"
    r"|(?<=.)(?=もの|こと|ため|とき|ください|かまい|なりません|できま|あります|ありません)"
    r"|(?<=[\u3041-\u309f])(?=[\u30a1-\u30ff])"
)
"""Matches the boundary between two words of a phrase."""
ENDING_BOUNDARY = re.compile(
    r"(?<=.)(?=ように|かもしれ)|(?<=..ば)(?=.)|(?<=て)(?=い[なるたま])|(?<=[何誰]も)(?=.)"
    r"|(?<=...)(?:(?=ません|ました)|(?<!ません)(?=でした))"
)
"""Matches the boundary before the ending of a long verb."""
MAX_PHRASE = 8
"""Maximum number of characters of a phrase that never breaks."""
MAX_SHORT_PHRASE = 5
"""Maximum number of characters of a phrase that
doesn't even break when text is split into words.
"""
WORD = re.compile(
    r"[^\u3041-\u30ff]*[\u30a1-\u30ff]+[\u3041-\u309f]*"
    r"|[^\u3041-\u30ff]+[\u3041-\u309f]*|[\u3041-\u309f]+"
)
"""Matches a word with the kana that belong to it."""


def join_phrases(text: str, join: Join) -> str:
    """Return the text with each phrase joined by `join`."""
    return _join_parts(text, split_phrases, join)


def join_words(text: str, join: Join) -> str:
    """Return the text with each word joined by `join`."""
    return _join_parts(text, split_words, join)


def _join_parts(text: str, parts: Callable[[str], Iterable[str]], join: Join) -> str:
    return "".join(
        join(part)
        if len(part) <= MAX_PHRASE
        else UNBREAKABLE.sub(lambda found: join(found[0]), part)
        for line in text.splitlines(keepends=True)
        for part in parts(line)
    )


def split_phrases(line: str, cut: Callable[[str], Iterator[str]] | None = None) -> Iterator[str]:
    """Yield the phrases of a line, further split by `cut`. No piece is a single letter."""
    held = {
        at for found in UNBREAKABLE.finditer(line) for at in range(found.start() + 1, found.end())
    }
    piece, at = "", 0
    for phrase in _parser().parse(line):
        for part in (cut or _split_long_phrase)(phrase):
            single = len(piece) == 1 and piece.isalpha()
            if piece and at not in held and not single and part not in SEPARATORS:
                yield piece
                piece = ""
            piece += part
            at += len(part)
    yield piece


def split_words(line: str) -> Iterator[str]:
    """Yield the words of a line."""
    return split_phrases(line, _split_into_words)


def _split_long_phrase(phrase: str) -> Iterator[str]:
    """Yield `phrase`, or its parts if it is long.
    A leading separator is yielded first by itself.
    """
    if len(phrase) > 1 and phrase[0] in SEPARATORS:
        yield phrase[0]
        phrase = phrase[1:]
    if len(phrase) <= MAX_PHRASE:
        yield phrase
        return
    for part in filter(None, PART_BOUNDARY.split(phrase)):
        for word in WORD.findall(part) if len(part) > MAX_PHRASE else (part,):
            for inner in WORD_BOUNDARY.split(word) if len(word) > MAX_PHRASE else (word,):
                yield from filter(
                    None, ENDING_BOUNDARY.split(inner) if len(inner) > MAX_PHRASE else (inner,)
                )


def _split_into_words(phrase: str) -> Iterator[str]:
    for part in _split_long_phrase(phrase):
        yield from (
            filter(None, WORD_BOUNDARY.split(part)) if len(part) > MAX_SHORT_PHRASE else (part,)
        )


@cache
def _parser() -> budoux.Parser:
    return budoux.load_default_japanese_parser()
