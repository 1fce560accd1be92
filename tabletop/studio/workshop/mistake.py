"""Messages about mistakes in a game's files: file and line, what is wrong, and what to write."""

import ast
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.engine import model
from tabletop.engine.model import Pen
from tabletop.engine.play import Illegal, start
from tabletop.files.errors import BadFile, StorageError
from tabletop.games.typed_toml import BrokenFile, unknown_word
from tabletop.studio.workshop.checked_rules import (
    SIGNATURES,
    CheckedPen,
    RulesMistake,
    check_rules,
    list_names,
    location_of_method,
    unknown_zone,
)

_CALLED_WRONGLY = re.compile(r"(\w+)\.(\w+)\(\) (?:takes|missing|got)\b")
"""Matches Python's messages about wrong arguments, such as "Rules.play() takes 3 …"."""
_NOT_EXPORTED = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_NOT_A_NUMBER = re.compile(r"invalid literal for int\(\) with base 10: (?P<text>.*)", re.DOTALL)
_PURE = (
    *(ast.Name, ast.Attribute, ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.Subscript),
    *(ast.BinOp, ast.operator, ast.Tuple, ast.expr_context),
)
"""The expressions that can be evaluated again after an error."""


def describe_mistake(error: Exception, folder: Path) -> str:
    """Return a message for `error`, which loading or playing the game in `folder` raised."""
    if not folder.is_dir():
        return f'There is no folder "{folder.name}": it was moved or deleted.'
    cause = error.__cause__ if isinstance(error, BrokenGame) else error
    if cause is None or isinstance(cause, BrokenFile | UnknownGame | BadFile | StorageError):
        return str(cause or error)
    if isinstance(cause, SyntaxError):
        path = Path(cause.filename or "")
        file = path.relative_to(folder) if path.is_relative_to(folder) else path
        return f"{file.as_posix()} line {cause.lineno}: {cause.msg}"
    cause = _repeat_setup(cause, folder) or cause
    problem = explain_error(cause, folder)
    place = location_of(cause, folder)
    if isinstance(error, BrokenGame) and not place and not problem:
        return error.fault
    problem = problem or f"{type(cause).__name__}: {cause}"
    return f"{place}: {problem}" if place else problem


def _repeat_setup(error: BaseException, folder: Path) -> Exception | None:
    """Set the table up again with checked rules if `error` ended `setup`, and return their error.

    The error of checked rules is at the line that caused it.
    """
    for frame, _ in _walk(error):
        code = frame.f_code
        if code.co_name != "setup" or not Path(code.co_filename).is_relative_to(folder):
            continue
        found: list[Any] = [frame.f_locals.get(name) for name in code.co_varnames[:2]]
        rules, pen = found
        if isinstance(pen, Pen) and not isinstance(pen, CheckedPen):
            state = pen.state
            try:
                start(check_rules(rules), state.seats, "1", state.backs, dict(state.options))
            except Exception as again:  # rules may raise anything
                return again
    return None


