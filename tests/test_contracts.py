"""The import contracts of pyproject.toml bite: what each forbids breaks it once it is planted."""

import copy
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.application.use_cases import read_user_options
from importlinter.configuration import configure
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

configure()
OPTIONS = read_user_options(str(Path(__file__).parents[1] / "pyproject.toml"))
CONTRACTS = OPTIONS.contracts_options
KINDS: dict[str, type[Contract]] = {"forbidden": ForbiddenContract, "layers": LayersContract}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    roots = OPTIONS.session_options["root_packages"]
    return grimp.build_graph(*roots, include_external_packages=True, cache_dir=None)


def kept(options: dict[str, Any], graph: grimp.ImportGraph) -> bool:
    contract = KINDS[options["type"]](options["name"], OPTIONS.session_options, options)
    return contract.check(copy.deepcopy(graph), verbose=False).kept


def banned(options: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Imports that the contract forbids: who imports, and what."""
    if options["type"] == "forbidden":
        for source in options["source_modules"]:
            yield from ((source, forbidden) for forbidden in options["forbidden_modules"])
        return
    floors = [[name.strip() for name in layer.split("|")] for layer in options["layers"]]
    for upper, lower in pairwise(floors):
        yield from ((low, high) for low in lower for high in upper)
    for floor in floors:
        yield from ((one, other) for one in floor for other in floor if one != other)


def planted(graph: grimp.ImportGraph, importer: str, imported: str) -> grimp.ImportGraph:
    """The program with one import more."""
    changed = copy.deepcopy(graph)
    if imported not in changed.modules:
        changed.add_module(imported, is_squashed=True)
    changed.add_import(importer=importer, imported=imported)
    return changed


@pytest.mark.parametrize("options", CONTRACTS, ids=[c["name"] for c in CONTRACTS])
def test_a_contract_is_broken_by_each_import_that_it_forbids(
    graph: grimp.ImportGraph, options: dict[str, Any]
) -> None:
    assert kept(options, graph)
    pairs = list(banned(options))
    assert pairs
    assert [pair for pair in pairs if kept(options, planted(graph, *pair))] == []


@pytest.mark.parametrize("qt", ["PySide6", "shiboken6"])
def test_no_module_below_the_skin_may_import_qt(graph: grimp.ImportGraph, qt: str) -> None:
    guards = [options for options in CONTRACTS if qt in options.get("forbidden_modules", ())]
    below = graph.find_descendants("tabletop")
    assert {"tabletop.match.match", "tabletop.engine.model"} <= below
    for module in sorted(below):
        changed = planted(graph, module, qt)
        assert not all(kept(options, changed) for options in guards), module


def test_every_package_of_the_player_is_held_to_its_house(graph: grimp.ImportGraph) -> None:
    houses = {"tabletop.studio", "ui.studio", "tabletop.server"}
    (contract,) = (c for c in CONTRACTS if houses <= set(c["forbidden_modules"]))
    tops = graph.find_children("tabletop") | graph.find_children("ui")
    assert set(contract["source_modules"]) == tops - houses
