"""A person with a page before her and no rules: what a thumb can tap, from a page's JSON alone."""

import random
from collections.abc import Iterator
from itertools import combinations, islice, permutations
from typing import Any

Json = dict[str, Any]

MOST = 400
"""Answers of one gathering that are looked at."""


def leaves(choices: list[Json], parent: str = "") -> Iterator[str]:
    """The choices that taps lead to; what goes on is no answer by itself."""
    for choice in choices:
        further = choice.get("further", [])
        if further:
            yield from leaves(further)
        else:
            yield choice["choice"]


def answers(page: Json) -> Iterator[Json]:
    """Every move that a page lets one make; of many cards put together some."""
    for way in page.get("actions", []):
        yield from _moves(way, [])
    for card, lying in page.get("cards", {}).items():
        for way in lying.get("ways", []):
            yield from _moves(way, [int(card)])
    for gathering in page.get("gatherings", []):
        yield from islice(_gathered(gathering), MOST)


def _moves(way: Json, cards: list[int]) -> Iterator[Json]:
    move = {"ask": way["ask"], "verb": way["verb"], "cards": cards}
    move["target"] = way.get("target", "")
    choices = way.get("choices", [])
    for choice in leaves(choices) if choices else [""]:
        yield {**move, "choice": choice}


def _gathered(gathering: Json) -> Iterator[Json]:
    spots, least = gathering.get("spots", []), gathering.get("least", 0)
    for count in range(max(1, least), gathering["most"] + 1):
        arrange = permutations if spots else combinations
        for cards in arrange(gathering["cards"], count):
            yield from _sent(gathering, list(cards))


def _sent(gathering: Json, cards: list[int]) -> Iterator[Json]:
    """These cards, with the way each lies or what else is chosen."""
    signs = gathering.get("signs", [])
    choices = gathering.get("choices", [])
    chosen = ["".join(ways[0] for ways in signs)] if signs else [*leaves(choices)] or [""]
    for target in gathering.get("targets", []) or [""]:
        for choice in chosen:
            yield {
                "ask": gathering["ask"],
                "verb": gathering["verb"],
                "cards": cards,
                "target": target,
                "choice": choice,
            }


def some_answer(page: Json, chance: random.Random) -> Json | None:
    """One move that the page lets one make, at random; None where it lets one make none."""
    gatherings = page.get("gatherings", [])
    single = [
        *((way, []) for way in page.get("actions", [])),
        *(
            (way, [int(card)])
            for card, lying in page.get("cards", {}).items()
            for way in lying.get("ways", [])
        ),
    ]
    verbs = sorted({way["verb"] for way, _ in single} | {each["verb"] for each in gatherings})
    if not verbs:
        return None
    verb = chance.choice(verbs)
    ways = [each for each in single if each[0]["verb"] == verb]
    together = [each for each in gatherings if each["verb"] == verb]
    drawn = chance.randrange(len(ways) + len(together))
    if drawn < len(ways):
        return chance.choice([*_moves(*ways[drawn])])
    gathering = together[drawn - len(ways)]
    count = chance.randint(max(1, gathering.get("least", 0)), gathering["most"])
    cards = chance.sample(gathering["cards"], count)
    if not gathering.get("spots"):
        cards.sort(key=gathering["cards"].index)
    sent = chance.choice([*_sent(gathering, cards)])
    signs = gathering.get("signs", [])
    if signs:
        sent["choice"] = "".join(chance.choice(ways) for ways in signs)
    return sent
