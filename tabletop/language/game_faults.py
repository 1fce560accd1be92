"""Translation of errors in game files into the player's language.

An error arrives as English text from a file, from the rules or from a host of another version, so
it is recognised by its wording. Errors that only a designer can fix stay English in `tabletop
check`; players see the file and line instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from tabletop.text.phrases import GAP, fill_gaps, phrase

FAULTS = (
    phrase("it has {n} files, and {most} is the most"),
    phrase('"{file}" isn\'t a file of a game without code'),
    phrase('"{file}" is larger than {n} KiB'),
    phrase('"{file}" is there twice'),
    phrase("it is larger than {n} MiB"),
    phrase("it has no free.toml, so it isn't a game without code"),
    phrase('"{file}" has {width} x {height} pixels: too many for a card'),
    phrase('"{file}" has a table larger than any of a rulebook'),
    phrase('"{file}" has a paragraph longer than any of a rulebook'),
    phrase('"{file}" isn\'t a picture of the kind in its name'),
    phrase("another game arrived: its digest differs"),
    phrase("{n} games from other tables are kept already: remove some first"),
    phrase("its folder holds more than {n} MiB"),
    phrase("its folder holds more than {n} files"),
    phrase('"{file}" is a link or a device: a game holds only files and folders'),
    phrase("it is not any more what was received"),
    phrase("it is not any more what was kept"),
    phrase("it takes longer to read than any game"),
    phrase("it holds more than any game"),
    phrase("it is damaged"),
    phrase("the system starts no more processes"),
    phrase("its folder has no {lacking}"),
    phrase('its folder "{folder}" has the id of another game'),
    phrase("it has program code"),
    phrase("it has a file whose name other systems don't allow"),
    phrase("the host sends something else than it announced"),
    phrase('its Python code has not been allowed yet: "{title}"'),
    phrase("{file} isn't UTF-8 text"),
    phrase("{file} is larger than {n} MiB"),
    phrase("{file} can't be read: it is no workbook, or is damaged"),
    phrase('"{file}" can\'t be read: {error}'),
    phrase("{file} is not a .po file: {error}"),
    phrase("something in its files can't be read"),
    phrase("its files can't be read"),
    phrase("it isn't a game, or is damaged"),
    phrase("its note on where it came from is missing or damaged"),
    phrase("{file} has cells farther out than any sheet of cards"),
    phrase("{file} takes longer to read than any sheet of cards"),
    phrase("{file} holds more than any sheet of cards"),
    phrase("{file} can't be read: the system starts no more processes"),
    phrase("{file} has more cells or text than any sheet of cards"),
    phrase("{file} holds more than {n} MiB of pictures"),
    phrase("{file} unpacks to more than {n} MiB"),
    phrase("{file} is a workbook, not text: call it {name}"),
    phrase("{file} is an old Excel file, not text: save it as {name}"),
    phrase("a quote is misplaced or never closed ({error})"),
    phrase("it is longer than any of a sheet of cards"),
    phrase("there are more than {n} rows"),
    phrase("there are more than {n} columns"),
    phrase("there are more than {n} cells"),
    phrase("column {n}: there are more than {most} characters"),
    phrase("column {n}: a character has more than {most} accents"),
    phrase("a column name has more than {n} characters"),
    phrase("there are no cards: each row below the column names is one"),
    phrase('the column "{column}" is there twice'),
    phrase('the column "{column}" names no language: it is like {example}'),
    phrase("it has {n} cells, and there are {columns} columns"),
    phrase("{column}: a character cannot be read; save the sheet as CSV in UTF-8"),
    phrase('column "{column}": the formula there gives {cell}'),
    phrase('column "{column}" must be a whole number from 0 to 999, not "{cell}"'),
    phrase("The host cannot give this game: {fault}."),
)
DESIGNER_FAULTS = (
    phrase("The rules fail: {fault}"),
    phrase('there is no zone "{zone}": place it in setup, or use one of {names}'),
    phrase("table.{call}: {part} must be {expected}, not {got}"),
    phrase('the offer "{verb}": {part} must be {expected}, not {got}'),
    phrase("Result: {part} must be {expected}, not {got}"),
    phrase(
        'offers returns nothing for the question "{ask}": '
        'return at least one offer, such as (Offer("pass"),)'
    ),
    phrase(
        'offers returns {got} for the question "{ask}": '
        'return a tuple of offers, such as (Offer("pass"),)'
    ),
    phrase('why returns {got}: return a Reason("…") or None'),
    phrase("preview returns {got}: return a Preview(…) or None"),
    phrase('the zone "{zone}" has {sight} and no owner: write {code}'),
    phrase('card {card} is in "{zone}" already: place each card once, then move it'),
    phrase('card {card} isn\'t in "{zone}": it is in "{other}"'),
    phrase('card {card} isn\'t in "{zone}" nor in another zone: place it in setup'),
    phrase("the step {step} isn't among the steps of class Rules: add {code}"),
    phrase("there is no seat {seat}: {count} players have the seats {range}"),
    phrase('the sentence "{text}" has the placeholder {gap}: pass {arg} to table.{call}'),
    phrase("Result has {count} scores for {seats} players: give one for each seat"),
    phrase("the rules offer a move that they don't admit when it is played"),
    phrase('there is no class "{name}": write class {code} with its six methods'),
    phrase('class {kind} has no method "{name}": write def {code}'),
    phrase('"{name}" is called with other arguments: write def {code}'),
    phrase('"{name}" is read with a dot: write {code}, as a card is a dict'),
    phrase('"{name}" is not imported: write {code}'),
    phrase('the value "{name}" isn\'t set yet: set it in setup, or read {code}'),
    phrase('the card "{card}" has no "{field}": fill in its cell, or read {code}'),
    phrase('"{name}" is not among {names}'),
    phrase("{text} isn't a whole number"),
    phrase('"{name}" must be {expected}, not {got}'),
    phrase('"{word}" is not known; did you mean "{near}"?'),
    phrase('"{word}" is not known'),
    phrase('"{name}" is missing'),
)
"""Mistakes in rules and TOML files, which `tabletop/studio/workshop` and `typed_toml` describe."""
TYPE_TERMS = (
    phrase("a whole number or a text"),
    phrase("a whole number"),
    phrase("a text"),
    phrase("the number of a card"),
    phrase("a seat"),
    phrase('a Zone("name")'),
    phrase("a tuple of cards, such as (3, 4)"),
    phrase("a tuple of seats, such as (0,)"),
    phrase("a tuple of whole numbers, such as (0, 1)"),
    phrase('a tuple of texts, such as ("middle",)'),
    phrase('a tuple of texts, such as ("yes", "no")'),
    phrase('a tuple of texts, such as ("row/0", "row/1")'),
    phrase("a step, such as Score(seat)"),
    phrase("a Result(winners, scores)"),
    phrase('a text in quotes, such as "pond"'),
    phrase("a whole number, such as 3"),
    phrase("a number, such as 1.5"),
    phrase("true or false"),
    phrase("a list in brackets, such as [2, 3]"),
    phrase("a table in braces"),
    phrase("a fraction"),
    phrase("a list"),
    phrase("a table"),
    phrase("a tuple"),
    phrase("a dict"),
    phrase("the number {n}"),
    phrase('the text "{text}"'),
    phrase("the fraction {number}"),
    phrase("an object of the class {name}"),
)
"""What such a mistake expects, and what is there instead."""
FAULT_IN_ROW = phrase("{file} row {n}: {fault}")
UNTRANSLATED_FAULT = phrase("there is a mistake in {file}, line {n}")
CODE_FAILS = phrase("its program code fails: {error}")
_FAULT_LOCATION = re.compile(r"(?P<file>\S+) (?:line|row) (?P<n>[0-9]+): (?P<fault>.+)", re.DOTALL)
_PYTHON_ERROR = re.compile(r"(?P<error>[A-Z]\w*(?:Error|Exception|Exit|Interrupt): .*)", re.DOTALL)


def translated_fault(fault: str, translate: Callable[[str], str], detailed: bool = False) -> str:
    """Return the error text `fault`, translated with `translate`.

    If its wording is unknown, return the file and line that it names; with `detailed`, for a
    designer, also the error in English. If it names no file, return it in English.
    """
    for text, pattern in _patterns(detailed).items():
        if known := pattern.fullmatch(fault):
            return fill_gaps(translate(text), _gaps(known.groupdict(), translate, detailed))
    if place := _FAULT_LOCATION.fullmatch(fault):
        gaps = _gaps(place.groupdict(), translate, detailed)
        known_fault = detailed or gaps["fault"] != place["fault"]
        return fill_gaps(translate(FAULT_IN_ROW if known_fault else UNTRANSLATED_FAULT), gaps)
    if failed := _PYTHON_ERROR.fullmatch(fault):
        return fill_gaps(translate(CODE_FAILS), failed.groupdict())
    return fault


def _gaps(
    found: Mapping[str, str], translate: Callable[[str], str], detailed: bool
) -> dict[str, str]:
    gaps = dict(found)
    if "fault" in gaps:
        gaps["fault"] = translated_fault(gaps["fault"], translate, detailed)
    for name in ("expected", "got"):
        if name in gaps:
            gaps[name] = _translated_term(gaps[name], translate)
    if "lacking" in gaps:
        gaps["lacking"] = gaps["lacking"].replace(" and no ", ", ")
    return gaps


def _translated_term(term: str, translate: Callable[[str], str]) -> str:
    """Return `term`, one of `TYPE_TERMS` or several joined by "or", translated."""
    for text, pattern in _term_patterns().items():
        if known := pattern.fullmatch(term):
            return fill_gaps(translate(text), known.groupdict())
    parts = term.split(" or ")
    return "、".join(_translated_term(each, translate) for each in parts) if parts[1:] else term


@cache
def _patterns(detailed: bool) -> dict[str, re.Pattern[str]]:
    """Return a regular expression for each error text, with a named group per placeholder."""
    return _compile((*FAULTS, *DESIGNER_FAULTS) if detailed else FAULTS)


@cache
def _term_patterns() -> dict[str, re.Pattern[str]]:
    return _compile(TYPE_TERMS)


def _compile(texts: Sequence[str]) -> dict[str, re.Pattern[str]]:
    return {text: re.compile(_pattern(text), re.DOTALL) for text in texts}


def _pattern(text: str) -> str:
    parts = GAP.split(text)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [
        rf"(?P<{name}>[0-9]+)" if name in ("n", "most") else f"(?P<{name}>.+?)"
        for name in parts[1::2]
    ]
    return "".join(parts)
