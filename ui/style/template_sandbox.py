"""The Jinja sandbox for templates of games from outside the package.

A template is code that may come from another computer. Jinja's sandbox restricts what it can
access; this one also limits its time and memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any

import msgspec
from jinja2 import Template, nodes, pass_eval_context
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.filters import do_format, do_replace, sync_do_join
from jinja2.runtime import Context, LoopContext, markup_join
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from ui.style.drawing import chance
from ui.style.typesetting import Run, TextLine, TypesetText

MAX_STEPS = 30_000
"""Maximum number of loop iterations, calls and includes per picture."""
MAX_ARGUMENT = 10_000
"""Largest number that may be passed to a function."""
MAX_LENGTH = 200_000
"""Maximum length of a text or list that a template builds."""
MAX_SVG_CHARACTERS = 4 << 20
"""Maximum number of characters of a rendered SVG."""
_FILTERS = """
    abs capitalize count d default e escape first float int items last length list lower map max min
    reject reverse round safe select sort string sum title trim unique upper
"""
FILTERS = frozenset(_FILTERS.split())
"""The allowed filters, which neither multiply their input nor access attributes. `format`, `join`
and `replace` are replaced by guarded versions.
"""
_TESTS = """
    != < <= == > >= boolean defined divisibleby eq equalto even false float ge greaterthan gt in
    integer iterable le lessthan lower lt mapping ne none number odd sameas sequence string true
    undefined upper
"""
TESTS = frozenset(_TESTS.split())
GLOBALS = frozenset(("dict", "namespace", "range"))
"""The globals kept from Jinja; the others come from `template_functions`."""
_STR_METHODS = """
    count endswith find index isalpha isascii isdecimal isdigit islower isupper lower lstrip
    partition removeprefix removesuffix rpartition rsplit rstrip split splitlines startswith strip
    title upper
"""
_LOOP_ATTRIBUTES = """
    changed cycle depth depth0 first index index0 last length nextitem previtem revindex revindex0
