"""The sandbox in which templates of games outside the package are filled in.

A template is code. Jinja's sandbox keeps it from everything but drawing; this one also from taking
for ever, and from filling the memory, since a game may have come from another computer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any

from jinja2 import Template, nodes, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.filters import do_format, do_replace, sync_do_join
from jinja2.runtime import Context, markup_join
from jinja2.sandbox import SandboxedEnvironment
from jinja2.visitor import NodeTransformer

from ui.style.drawing import chance

MOST_STEPS = 30_000
"""Turns of loops, calls and templates that are included, in one picture."""
LARGEST_NUMBER = 10_000
"""That a function is given."""
LONGEST = 200_000
"""Signs of a text, or things in a list, that is put together."""
LARGEST_PICTURE = 4 << 20
"""Signs of a picture as an SVG."""
_SAFE = """
    abs attr capitalize count d default dictsort e escape first float groupby int items last length
    list lower map max min reject rejectattr reverse round safe select selectattr sort string
    striptags sum title trim unique upper wordcount
"""
FILTERS = frozenset(_SAFE.split())
"""None of them makes much of little; `format`, `join` and `replace` are looked after."""
WIDE = "a text is made wider than any picture is"
LONG = "a text or a list is longer than any picture needs"
LARGE = "a number is larger than any picture needs"
_WIDE = re.compile(r"\d{4}")


class TooMuch(SecurityError):
    """A template that would draw for ever, or more than any picture is."""


class TemplateSandbox(SandboxedEnvironment):
    """Counts what the templates of one picture do."""

    intercepted_binops = frozenset(("+", "*", "**", "%"))

    def __init__(
        self,
        full_name: Callable[[str, str], str] = lambda name, game: name,
        **options: Any,
    ) -> None:
        """`full_name` gives the name by which a template is loaded that a game's files call so."""
        super().__init__(**options)
        self._full_name = full_name
        self._steps = 0
        known = self.filters
        self.filters = {name: known[name] for name in FILTERS}
        self.filters.update(turns=self._turns, joined=_joined)
        self.filters.update(join=_join, replace=_replace, format=_format)
        del self.globals["lipsum"]

    def filled(self, path: str, given: MutableMapping[str, object]) -> str:
        """The text that a template gives.

        Raises:
            TooMuch: it does more than draw a picture; and any error of a template.
        """
        self._steps, size, parts = 0, 0, []
        for part in self.get_template(path).generate(given):
            size += len(part)
            if size > LARGEST_PICTURE:
                raise TooMuch("the picture is larger than any that can be drawn")
            parts.append(part)
        return "".join(parts)

    def join_path(self, template: str, parent: str) -> str:
        """Return the full name of a template that the template `parent` includes or imports."""
        return self._full_name(template, parent.partition("/")[0])

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > MOST_STEPS:
            raise TooMuch("it loops, or calls itself, more often than any picture needs")

    def _turns(self, things: Iterable[object]) -> Iterator[object]:
        for thing in things:
            self._step()
            yield thing

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed = super()._parse(source, name, filename)
        counted = _Counted().visit(parsed)
        assert isinstance(counted, nodes.Template)
        return counted

    def _load_template(self, name: str, globals: Any) -> Template:
        self._step()
        return super()._load_template(name, globals)

    def call(
        self, context: Context, called: Any, *args: Any, **named: Any
    ) -> Any:  # as Jinja's own
        given = () if called is chance else (*args, *named.values())  # any number is a seed
        numbers = [each for each in given if isinstance(each, int | float)]
        largest = max(map(abs, numbers), default=0)
        if largest > LARGEST_NUMBER:
            raise TooMuch(f"{largest} is larger than any number that a picture needs")
        self._step(1 + int(largest) // 100)
        return super().call(context, called, *args, **named)

    def wrap_str_format(self, value: Any) -> Any:
        wrapped = super().wrap_str_format(value)
        if wrapped is not None and _WIDE.search(value.__self__):
            raise TooMuch(WIDE)
        return wrapped

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        sizes = [len(each) for each in (left, right) if isinstance(each, str | list | tuple)]
        numbers = [each for each in (left, right) if isinstance(each, int | float)]
        if operator == "*" and sizes and numbers and sizes[0] * abs(numbers[0]) > LONGEST:
            raise TooMuch(LONG)
        if operator == "+" and sum(sizes) > LONGEST:
            raise TooMuch(LONG)
        if operator == "**" and (abs(right) > 64 or abs(left) > 1e6):
            raise TooMuch(LARGE)
        if operator == "*" and any(isinstance(n, int) and n.bit_length() > 512 for n in numbers):
            raise TooMuch(LARGE)
        if operator == "%" and isinstance(left, str) and _WIDE.search(left):
            raise TooMuch(WIDE)
        return super().call_binop(context, operator, left, right)


class _Counted(NodeTransformer):
    """Has the turns of loops counted, and texts that are put together measured."""

    def visit_For(self, node: nodes.For) -> nodes.For:
        if node.recursive:
            raise TooMuch("a loop that calls itself is not drawn")
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "turns", [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, "joined", [], [], None, None, lineno=node.lineno)


def _joined(parts: list[object]) -> str:
    """The result of `~`."""
    _measure(sum(len(str(part)) for part in parts))
    return markup_join(parts)


@pass_eval_context
def _join(
    context: nodes.EvalContext,
    parts: Iterable[object],
    between: str = "",
    attribute: str | int | None = None,
) -> str:
    listed = list(parts)
    _measure(sum(len(str(part)) + len(between) for part in listed))
    return sync_do_join(context, listed, between, attribute)


@pass_eval_context
def _replace(context: nodes.EvalContext, text: str, old: str, new: str) -> str:
    _measure(len(text) + (text.count(old) * len(new)))
    return do_replace(context, text, old, new)


def _format(text: str, *args: object) -> str:
    if _WIDE.search(text):
        raise TooMuch(WIDE)
    return do_format(text, *args)


def _measure(size: int) -> None:
    if size > LONGEST:
        raise TooMuch(LONG)
