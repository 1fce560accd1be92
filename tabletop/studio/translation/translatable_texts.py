"""Finder of the English texts in a game's data files."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

TEXT_KEYS = frozenset(("caption", "watched", "label", "text", "notes", "hint", "alone"))
"""Layout keys whose value is a translatable string or a list of such strings."""
CARD_KEYS = ("name", "short", "text", "flavour")
BOX_KEYS = ("title", "feel", "credit")


def _of_cards(written: Mapping[str, Any]) -> Iterator[str]:
    box = written.get("box", {})
    yield from (box[key] for key in BOX_KEYS if key in box)
    for option in box.get("options", ()):
        yield option["label"]
        yield from (choice["label"] for choice in option["choices"])
    for card in written.get("card", ()):
        yield from (card[key] for key in CARD_KEYS if key in card)


def _of_rows(written: Mapping[str, Any], section: str) -> Iterator[str]:
    yield from (row["text"] for row in written.get(section, ()))


def _of_free(written: Mapping[str, Any]) -> Iterator[str]:
    for section in ("zone", "dice", "counter"):
        for thing in written.get(section, {}).values():
            yield from (thing[key] for key in ("label", "caption") if key in thing)
    for counter in written.get("counter", {}).values():  # for screen readers
        yield counter["label"] + ": {value}"
    yield from _of_rows(written, "score")


def _of_template(written: Mapping[str, Any]) -> Iterator[str]:
    yield from (written[key] for key in ("title", "summary") if key in written)


def _of_words(written: Mapping[str, Any]) -> Iterator[str]:
    asks = written.get("asks", {}).values()
    for ask in asks:
        yield from (ask["prompt"], *_strings(ask.get("prompts", {})))
        yield from _strings(ask.get("offered", {}))
        yield from (ask[key] for key in ("holding",) if key in ask)
    race = written.get("race", {})
    for line in (*race.get("heads", ()), *race.get("figures", ())):
        yield from (line[key] for key in ("text", "one", "hint") if key in line)
    for key in ("headings", "ribbons"):
        yield from (line["text"] for line in written.get(key, ()))
    apart = ("asks", "headings", "race", "ribbons")
    yield from _strings({key: part for key, part in written.items() if key not in apart})


def _strings(node: object) -> Iterator[str]:
    match node:
        case str():
            yield node
        case dict():
            for part in node.values():
                yield from _strings(part)
        case list():
            for part in node:
                yield from _strings(part)


def _strings_below(node: object) -> Iterator[str]:
    """Yield the strings stored under `TEXT_KEYS`, at any depth."""
    match node:
        case dict():
            for key, part in node.items():
                if key in TEXT_KEYS:
                    held = part if isinstance(part, list) else [part]
                    yield from (text for text in held if isinstance(text, str))
                yield from _strings_below(part)
        case list():
            for part in node:
                yield from _strings_below(part)


TEXT_FINDERS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    "cards.toml": _of_cards,
    "words.toml": _of_words,
    "meaning.toml": _strings_below,
    "table.toml": _strings_below,
    "free.toml": _of_free,
    "first.toml": partial(_of_rows, section="lesson"),
    "illustrations.toml": partial(_of_rows, section="symbol"),
    "template.toml": _of_template,
}
"""Functions that yield the texts in a game's data file, by file name. The first file also contains
the player counts.
"""
