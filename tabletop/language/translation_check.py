"""The check of translations: which English texts there are, and which a ja.po does not have.

Which texts there are is read off the files, without running anything:

- in Python, the first argument of a call that speaks (`SPEAKING`), both sentences of `whisper`, the
  fourth argument of `Result`, and every argument called `word...`; of conditional expressions both
  arms; of a name the literals it is bound to, in the same function or in the module, tuples and
  dicts with all they hold;
- in a game's rules.py also every sentence: a literal with a space that ends with a full stop, so
  that a text may come from a function;
- in a game's cards.toml the texts of the box, of its options and of the cards, in its cards.csv
  those of the cards;
- in its first.toml the texts of the lessons, and in its illustrations.toml those of the signs;
- in its words.toml everything but the paragraphs; in a free.toml names and captions;
- in its meaning.toml and table.toml whatever a key of `LAID_OUT` holds (`game_texts.py`).

Elsewhere a text is marked with `phrase`. Folders whose name begins with "_" are left out.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tabletop.games import card_sheet
from tabletop.games.kit import file_text
from tabletop.games.typed_toml import TomlFile
from tabletop.language.game_texts import CARD, DATA
from tabletop.text import phrases
from tabletop.text.phrases import GAP, translations

SPEAKING = frozenset(
    {
        *("say", "phrase", "Reason", "Note", "ScoreLine"),
        *("BadFile", "OtherRules", "Damaged", "StorageError"),
        *("t", "tr", "words", "_words", "self"),  # `Words` is called by these names
    }
)
"""Calls whose first argument is a text, by the last part of their name."""


def parts() -> tuple[Path, ...]:
    """The folders that have a catalogue of their own: the games, the program, its screens."""
    games = (
        each for folder in ("games", "templates") for each in (phrases.HOME / folder).glob("*")
    )
    shelf = sorted(game for game in games if game.is_dir() and not game.name.startswith("_"))
    return (*shelf, phrases.HOME, *phrases.screens())


# The check

Places = dict[str, str]
"""Where each text was first found, by the text."""


def missing(language: str) -> list[str]:
    """Every text of the program that has no translation to this language."""
    return [text for part in parts() for text in _untranslated(part, texts(part), language)]


def untranslated(folder: Path, language: str) -> Places:
    """The texts of a folder, wherever it lies, without a translation to this language."""
    found = texts(folder)
    return {text: found[text] for text in _untranslated(folder, found, language)}


def complaints(language: str) -> list[str]:
    """All that is wrong with the translations to this language, a line for each."""
    found = {part: texts(part) for part in parts()}
    lines = [
        f"{_short(file)}:{line}: a translated text cannot be an f-string; give its gaps names"
        for file, line in _f_strings()
    ]
    program = translations(phrases.HOME / f"{language}.po")
    for part, places in found.items():
        catalogue = _short(part / f"{language}.po")
        known = translations(part / f"{language}.po")
        used = set().union(*found.values()) if part == phrases.HOME else places.keys()
        for text in _untranslated(part, places, language):
            lines.append(f'{places[text]}: no translation in {catalogue} of "{text}"')
        for text, translation in known.items():
            if text not in used:
                lines.append(f'{catalogue}: nothing says "{text}" any more')
            elif part in phrases.screens() and text in program:
                lines.append(f'{catalogue}: "{text}" is never read, as the program itself has it')
            elif set(GAP.findall(text)) != set(GAP.findall(translation)):
                lines.append(f'{catalogue}: other gaps than in "{text}"')
    return lines


def texts(part: Path) -> Places:
    """Every text of a folder, without those of folders that have a catalogue of their own."""
    inside = [other for other in parts() if other != part and part in other.parents]
    found: Places = {}
    for file in _sources(part):
        if not any(other in file.parents for other in inside):
            for line, text in spoken(file.read_text("utf-8"), rules=file.name == "rules.py"):
                found.setdefault(text, f"{_short(file)}:{line}")
    seats = 0
    for name, texts_of in DATA.items():
        file = part / name
        if file.is_file():
            written = TomlFile(name, file.read_text("utf-8"), seats).table
            seats = max(written.get("box", {}).get("seats", [seats]))
            lines = file.read_text("utf-8").splitlines()
            for text in texts_of(written):
                found.setdefault(text, f"{_short(file)}:{_line_of(text, lines)}")
    sheet = part / card_sheet.FILE
    for row in _rows_of(part):
        for key in CARD:
            found.setdefault(str(row.card.get(key, "")), f"{_short(sheet)}:{row.line}")
    return {text: place for text, place in found.items() if _has_words(text)}


def _rows_of(part: Path) -> tuple[card_sheet.Row, ...]:
    text = file_text(part, card_sheet.FILE)
    return card_sheet.read(text) if text else ()


def _sources(part: Path) -> list[Path]:
    """The Python files of a folder, without those in folders left out."""
    inside = ((file, file.relative_to(part).parts[:-1]) for file in part.rglob("*.py"))
    return sorted(file for file, above in inside if not any(n.startswith("_") for n in above))


def _untranslated(part: Path, places: Places, language: str) -> list[str]:
    known = translations(part / f"{language}.po") | translations(phrases.HOME / f"{language}.po")
    sheet = card_sheet.catalogues(_rows_of(part)).get(language, {})
    return [text for text in places if text not in known and text not in sheet]


def _line_of(text: str, lines: Sequence[str]) -> int:
    """The first line of a file that has this text, counted from 1; of a long text its beginning."""
    part = text.removesuffix(": {value}").strip().partition("\n")[0]
    return next((number for number, line in enumerate(lines, 1) if part in line), 1)


def _has_words(text: str) -> bool:
    return any(sign.isalpha() for sign in GAP.sub("", text))


def _short(file: Path) -> str:
    """The file as seen from the project's root."""
    root = next(
        (place.parent for place in (phrases.HOME, *phrases.screens()) if place in file.parents),
        None,
    )
    return file.relative_to(root).as_posix() if root else str(file)


