"""Chances to react, and what becomes of them as their player wishes (`Seat.react`).

Timing is information. A pass that is made because nothing else is possible goes out after a pause,
and the player's own answer doesn't go out before it is over: nobody can distinguish the two. A pass
that doesn't depend on the hand may go out at once. Bots do the same everywhere
(`bots.answer_time`).

A game names its chances under `[reactions]` of meaning.toml: "any" is a question to bystanders,
"own" one about the player: own dice, an attack on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from tabletop.engine.model import Ask, Move, Offer, TableReader
from tabletop.text.phrases import phrase

if TYPE_CHECKING:  # the settings name a player's wish, and are read before there is any match
    from tabletop.games.game_semantics import GameSemantics

PASS = "pass"
"""The verb of an answer that lets a chance to react go by."""

PassPolicy = Literal["ask", "able", "own", "pass"]

POLICY_LABELS: dict[PassPolicy, str] = {
    "ask": phrase("Always ask me"),
    "able": phrase("Only ask me when I could answer"),
    "own": phrase("Pass until my turn, except when it's about me"),
    "pass": phrase("Pass until my turn"),
}
"""The ways in which a player may wish to be asked."""

PassPolicySetting = Literal["usual", "ask", "able", "own", "pass"]
"""A wish, or none: then it depends on the other players of the table."""

DEFAULT_POLICY_LABEL = phrase("As usual")
"""No wish (`default_policy`)."""


class ReactionHandling(Struct, frozen=True):
    """The treatment of a reaction chance: whether it is passed for the player, whether the pause is
    kept."""

    passes: bool
    pauses: bool


ASKED, PASSED = ReactionHandling(False, False), ReactionHandling(True, False)


def default_policy(alone: bool) -> PassPolicy:
    """Return the policy for players without a wish: a person `alone` among bots, to whom no pause
    reveals anything, is asked only when there is something to answer."""
    return "able" if alone else "ask"


def has_reactions(meaning: GameSemantics) -> bool:
    """Whether there are chances to react in this game."""
    return bool(meaning.reactions)


def is_reaction_chance(meaning: GameSemantics, ask: Ask, offers: Sequence[Offer]) -> bool:
    """Whether the question is a chance to react, which may be passed."""
    return ask.what in meaning.reactions and can_pass(ask, offers)


def can_pass(ask: Ask, offers: Sequence[Offer]) -> bool:
    """Whether a pass is an answer."""
    return any(offer.admits(Move(ask.id, PASS)) for offer in offers)


def can_react(ask: Ask, offers: Sequence[Offer]) -> bool:
    """Whether something else than a pass is possible."""
    return any(move.verb != PASS for offer in offers for move in offer.moves(ask.id))


def passes_unasked(meaning: GameSemantics, look: TableReader, ask: Ask, policy: PassPolicy) -> bool:
    """Whether the player wishes not even to be asked, whatever their hand."""
    if policy not in ("own", "pass") or look.values.get(meaning.turn) == ask.seat:
        return False
    return policy == "pass" or meaning.reactions[ask.what] == "any"


def reaction_handling(
    meaning: GameSemantics, look: TableReader, ask: Ask, offers: Sequence[Offer], policy: PassPolicy
) -> ReactionHandling:
    """Return the treatment of a chance to react that only its player sees."""
    if policy == "ask":
        return ASKED
    if passes_unasked(meaning, look, ask, policy):
        return PASSED
    return ReactionHandling(not can_react(ask, offers), True)
