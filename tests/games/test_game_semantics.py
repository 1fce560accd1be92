"""The rules have all that a game's meaning.toml names: its tags are those that they say."""

import ast
from collections.abc import Iterator

import pytest
from msgspec.structs import astuple

from tabletop.catalogue import catalogue

KITS = pytest.mark.parametrize("kit", catalogue.load_all().games, ids=lambda kit: kit.id)


def tagged(kit: catalogue.GameKit) -> Iterator[tuple[str, set[str | None]]]:
    """Every tag with which the rules say something, and what the sentence is given beside it."""
    for file in kit.folder.iterdir():
        if file.name.endswith(".py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(func=ast.Attribute(attr="say"), keywords=given):
                        args = {word.arg for word in given}
                        tags = (word.value for word in given if word.arg == "tag")
                        yield from ((tag, args) for each in tags for tag in constants(each))


def constants(expression: ast.expr) -> Iterator[str]:
    """The texts that an expression can give."""
    for node in ast.walk(expression):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@KITS
def test_tags_are_said_and_every_one_counts_for_something(kit: catalogue.GameKit) -> None:
    counted = {tag for tally in kit.meaning.tally for tag in tally.tags}
    marked = {tag for tags in astuple(kit.meaning.replay.marks) for tag in tags}
    said = {tag for tag, _ in tagged(kit)}
    assert said == counted | marked or (kit.is_external and said > counted | marked)


@KITS
def test_statistics_name_the_player_and_the_count(kit: catalogue.GameKit) -> None:
    for tally in kit.meaning.tally:
        needed = {"seat"} | ({tally.sum} if tally.sum else set())
        assert all(args >= needed for tag, args in tagged(kit) if tag in tally.tags)