# Texts of Python files

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


def spoken(source: str, rules: bool = False) -> list[tuple[int, str]]:
    """The texts of a Python file, with their lines; of rules also every sentence."""
    tree = ast.parse(source)
    found = [
        (said.lineno, text)
        for said, scopes in _said(tree, (tree,))
        for text in _literals(said, scopes)
    ]
    return found + (_sentences(tree) if rules else [])


def _f_strings() -> Iterator[tuple[Path, int]]:
    for file in (file for part in (phrases.HOME, *phrases.screens()) for file in _sources(part)):
        tree = ast.parse(file.read_text("utf-8"))
        for said, _ in _said(tree, (tree,)):
            if isinstance(said, ast.JoinedStr):
                yield file, said.lineno


def _said(node: ast.AST, scopes: tuple[Scope, ...]) -> Iterator[tuple[ast.expr, tuple[Scope, ...]]]:
    """Every expression that gives a text, with the functions it stands in, the innermost first."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            scopes = (node, *scopes)
        case ast.Call(func=called, args=args, keywords=keywords):
            name = _last_name(called)
            if name in SPEAKING and args:
                yield args[0], scopes
            if name == "Result" and len(args) > 3:
                yield args[3], scopes
            if name == "whisper":
                for text in args[1:3]:
                    yield text, scopes
            for keyword in keywords:
                if (keyword.arg or "").startswith("word") or (
                    name == "Result" and keyword.arg == "decided"
                ):
                    yield keyword.value, scopes
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and str(key.value).startswith("word"):
                    yield value, scopes
        case _:
            pass
    for child in ast.iter_child_nodes(node):
        yield from _said(child, scopes)


def _last_name(called: ast.expr) -> str:
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _literals(
    node: ast.expr | None, scopes: tuple[Scope, ...], names: tuple[str, ...] = ()
) -> Iterator[str]:
    """The strings an expression may be; of `names` it is known already what they may be."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _each((one, other), scopes, names)
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from _each(parts, scopes, names)
        case ast.Dict(values=parts):
            yield from _each(parts, scopes, names)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for start in _literals(left, scopes, names):
                yield from (start + end for end in _literals(right, scopes, names))
        case ast.Subscript(value=whole):
            yield from _literals(whole, scopes, names)
        case _Column(rows=rows, index=index):
            column = [row[index] for row in _rows(rows, scopes, names) if index < len(row)]
            yield from _each(column, scopes, names)
        case ast.Name(id=name) if name not in names:
            bound = next((found for scope in scopes if (found := _bound(scope, name))), [])
            yield from _each(bound, scopes, (*names, name))
        case _:
            return


def _each(
    nodes: Iterable[ast.expr], scopes: tuple[Scope, ...], names: tuple[str, ...]
) -> Iterator[str]:
    for node in nodes:
        yield from _literals(node, scopes, names)


def _bound(scope: Scope, name: str) -> list[ast.expr]:
    """What a name is bound to in a function's or module's own lines."""
    found: list[ast.expr] = []
    waiting: list[ast.AST] = list(scope.body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                continue
            case ast.Assign(targets=targets, value=value):
                if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                    found.append(value)
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                if target == name:
                    found.append(value)
            case ast.For(target=target, iter=rows) | ast.comprehension(target=target, iter=rows):
                found += _looped(target, rows, name)
            case _:
                pass
        waiting += ast.iter_child_nodes(node)
    return found


class _Column(ast.expr):
    """One name of a loop over rows: `rows` is what it loops over, `index` its place in each."""

    def __init__(self, rows: ast.expr, index: int) -> None:
        super().__init__()
        self.rows, self.index = rows, index


def _looped(target: ast.expr, rows: ast.expr, name: str) -> Iterator[ast.expr]:
    """What a loop over these rows binds a name to."""
    match target:
        case ast.Name(id=each) if each == name:
            yield rows
        case ast.Tuple(elts=parts):
            for index, part in enumerate(parts):
                if isinstance(part, ast.Name) and part.id == name:
                    yield _Column(rows, index)


def _rows(
    node: ast.expr, scopes: tuple[Scope, ...], names: tuple[str, ...]
) -> Iterator[Sequence[ast.expr]]:
    """The rows of a table that is written down, or bound to a name."""
    match node:
        case ast.Tuple(elts=rows) | ast.List(elts=rows):
            yield from (row.elts for row in rows if isinstance(row, ast.Tuple | ast.List))
        case ast.Name(id=name) if name not in names:
            for bound in next((found for scope in scopes if (found := _bound(scope, name))), []):
                yield from _rows(bound, scopes, (*names, name))
        case _:
            return


def _sentences(tree: ast.Module) -> list[tuple[int, str]]:
    """Every literal that is a sentence, docstrings and what is raised apart."""
    silent = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise | ast.JoinedStr)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for part in ast.walk(node)
    }
    return sorted(
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in silent
        and " " in node.value
        and node.value.endswith(".")
    )
