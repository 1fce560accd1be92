"""Japanese text wrapped between phrases, never within a word."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache

import budoux
from PySide6.QtGui import QAccessible

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
JOINT = re.compile(r"(?<=\S)(?=\S)")
"""Between two characters of a phrase, neither of which is a space."""
PART = re.compile(r"(?<=[・／：、+\s])|(?<=\d[枚個回点人])(?=[\u4e00-\u9fff])|(?<!^)(?=（)")
"""Between two parts of a phrase: after a separator, before a bracket, and after a number of things
before a verb."""
SEPARATORS = "・／：、"
"""Signs at which a line may end, and never begins."""
HELD = re.compile(
    r"「[^「」]{1,8}」[枚個点]?|（[^（）]{1,6}）"
    r"|[\u4e00-\u9fff]?[−+]\d[\d./]*|[第各約計差]*[−+]?\d[\d.,]*(?:[%点枚個歩回人手年月日番目度周巡段種組列本分秒位面件戦勝]+|[\u30a1-\u30ff]{1,6})?"
)
"""What no line breaks: a short name in quotes, a short note in brackets, a number with its sign and
its counter."""
FORMULA = re.compile(r"[\w()]{1,8}(?:[×−+＝][\w()]{1,8}){1,4}")
WITHIN = re.compile(
    r"(?<=[\u30a1-\u30ff\u4e00-\u9fff])(?=する|して|した|し、|でき|させ|され)"
    r"|(?<=.)(?=もの|こと|ため|とき|ください|かまい|なりません|できま|あります|ありません)"
    r"|(?<=[\u3041-\u309f])(?=[\u30a1-\u30ff])"
)
"""Between two words of a phrase."""
ENDING = re.compile(
    r"(?<=.)(?=ように|かもしれ)|(?<=..ば)(?=.)|(?<=て)(?=い[なるたま])|(?<=[何誰]も)(?=.)"
    r"|(?<=....)(?:(?=ません|ました)|(?<!ません)(?=でした))"
)
"""Before the ending of a long verb."""
JOINER = "\u2060"
"""U+2060, at which no line is broken, and which nothing shows."""
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""A letter of a script that parts no words by spaces, such as Thai."""
SPACED = re.compile(r"\S+\s*|\s+")
ENDLESS = re.compile(r"[^\s\u2060\u3040-\u30ff\u4e00-\u9fff]{16,}")
"""A word, such as a player's name, for which a column may be too narrow."""
OPENING = "\u200b"
"""U+200B, at which a line may be broken, and which nothing shows."""
LONGEST = 8
"""Characters of a phrase that is kept whole; a longer one may find no room in a line."""
SHORT = 5
"""Characters of a phrase whose words are kept together, too."""
WORD = re.compile(
    r"[^\u3041-\u30ff]*[\u30a1-\u30ff]+[\u3041-\u309f]*"
    r"|[^\u3041-\u30ff]+[\u3041-\u309f]*|[\u3041-\u309f]+"
)
"""A word with the kana that belong to it: what is kept whole of a longer phrase."""


def read_by_phrases(text: str) -> str:
    """The same for a text whose letters a screen reader takes as they are: where one listens, it
    would read a joined word letter by letter."""
    return text if QAccessible.isActive() else by_phrases(text)


@lru_cache(2_000)
def by_phrases(text: str) -> str:
    """The text with the characters of each Japanese phrase joined, for what wraps it."""
    return _joined(text, _pieces_of_japanese)


def for_column(text: str) -> str:
    """The same for a narrow column: a word that is longer than its lines is broken at any letter,
    so that nothing of it is cut off."""
    return ENDLESS.sub(lambda found: OPENING.join(found[0]), by_phrases(text))


@lru_cache(200)
def by_words(text: str) -> str:
    """The same with each Japanese word, for a paragraph whose lines are to be of a length."""
    return _joined(text, _words_of_japanese)


def _joined(text: str, parts: Callable[[str], Iterable[str]]) -> str:
    def join(found: re.Match[str]) -> str:
        return JOINT.sub(JOINER, found[0])

    if not JAPANESE.search(text):
        return FORMULA.sub(join, text)
    return "".join(
        JOINT.sub(JOINER, part) if len(part) <= LONGEST else HELD.sub(join, part)
        for line in text.splitlines(keepends=True)
        for part in parts(line)
    )


def pieces(line: str) -> list[str]:
    """The parts of a line of text between which it may be broken: phrases in Japanese, words where
    they are parted by spaces, in other scripts without spaces every letter."""
    if JAPANESE.search(line):
        return list(_pieces_of_japanese(line))
    if UNSPACED.search(line) and " " not in line:
        return list(line)
    return SPACED.findall(line)


def _pieces_of_japanese(
    line: str, cut: Callable[[str], Iterator[str]] | None = None
) -> Iterator[str]:
    """The phrases of a line, cut into parts; none is a single letter."""
    held = {at for found in HELD.finditer(line) for at in range(found.start() + 1, found.end())}
    piece, at = "", 0
    for phrase in _parser().parse(line):
        for part in (cut or _parts)(phrase):
            single = len(piece) == 1 and piece.isalpha()
            if piece and at not in held and not single and part not in SEPARATORS:
                yield piece
                piece = ""
            piece += part
            at += len(part)
    yield piece


def words(line: str) -> list[str]:
    """The same, of Japanese its words, for short lines that are to be of a length."""
    return list(_words_of_japanese(line)) if JAPANESE.search(line) else pieces(line)


def _words_of_japanese(line: str) -> Iterator[str]:
    return _pieces_of_japanese(line, _words)


def _parts(phrase: str) -> Iterator[str]:
    """A phrase, a long one in its words; a separator before it belongs to what it parts it from."""
    if len(phrase) > 1 and phrase[0] in SEPARATORS:
        yield phrase[0]
        phrase = phrase[1:]
    if len(phrase) <= LONGEST:
        yield phrase
        return
    for part in filter(None, PART.split(phrase)):
        for word in WORD.findall(part) if len(part) > LONGEST else (part,):
            for inner in WITHIN.split(word) if len(word) > LONGEST else (word,):
                yield from filter(None, ENDING.split(inner) if len(inner) > LONGEST else (inner,))


def _words(phrase: str) -> Iterator[str]:
    for part in _parts(phrase):
        yield from filter(None, WITHIN.split(part)) if len(part) > SHORT else (part,)


@cache
def _parser() -> budoux.Parser:
    return budoux.load_default_japanese_parser()
