"""A template from elsewhere draws, and does no more: not for ever, and not beyond memory."""

import time
from pathlib import Path

import jinja2
import msgspec
import pytest

from ui.style.drawing import format_number, template_functions
from ui.style.template_sandbox import RenderLimitExceeded, TemplateSandbox
from ui.style.theme import load_theme as theme_named


def filled(folder: Path, text: str, **given: object) -> str:
    (folder / "face.svg").write_text(text, "utf-8")
    sandbox = TemplateSandbox(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=format_number,
    )
    sandbox.globals.update(template_functions())
    return sandbox.render("face.svg", given)


def test_what_a_face_does_is_drawn(tmp_path: Path) -> None:
    text = (
        "{% macro dot(x) %}<circle r='{{ x }}'/>{% endmacro %}"
        "{% for n in range(3) %}{{ dot(n) }}{{ loop.index }}{{ ',' if not loop.last }}{% endfor %}"
        "{{ 'a' ~ name ~ 1.250 }} {{ [1, 2]|join('<') }} {{ '%.1f'|format(1.25) }}"
        "{{ 'aba'|replace('a', 'c') }} {{ chance(20584).randint(0, 0) }} "
        "{{ sector(0, 0, 1, 2, 0, 90)|length }}"
        "{% set sum = namespace(of=0) %}"
        "{% for n in [1, 2] %}{% set sum.of = sum.of + n * 2 %}{% endfor %}{{ sum.of }}"
    )
    assert filled(tmp_path, text, name="<b>") == (
        "<circle r='0'/>1,<circle r='1'/>2,<circle r='2'/>3a&lt;b&gt;1.25 1&lt;2 1.2cbc 0 106"
    )


def grown(first: str, then: str) -> str:
    """A template that does the same to a value again and again."""
    turns = f"{{% for a in range(99) %}}{{% set n.x = {then} %}}{{% endfor %}}"
    return f"{{% set n = namespace(x={first}) %}}{turns}"


@pytest.mark.parametrize(
    "text",
    [
        "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) + m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
        "{% include 'face.svg' %}{% include 'face.svg' %}",
        "{% for a in [[1]] recursive %}{{ loop(a) }}{% endfor %}",
        "{{ 'a' * 999999999 }}",
        "{{ [0] * 999999999 }}",
        "{{ 999 ** 999999 }}",
        "{{ '%999999999d' % 1 }}",
        "{{ '%999999999d'|format(1) }}",
        "{{ '{:999999999}'.format(1) }}",
        "{{ 'a'.ljust(999999999) }}",
        "{{ range(999999999) }}",
        "{{ sector(0, 0, 1, 2, 0, 90, 999999999) }}",
        "{{ chance(1).choices([1], k=999999999) }}",
        grown("'ab'", "n.x ~ n.x"),
        grown("'ab'", "n.x + n.x"),
        grown("'ab'", "n.x|replace('a', n.x)"),
        grown("'ab'", "[n.x, n.x]|join"),
        grown("[1]", "n.x + n.x"),
        grown("9", "n.x * n.x"),
        "{% set big = 'a' * 99999 %}{% for a in range(999) %}{{ big }}{% endfor %}",
        "{{ 'a'|center(999999999) }}",
        "{{ lipsum(n=999999) }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ ('{0.__class__}'|attr('format'))(1) }}",
        "{{ ''|attr('join') }}",
        "{{ ['a']|map(attribute='__class__')|first }}",
        "{{ ['{:9}']|map('attr', 'format')|list }}",
        "{{ '{0}'['format'](1) }}",
        "{{ 'ab'.replace('a', 'b') }}",
        "{{ 'ab'.join(['c']) }}",
        "{{ 'ab'.encode() }}",
        "{{ {}.update(a=1) }}",
        "{{ chance(1).seed(2) }}",
        "{{ chance.__globals__ }}",
        "{{ polar.__wrapped__ }}",
        "{{ cycler }}",
        "{{ joiner() }}",
        "{{ self.__init__ }}",
        "{{ caller }}",
        "{{ 1 is callable }}",
        "{{ 1 is filter }}",
        "{{ 'a'|pprint }}",
        "{{ 'a'|xmlattr }}",
        "{% macro m() %}{% endmacro %}{{ m.name }}",
    ],
)
def test_what_takes_too_long_or_too_much_is_one_error_at_once(text: str, tmp_path: Path) -> None:
    begun = time.process_time()
    with pytest.raises((RenderLimitExceeded, jinja2.TemplateError, RecursionError, OverflowError)):
        filled(tmp_path, text)
    assert time.process_time() - begun < 20  # none of them would have ended


class Holder(msgspec.Struct, frozen=True):
    """An object that a game's drawings could be given by mistake."""

    name: str = "Carp"

    def secret(self) -> str:
        raise AssertionError


@pytest.mark.parametrize(
    "text",
    [
        "{{ it.secret() }}",
        "{{ it.secret }}",
        "{{ all[0].secret() }}",
        "{{ t.texts }}",
        "{{ t.__self__ }}",
        "{{ t.__closure__ }}",
        "{{ t('x').secret }}",
        "{{ theme.of }}",
    ],
)
def test_a_template_gets_values_and_no_objects(text: str, tmp_path: Path) -> None:
    given = {
        "it": Holder(),
        "all": [Holder()],
        "t": lambda text: Holder(text),
        "theme": theme_named("light"),
    }
    drawn = "{{ it.name }} {{ all[0].name }} {{ t('x').name }} {{ theme.ink|length }}"
    assert filled(tmp_path, drawn, **given) == "Carp Carp x 7"
    with pytest.raises(jinja2.TemplateError):
        filled(tmp_path, text, **given)


def test_a_template_changes_nothing_that_it_is_given(tmp_path: Path) -> None:
    card = {"effects": ["draw"]}
    with pytest.raises(jinja2.TemplateError):
        filled(tmp_path, "{{ card.effects.append('win') }}", card=card)
    assert card == {"effects": ["draw"]}
