"""Reaction chances, and how a player's pass policy handles them (see `Seat.set_reactions`).

Timing gives information away. If a hand allows no reaction, the automatic pass is sent after a
pause, and a deliberate answer is held back until the same pause is over. So other players can't
tell them apart. A pass that doesn't depend on the hand can be sent immediately. Bots follow the
same rule (`bots.answer_time`).

A game lists its reaction questions under `[reactions]` of meaning.toml: "any" for a question to
bystanders, "own" for a question about the player, for example about the player's own dice or an
attack.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from tabletop.engine.model import Ask, Move, Offer, TableReader
from tabletop.text.phrases import phrase

if TYPE_CHECKING:  # the settings import this module, and need no game
    from tabletop.games.game_semantics import GameSemantics

PASS = "pass"
"""The verb of a move that declines to react."""

PassPolicy = Literal["ask", "able", "own", "pass"]

POLICY_LABELS: dict[PassPolicy, str] = {
    "ask": phrase("Always ask me"),
    "able": phrase("Only ask me when I could answer"),
    "own": phrase("Pass until my turn, except when it's about me"),
    "pass": phrase("Pass until my turn"),
}
"""The pass policies with their labels in the settings."""

PassPolicySetting = Literal["usual", "ask", "able", "own", "pass"]
"""A pass policy, or "usual" for the default, which depends on the other players."""

DEFAULT_POLICY_LABEL = phrase("As usual")
"""The label of the setting "usual"."""


class ReactionHandling(Struct, frozen=True):
    """How to handle a reaction chance: whether to pass it, and whether to delay the answer."""

    passes: bool
    pauses: bool


ASKED, PASSED = ReactionHandling(False, False), ReactionHandling(True, False)


def default_policy(alone: bool) -> PassPolicy:
    """Return the pass policy for a player who hasn't chosen one.

    A human `alone` among bots is asked only if a reaction is possible, since bots learn nothing
    from a skipped pause.
    """
    return "able" if alone else "ask"


def has_reactions(semantics: GameSemantics) -> bool:
    """Return whether the game has reaction chances."""
    return bool(semantics.reactions)


def is_reaction_chance(semantics: GameSemantics, ask: Ask, offers: Sequence[Offer]) -> bool:
    """Return whether `ask` is a reaction chance that can be passed."""
    return ask.what in semantics.reactions and can_pass(ask, offers)


def can_pass(ask: Ask, offers: Sequence[Offer]) -> bool:
    """Return whether a pass answers `ask`."""
    return any(offer.admits(Move(ask.id, PASS)) for offer in offers)


def can_react(ask: Ask, offers: Sequence[Offer]) -> bool:
    """Return whether `offers` admit any move other than a pass."""
    return any(move.verb != PASS for offer in offers for move in offer.moves(ask.id))


def passes_unasked(
    semantics: GameSemantics, table: TableReader, ask: Ask, policy: PassPolicy
) -> bool:
    """Return whether `policy` passes `ask` without asking, regardless of the player's hand."""
    if policy not in ("own", "pass") or table.values.get(semantics.turn) == ask.seat:
        return False
    return policy == "pass" or semantics.reactions[ask.what] == "any"


def reaction_handling(
    semantics: GameSemantics,
    table: TableReader,
    ask: Ask,
    offers: Sequence[Offer],
    policy: PassPolicy,
) -> ReactionHandling:
    """Return how `policy` handles a reaction chance that only the asked player sees."""
    if policy == "ask":
        return ASKED
    if passes_unasked(semantics, table, ask, policy):
        return PASSED
    return ReactionHandling(not can_react(ask, offers), True)
