"""Retired words stay away: from identifiers of the program, from docstrings and comments,
from texts that people read, and from the papers."""

import ast
import re
import tokenize
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

import pytest

from tabletop.language.translation_check import parts, texts

HOME = Path(__file__).parents[1]
PROGRAM = ("tabletop", "ui", "packaging")

IDENTIFIERS = {
    "anew": "again",
    "calm": "rate limit",
    "chair": "seat",
    "begun": "started, so far",
    "crier": "announcer",
    "door": "admission, knock",
    "doorkeeper": "admission",
    "doorstep": "pre-handshake limiter",
    "doorway": "origin check",
    "foresight": "lookahead",
    "frugal": "template sandbox",
    "glimpse": "summary",
    "harmless": "sanitised, safe",
    "hole": "hidden card",
    "instinct": "heuristic",
    "jury": "judging",
    "lies": "the noun: spot, geometry ...",
    "mind": "agent",
    "outlet": "send queue",
    "restless": "quiescent",
    "stands": "is",
    "stranger": "unknown guest, changed certificate ...",
    "tells": "shows, returns",
    "thought": "decision",
    "told": "the noun: text, message, problem ...",
    "unlawful": "broken laws",
    "whoever": "the player, the guest ...",
    "whom": "the noun: target, viewer ...",
}
"""Words that no identifier has as a part, in singular or plural, and their replacements."""
GIVEN = {
    "begun": ("tabletop/web/page_parts.py", "tabletop/web/together.py"),  # the page's JSON
    "chair": ("tabletop/net/protocol.py", "tabletop/net/table/requests.py"),  # a message
    "lies": ("tabletop/catalogue/illustrations.py",),  # illustrations.toml
    "second_thoughts": ("tabletop/laws/laws.py",),  # a law in docs/laws.md
    "told": (
        *("tabletop/games/wording.py", "tabletop/free_table/wording.py"),  # `told` in words.toml
        *("tabletop/language/words.py", "tabletop/laws/names.py", "ui/game_check/unplaced.py"),
        *("tabletop/storage/record.py", "tabletop/storage/record_lines.py"),  # a line of a record
        *("tabletop/web/page_parts.py", "tabletop/web/seats.py"),  # the page's JSON
        "tabletop/net/operator/service.py",  # the operator's JSON
    ),
}
"""Names that files, messages or papers give, and where they are used."""
TEXTS = {
    r"\binstincts?\b": "judgement",
    r"\bholes?\b": "hidden card",
    r"\bas \w+ as can be\b": "as ... as possible",
    r"\b(whoever|whoso(ever)?|who may)\b": "anyone who",
    r"\banew\b": "again",
    r"\b(is|are|was|be|were) told\b": "is shown, gets",
    r"\bsigns\b(?= in| of a title)": "characters",
    r"\bcards? of (your|their|his|her) hand\b": "from your hand",
}
"""Patterns that no English text matches, and what is said in their place."""
DOCSTRINGS = {
    r"^(What|Whatever|Who|Whoever|Whom|Whose|How)\b": "a noun phrase or an imperative",
    r"(?-i:[.:] (What|Whatever|Who|Whoever|Whom|Whose)\b)": "subject, verb, object",
    r"^Return (what|who|whom|whose|how|where|which)\b": "Return the ...",
    r"\b(?<!`)told\b(?!`)": "shown, sent, returned, reported",
    r"\b(whoever|anew|lies on|tells)\b": "the verb of the trade",
    r"\bstands\b(?! (out|for)\b)": "is",
    r"\b(?<!`)begun\b(?!`)": "started",
    r"\b(she|herself)\b": "they",
}
"""Patterns that no docstring or comment matches; names in backticks may."""

PAPERS = {
    r"\b(told|whoever|anew|begun|who may)\b": "shown, anyone who, again, started, permission",
    r"\b(lies|stands)\b(?! out\b)": "is",
    r"\b(she|herself)\b": "they",
}
"""Patterns that no paper matches outside of code."""


def words_of(identifier: str) -> set[str]:
    """The words of a name in snake_case or CamelCase, in lower case, with singulars."""
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)]
    return {*parts, *(part.removesuffix("s") for part in parts)}


def identifiers(source: str) -> Iterator[str]:
    """Every name that a source gives or uses."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.Attribute(attr=name):
                yield name
            case ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.Name(id=name):
                yield name
            case ast.alias(asname=str(name)) | ast.MatchAs(name=str(name)):
                yield name


def docstrings(source: str) -> Iterator[str]:
    """Every docstring of a source, those below attributes included, on one line."""
    for node in ast.walk(ast.parse(source)):
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield " ".join(text.split())


def comments(source: str) -> Iterator[str]:
    """Every comment of a source, line by line."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