"""
ALLOWED_ATTRIBUTES: tuple[tuple[type, frozenset[str]], ...] = (
    (str, frozenset(_STR_METHODS.split())),
    (dict, frozenset(("get", "items", "keys", "values"))),
    (list, frozenset(("append", "count", "index"))),
    (TypesetText, frozenset(TypesetText._fields)),
    (TextLine, frozenset((*TextLine._fields, "text"))),
    (Run, frozenset(Run._fields)),
    (tuple, frozenset(("count", "index"))),
    (Random, frozenset(("choice", "choices", "randint", "random", "sample", "uniform"))),
    (LoopContext, frozenset(_LOOP_ATTRIBUTES.split())),
)
"""The attributes that a template may read, by type of value."""
OPEN_TYPES = (Namespace, TemplateModule)
"""Types whose attributes are all defined by templates, so that they may be read."""
TOO_WIDE = "a text is made wider than any picture is"
TOO_LONG = "a text or a list is longer than any picture needs"
TOO_LARGE = "a number is larger than any picture needs"
_WIDE_FIELD = re.compile(r"\d{4}")


class RenderLimitExceeded(SecurityError):
    """A template exceeds a limit of time or size."""


class TemplateSandbox(SandboxedEnvironment):
    """A Jinja environment that limits what the templates of one picture can do."""

    intercepted_binops = frozenset(("+", "*", "**", "%"))

    def __init__(
        self,
        full_name: Callable[[str, str], str] = lambda name, game: name,
        **options: Any,
    ) -> None:
        """`full_name` returns the template path of a drawing named in a game's files."""
        super().__init__(**options)
        self._full_name = full_name
        self._steps = 0
        self.filters = {name: self.filters[name] for name in FILTERS}
        self.filters.update(turns=self._count_turns, joined=_join_operands)
        self.filters.update(join=_join, replace=_replace, format=_format)
        self.tests = {name: self.tests[name] for name in TESTS}
        self.globals = {name: self.globals[name] for name in GLOBALS}

    def render(self, path: str, given: Mapping[str, object]) -> str:
        """Return the text rendered from the template `path` with the variables `given`.

        Raises:
            RenderLimitExceeded: the template exceeds a limit.
            Exception: any error in the template.
        """
        self._steps, size, parts = 0, 0, []
        values = {name: to_plain_value(each) for name, each in given.items()}
        for part in self.get_template(path).generate(values):
            size += len(part)
            if size > MAX_SVG_CHARACTERS:
                raise RenderLimitExceeded("the picture is larger than any that can be drawn")
            parts.append(part)
        return "".join(parts)

    def join_path(self, template: str, parent: str) -> str:
        """Return the path of a template that the template `parent` includes or imports."""
        return self._full_name(template, parent.partition("/")[0])

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > MAX_STEPS:
            raise RenderLimitExceeded(
                "it loops, or calls itself, more often than any picture needs"
            )

    def _count_turns(self, things: Iterable[object]) -> Iterator[object]:
        for thing in things:
            self._step()
            yield thing

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed = super()._parse(source, name, filename)
        counted = _LimitInserter().visit(parsed)
        assert isinstance(counted, nodes.Template)
        return counted

    def _load_template(self, name: str, globals: Any) -> Template:
        self._step()
        return super()._load_template(name, globals)

    def call(
        self, context: Context, called: Any, *args: Any, **named: Any
    ) -> Any:  # as in Jinja's own sandbox
        given = () if called is chance else (*args, *named.values())  # any number can be a seed
        numbers = [each for each in given if isinstance(each, int | float)]
        largest = max(map(abs, numbers), default=0)
        if largest > MAX_ARGUMENT:
            raise RenderLimitExceeded(f"{largest} is larger than any number that a picture needs")
        self._step(1 + int(largest) // 100)
        return super().call(context, called, *args, **named)

    def wrap_str_format(self, value: Any) -> None:
        """Disable Jinja's formatter wrapper; `str.format` isn't an allowed method."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if attr.startswith("_"):
            return False
        return isinstance(obj, OPEN_TYPES) or any(
            isinstance(obj, kind) and attr in names for kind, names in ALLOWED_ATTRIBUTES
        )

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        sizes = [len(each) for each in (left, right) if isinstance(each, str | list | tuple)]
        numbers = [each for each in (left, right) if isinstance(each, int | float)]
        if operator == "*" and sizes and numbers and sizes[0] * abs(numbers[0]) > MAX_LENGTH:
            raise RenderLimitExceeded(TOO_LONG)
        if operator == "+" and sum(sizes) > MAX_LENGTH:
            raise RenderLimitExceeded(TOO_LONG)
        if operator == "**" and (abs(right) > 64 or abs(left) > 1e6):
            raise RenderLimitExceeded(TOO_LARGE)
        if operator == "*" and any(isinstance(n, int) and n.bit_length() > 512 for n in numbers):
            raise RenderLimitExceeded(TOO_LARGE)
        if operator == "%" and isinstance(left, str) and _WIDE_FIELD.search(left):
            raise RenderLimitExceeded(TOO_WIDE)
        return super().call_binop(context, operator, left, right)


def to_plain_value(value: object) -> object:
    """Return `value` as plain data without attributes,
    so that a template can't reach other objects.
    """
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return value if type(value) in (str, Markup) else str(value)
        case Mapping():
            return {str(key): to_plain_value(each) for key, each in value.items()}
        case msgspec.Struct() if not callable(value):
            return {key: to_plain_value(getattr(value, key)) for key in value.__struct_fields__}
        case tuple() if hasattr(value, "_fields"):
            return {key: to_plain_value(getattr(value, key)) for key in value._fields}
        case tuple() | list() | set() | frozenset() | range():
            return tuple(to_plain_value(each) for each in value)
        case _ if callable(value):
            return _detach_function(value)
        case _:
            return str(value)


def _detach_function(function: Callable[..., object]) -> Callable[..., object]:
    """Return a wrapper of `function` that gives no access to the object it belongs to."""

    def call(*given: Any, **named: Any) -> object:
        return to_plain_value(function(*given, **named))

    return call


class _LimitInserter(NodeTransformer):
    """Inserts step counting into loops, and length checks into concatenations."""

    def visit_For(self, node: nodes.For) -> nodes.For:
        if node.recursive:
            raise RenderLimitExceeded("a loop that calls itself is not drawn")
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "turns", [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, "joined", [], [], None, None, lineno=node.lineno)


def _join_operands(parts: list[object]) -> str:
    """Return the concatenation of the operands of `~`, limited to `MAX_LENGTH` characters."""
    _check_length(sum(len(str(part)) for part in parts))
    return markup_join(parts)


@pass_eval_context
def _join(
    context: nodes.EvalContext,
    parts: Iterable[object],
    between: str = "",
    attribute: str | int | None = None,
) -> str:
    listed = list(parts)
    _check_length(sum(len(str(part)) + len(between) for part in listed))
    return sync_do_join(context, listed, between, attribute)


@pass_eval_context
def _replace(context: nodes.EvalContext, text: str, old: str, new: str) -> str:
    _check_length(len(text) + (text.count(old) * len(new)))
    return do_replace(context, text, old, new)


def _format(text: str, *args: object) -> str:
    if _WIDE_FIELD.search(text):
        raise RenderLimitExceeded(TOO_WIDE)
    return do_format(text, *args)


def _check_length(size: int) -> None:
    if size > MAX_LENGTH:
        raise RenderLimitExceeded(TOO_LONG)
