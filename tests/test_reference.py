"""The reference is up to date, its examples work, and all that rules are given is in it."""

import doctest
from typing import Any

import pytest

from tabletop.engine import dry_run, mask, model, pen, play, scratch, teams, values
from tabletop.engine.model import Sight, State, Zone
from tabletop.engine.table import SeededRng, Table
from tests import reference

DOCUMENTED = dict(reference.documented())
WITHOUT_EXAMPLE = {
    *("AUDIENCE", "NO_CARD", "Fact", "CardPlace", "Pen", "PublicValue", "DryRunTable"),
    *("Offer.admits", "Offer.begins", "Offer.moves", "Offer.sample"),
    *("Rng.below", "Rng.shuffled", "Deduction.query", "RaceCounting.figures"),
    "FormerOffers.former_offers",
    *(f"GameRules.{name}" for name in ("setup", "offers", "play", "resume", "why", "preview")),
}
"""Entries whose example is that of what they belong to."""
WITHOUT_EXAMPLE |= {
    f"{kind}.{method}"
    for kind in ("PublicValue", "Number", "Flag", "Word", "Numbers")
    for method in ("set", "of", "all", "row", "add", "put", "append")
}
NOT_FOR_RULES = {
    *(
        "State",
        "StepRecord",
        "Value",
        "Name",
        "Teams",
        "Facts",
        "Whisper",
    ),  # types, and what pens are made of
    *("all_faces", "back_of", "hidden_card", "faces_of"),
}


def setting() -> dict[str, Any]:
    """The setting of the examples."""
    table = Table(State(2, (0,) * 10), SeededRng("reference"))
    table.place(Zone("pile", Sight.NONE), (3, 4, 5))
    table.place(Zone("row"))
    names: dict[str, Any] = {"FastRng": scratch.FastRng, "SimulationTable": scratch.SimulationTable}
    for module in (model, pen, values, play, teams, mask, dry_run):
        names |= vars(module)
    defined, complaints = run("GameRules", names)
    assert not complaints
    return names | {"table": table, "game": defined["Rules"](), "backs": (0,) * 4}


def run(name: str, names: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The names after the examples of an entry, and the complaints about them."""
    examples = doctest.DocTestParser().get_doctest(DOCUMENTED[name], names, name, None, None)
    complaints: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=complaints.append, clear_globs=False)
    return examples.globs, "".join(complaints)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_an_example_does_what_it_shows(name: str) -> None:
    assert (">>> " in DOCUMENTED[name]) is (name not in WITHOUT_EXAMPLE)
    _, complaints = run(name, setting())
    assert not complaints, complaints


def test_the_page_is_up_to_date() -> None:
    text = reference.PAGE.read_text("utf-8")
    assert text == reference.page(), "run python3 -m tests.reference"


def test_all_that_rules_are_given_is_in_it() -> None:
    entries = {name for name in DOCUMENTED if "." not in name}
    assert set(model.__all__) - entries == NOT_FOR_RULES
    pens = {name for name in vars(model.Pen) if name[0] != "_"} - {"state"}
    assert {f"Pen.{name}" for name in pens} <= DOCUMENTED.keys()