def retired(source: str, file: str = "") -> set[str]:
    """The identifiers of a source, and of its file's path, that have a retired part."""
    named = {*identifiers(source), *file.removesuffix(".py").split("/")}
    return {
        name
        for name in named
        if words_of(name) & IDENTIFIERS.keys() and file not in GIVEN.get(name, ())
    }


def old_fashioned(text: str, patterns: Mapping[str, str] = TEXTS) -> list[str]:
    """The present words for the old ones in a text."""
    return [n for pattern, n in patterns.items() if re.search(pattern, text, re.IGNORECASE)]


def prose(paper: str) -> str:
    """A paper without its code: fenced and indented blocks, and words in backticks."""
    paper = re.sub(r"^```.*?^```$", "", paper, flags=re.MULTILINE | re.DOTALL)
    paper = re.sub(r"^    \S.*$", "", paper, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`", "", paper)


def sources(roots: tuple[str, ...] = PROGRAM) -> dict[str, str]:
    """Every Python file below these folders by its name."""
    files = [file for root in roots for file in (HOME / root).rglob("*.py")]
    return {file.relative_to(HOME).as_posix(): file.read_text("utf-8") for file in files}


def test_no_identifier_has_a_retired_word() -> None:
    files = sources()
    assert len(files) > 500
    assert {file: names for file, text in files.items() if (names := retired(text, file))} == {}


def test_no_docstring_or_comment_has_a_retired_word() -> None:
    files = sources((*PROGRAM, "tests"))
    assert len(files) > 1000
    assert {
        f"{file}: {text[:60]}": better
        for file, source in files.items()
        for text in (*docstrings(source), *comments(source))
        if (better := old_fashioned(text, DOCSTRINGS))
    } == {}


def test_no_text_has_a_retired_word() -> None:
    places = {text: place for part in parts() for text, place in texts(part).items()}
    assert len(places) > 2000
    assert {text: place for text, place in places.items() if old_fashioned(text)} == {}


def test_no_paper_has_a_retired_word() -> None:
    generated = {"commands.md", "reference.md"}
    papers = [
        *HOME.glob("*.md"),
        *(file for file in HOME.glob("docs/**/*.md") if file.name not in generated),
        *HOME.glob("tabletop/games/*/rulebook.en.md"),
    ]
    assert len(papers) > 40
    assert {
        f"{file.relative_to(HOME)}: {line}": better
        for file in papers
        for line in prose(file.read_text("utf-8")).splitlines()
        if (better := old_fashioned(line, PAPERS))
        and not (file.name == "rulebook.en.md" and better == ["they"])  # sisters are women
    } == {}


@pytest.mark.parametrize(
    "source",
    [
        "def restless_moves(): ...",
        "class PlainInstinct: ...",
        "HOLES = 3",
        "table.doorway",
        "def play(mind): ...",
        "play(thoughts=())",
    ],
)
def test_a_retired_identifier_is_seen(source: str) -> None:
    assert retired(source)


def test_a_given_name_is_allowed_where_it_is_given_alone() -> None:
    assert retired("told = begun", "tabletop/match/match.py") == {"told", "begun"}
    assert retired("told = begun", "tabletop/games/wording.py") == {"begun"}


def test_every_given_name_is_used() -> None:
    files = sources()
    used = {(name, file) for file, text in files.items() for name in identifiers(text)}
    assert {(name, file) for name, places in GIVEN.items() for file in places} <= used


def test_a_retired_file_name_is_seen_and_a_similar_word_is_not() -> None:
    assert retired("", "tabletop/web/doorways.py") == {"doorways"}
    assert retired("whole = remind(through)") == set()


def test_a_retired_text_is_seen() -> None:
    assert old_fashioned("Play games as fast as can be.") == ["as ... as possible"]
    assert old_fashioned("Holes in a view.") == ["hidden card"]
    assert old_fashioned("The whole table is whole.") == []
    assert old_fashioned("Choose a card of your hand") == ["from your hand"]


@pytest.mark.parametrize(
    "text",
    [
        "Who may answer.",
        "Return what a move brings.",
        "A table begun anew.",
        "The seats that are told.",
        "The player whose turn she ends.",
        "A pause. Who waits is asked.",
        "The place where a piece stands.",
    ],
)
def test_a_retired_docstring_or_comment_is_seen(text: str) -> None:
    (found,) = docstrings(f'def play():\n    """{text}"""\n')
    assert old_fashioned(found, DOCSTRINGS)
    (found,) = comments(f"play()  # {text}\n")
    assert old_fashioned(found, DOCSTRINGS)


def test_a_name_in_a_docstring_is_no_retired_word() -> None:
    assert old_fashioned("`told` is called once the match has `begun`.", DOCSTRINGS) == []


def test_papers_are_read_without_their_code() -> None:
    assert old_fashioned(prose("Whoever asks is told `why`."), PAPERS)
    assert not old_fashioned(prose("It emits `told`.\n\n    host   Told | Refused\n"), PAPERS)