def location_of(error: BaseException, folder: Path) -> str:
    """Return the file and line in `folder` at which `error` was raised, or "" if it was raised
    elsewhere.

    An error about a method or a class that the program calls is at its definition.
    """
    defined = _definition(error, folder)
    own = [
        (Path(frame.filename), frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(folder)
    ]
    file, line = defined or (own[-1] if own else (None, 0))
    return f"{file.relative_to(folder).as_posix()} line {line}" if file is not None else ""


def explain_error(error: BaseException, folder: Path) -> str:
    """Return what is wrong in the game in `folder` and what to write, as a clause.

    Return "" if Python's own message has to do.
    """
    match error:
        case RulesMistake():
            return str(error)
        case Illegal():
            return "the rules offer a move that they don't admit when it is played"
        case KeyError() | ValueError():
            return _explain_lookup(error, folder)
        case AttributeError(obj=ModuleType(), name="Rules" as name):
            return f'there is no class "{name}": write class {name}: with its six methods'
        case AttributeError(obj=obj, name=str(name)) if name in SIGNATURES and _is_own(obj, folder):
            kind = type(obj).__name__
            return f'class {kind} has no method "{name}": write def {SIGNATURES[name]}'
        case TypeError() if (method := _method_called_wrongly(error)) is not None:
            return f'"{method}" is called with other arguments: write def {_signature(method)}'
        case AttributeError(obj=dict(), name=str(name)):
            return f'"{name}" is read with a dot: write card["{name}"], as a card is a dict'
        case AttributeError(obj=obj, name=str(name)) if obj is not None:
            return unknown_word(name, dir(obj))
        case NameError(name=str(name)) if name in model.__all__:
            return f'"{name}" is not imported: write from tabletop.engine.model import {name}'
        case NameError(name=str(name)) if frames := _own_frames(error, folder):
            frame, _ = frames[-1]
            return unknown_word(name, [*frame.f_locals, *frame.f_globals])
        case ImportError() if (match := _NOT_EXPORTED.match(str(error))) is not None:
            known = dir(sys.modules[match[2]]) if match[2] in sys.modules else ()
            return unknown_word(match[1], known)
    return ""


def _signature(method: str) -> str:
    return SIGNATURES.get(method, "__init__(self, deck)")


def _method_called_wrongly(error: TypeError) -> str | None:
    """Return the method of `Rules` that the program failed to call, if `error` is about one."""
    if match := _CALLED_WRONGLY.match(str(error)):
        return match[2] if match[1] == "Rules" and match[2] in (*SIGNATURES, "__init__") else None
    return None


def _is_own(obj: object, folder: Path) -> bool:
    return _class_location(type(obj), folder) is not None


def _class_location(kind: type, folder: Path) -> tuple[Path, int] | None:
    """Return where the class of a game's rules is written, if that is in `folder`."""
    for method in (each for base in kind.__mro__ for each in vars(base).values()):
        place = location_of_method(method)
        if place is not None and Path(place[0]).is_relative_to(folder):
            return _find_line(Path(place[0]), rf"class {kind.__name__}\b")
    return None


def _find_line(file: Path, pattern: str) -> tuple[Path, int]:
    """Return `file` and its first line that starts with `pattern` after spaces; else line 1."""
    lines = file.read_text("utf-8", errors="replace").splitlines()
    found = (n for n, text in enumerate(lines, 1) if re.match(rf"\s*{pattern}", text))
    return file, next(found, 1)


def _definition(error: BaseException, folder: Path) -> tuple[Path, int] | None:
    """Return the definition that `error` is about, if the program failed to use it."""
    match error:
        case RulesMistake(place=(str(file), int(line))) if Path(file).is_relative_to(folder):
            return Path(file), line
        case AttributeError(obj=ModuleType(__file__=str(file)), name="Rules"):
            return (Path(file), 1) if Path(file).is_relative_to(folder) else None
        case AttributeError(obj=obj, name=str(name)) if name in SIGNATURES:
            return _class_location(type(obj), folder)
        case TypeError() if (method := _method_called_wrongly(error)) is not None:
            files = (folder / "rules.py", folder / "rules" / "__init__.py")
            written = next((each for each in files if each.is_file()), None)
            return _find_line(written, rf"def {method}\b") if written is not None else None
    return None


def _explain_lookup(error: KeyError | ValueError, folder: Path) -> str:
    """Explain a failed lookup of a zone, a value, a field of a card or another key."""
    if isinstance(error, ValueError) and (match := _NOT_A_NUMBER.match(str(error))):
        return f"{match['text']} isn't a whole number"
    frames = _own_frames(error, folder)
    if not frames:
        return ""
    frame, instruction = frames[-1]
    node = _failed_expression(frame, instruction)
    match node:
        case ast.Subscript(value=container) if isinstance(error, KeyError):
            return _explain_key(error.args[0], container, frame)
        case ast.Call(func=ast.Attribute(attr="index", value=row), args=[item]):
            known, wanted = _evaluate(row, frame), _evaluate(item, frame)
            if isinstance(known, Sequence) and wanted is not None:
                return f"{wanted!r} isn't in {known!r}"
    return ""


def _explain_key(key: object, container: ast.expr, frame: FrameType) -> str:
    known = _evaluate(container, frame)
    if not isinstance(known, Mapping):
        return ""
    name = container.attr if isinstance(container, ast.Attribute) else ""
    if name in ("cards", "zones"):
        return unknown_zone(str(key), map(str, known))
    if name == "values":
        return f'the value "{key}" isn\'t set yet: set it in setup, or read values.get("{key}", 0)'
    if "name" in known:
        return (
            f'the card "{known["name"]}" has no "{key}": fill in its cell, or read '
            f'card.get("{key}", "")'
        )
    return f'"{key}" is not among {list_names(map(str, known), str(key)) or "the keys"}'


def _own_frames(error: BaseException, folder: Path) -> list[tuple[FrameType, int]]:
    """Return the frames of `error` whose code is in `folder`, as `_walk` does."""
    walked = _walk(error)
    return [each for each in walked if Path(each[0].f_code.co_filename).is_relative_to(folder)]


def _walk(error: BaseException) -> list[tuple[FrameType, int]]:
    """Return the frames of the traceback of `error`, each with its current instruction."""
    trace, frames = error.__traceback__, []
    while trace is not None:
        frames.append((trace.tb_frame, trace.tb_lasti))
        trace = trace.tb_next
    return frames


def _failed_expression(frame: FrameType, instruction: int) -> ast.expr | None:
    """Return the expression that `frame` evaluated when it failed, if it is known."""
    places = list(frame.f_code.co_positions())
    line, last_line, start, end = places[instruction // 2]
    if None in (line, last_line, start, end):
        return None
    assert line is not None
    assert last_line is not None
    try:
        source = Path(frame.f_code.co_filename).read_bytes().splitlines()[line - 1 : last_line]
        source[-1] = source[-1][:end]
        source[0] = source[0][start:]
        return ast.parse(b"(" + b"\n".join(source) + b")", mode="eval").body
    except (OSError, SyntaxError, IndexError, ValueError):
        return None


def _evaluate(node: ast.expr, frame: FrameType) -> Any:
    """Return the value of an expression in `frame` that contains no calls, if it has one."""
    if not all(isinstance(each, _PURE) for each in ast.walk(node)):
        return None
    try:
        code = compile(ast.fix_missing_locations(ast.Expression(node)), "", "eval")
        return eval(code, frame.f_globals, frame.f_locals)
    except Exception:  # the designer's code may raise anything
        return None
