"""Card texts in English and Japanese, generated from effects as one sentence each.

The placeholders of a sentence are the fields of its effect, and those that `_placeholders` adds.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec.structs import asdict

from tabletop.games.awss.effects import (
    Aura,
    BonusIf,
    BonusPer,
    Condition,
    Counters,
    Depart,
    Effect,
    Face,
    Flip,
    Harm,
    NoNegative,
    PointsFromTip,
    Rotate,
    Sacrifice,
    Season,
    Selection,
    StayUp,
    SwapOther,
    SwapSelf,
    TargetKind,
    TurnSelf,
    Ward,
)

Language = Literal["en", "ja"]
Wording = Mapping[Language, str]


def card_text(effects: Sequence[Effect], language: Language) -> str:
    """Return the text of a card with these effects."""
    sentences = [_sentence(effect, language) for effect in effects]
    return " ".join(sentences) if language == "en" else "".join(sentences).replace("-", "−")


def _sentence(effect: Effect, language: Language) -> str:
    match effect:
        case Flip(when="post") | Counters(when="post"):
            wording = AFTER_SCORING[type(effect)]
        case _:
            wording = SENTENCES[type(effect)]
    return wording[language].format_map(_placeholders(effect, language))


def _placeholders(effect: Effect, language: Language) -> dict[str, Any]:
    placeholders = asdict(effect)
    match effect:
        case BonusIf(cond=cond):
            placeholders["cond"] = _condition(cond, language)
        case BonusPer(count=count, max=most):
            placeholders["count"] = _count(count, language)
            placeholders["cap"] = "" if most is None else CAP_TEXT[language].format(max=most)
        case Aura(who=who):
            placeholders |= _selection(who, language)
        case PointsFromTip(max=most):
            placeholders["cap"] = CAP_TEXT[language].format(max=most)
        case StayUp(through=through):
            placeholders["through"] = SEASONS[through][language]
        case Ward(against=against):
            placeholders["harms"] = _harms(against, language)
        case Counters(who=who, n=n):
            placeholders["counters"] = _counters(n, who, language)
            placeholders["who"] = TARGETS[who][language]
        case Flip(who=who) | Rotate(who=who):
            placeholders["who"] = TARGETS[who][language]
    return placeholders


SENTENCES: Mapping[type[Effect], Wording] = {
    BonusIf: {
        "en": "{points:+} if {cond}.",
        "ja": "{cond}なら{points:+}点。",
    },
    BonusPer: {
        "en": "{points:+} per {count}{cap}.",
        "ja": "{count}につき{points:+}点{cap}。",
    },
    Aura: {
        "en": "Each {card} {zone} scores {points:+}.",
        "ja": "{zone}{card}は各{points:+}点。",
    },
    PointsFromTip: {
        "en": "Adds the highest printed points among face-up cards at its arrow tips{cap}.",
        "ja": "矢印の先の表向きのカードの点数（書かれた値）のうち最大の値を加える{cap}。",
    },
    StayUp: {
        "en": "Stays face-up until the {through} presentation ends (scores only in its own "
        "season).",
        "ja": "{through}プレゼンが終わるまで裏向きにならない（得点は自分の季節だけ）。",
    },
    Ward: {
        "en": "Cannot be {harms} by other players' effects.",
        "ja": "ほかの調査員の効果では、{harms}。",
    },
    NoNegative: {
        "en": "Ignores negative arrows.",
        "ja": "マイナスの矢印の影響を受けない。",
    },
    Flip: {
        "en": "◎Turn {who} face-down.",
        "ja": "◎{who}を裏向きにする。",
    },
    Rotate: {
        "en": "◎Turn {who} upside-down.",
        "ja": "◎{who}の上下を逆にする。",
    },
    Counters: {
        "en": "◎Put {counters} on {who}.",
        "ja": "◎{who}に{counters}置く。",
    },
    SwapOther: {
        "en": "◎Choose another player: swap the card at the same position with another card of "
        "that player.",
        "ja": "◎ほかの調査員1人を選び、その同じ位置のカードをその調査員の別のカード1枚と"
        "入れ替える。",
    },
    Depart: {
        "en": "◎Replace this card by one of your unused picks, either way up.",
        "ja": "◎このカードを未使用のピックカード1枚と取り替える（向きは自由）。",
    },
    Sacrifice: {
        "en": "◆Before scoring you may turn one of your face-up cards at its arrow tips "
        "face-down: this card scores {points:+}.",
        "ja": "◆得点前、このカードの矢印の先の自分の表向きのカード1枚を裏向きにしてよい。"
        "そうしたらこのカードは{points:+}点。",
    },
    TurnSelf: {
        "en": "◆Before scoring you may turn this card upside-down.",
        "ja": "◆得点前、このカードの上下を逆にしてよい。",
    },
    SwapSelf: {
        "en": "◆Before scoring you may swap this card with another of your cards.",
        "ja": "◆得点前、このカードを自分の別のカード1枚と入れ替えてよい。",
    },
}
AFTER_SCORING: Mapping[type[Effect], Wording] = {
    Flip: {
        "en": "◆After scoring you may turn {who} face-down.",
        "ja": "◆得点後、{who}を裏向きにしてよい。",
    },
    Counters: {
        "en": "◆After scoring you may put {counters} on {who}.",
        "ja": "◆得点後、{who}に{counters}置いてよい。",
    },
}

# Values of the placeholders


def _condition(cond: Condition, language: Language) -> str:
    if cond.sel is None:
        return THIS_CARD[language].format(PLACES[str(cond.spot)][language])
    placeholders = {"min": cond.min, "max": cond.max, **_selection(cond.sel, language)}
    return _how_many(cond)[language].format_map(placeholders)


def _how_many(cond: Condition) -> Wording:
    if cond.max == 0:
        return NONE
    return AT_MOST if cond.min is None else AT_LEAST


THIS_CARD: Wording = {"en": "this card is {}", "ja": "このカードが{}"}
NONE: Wording = {
    "en": "there is no {card} {zone}",
    "ja": "{zone}{card}がない",
}
AT_MOST: Wording = {
    "en": "there are at most {max} {card}s {zone}",
    "ja": "{zone}{card}が{max}枚以下",
}
AT_LEAST: Wording = {
    "en": "there are {min} or more {card}s {zone}",
    "ja": "{zone}{card}が{min}枚以上",
}


def _count(count: Selection, language: Language) -> str:
    return COUNTED[count.zone][language].format_map(_selection(count, language))


EACH_CARD: Wording = {
    "en": "{card} {zone}",
    "ja": "{zone}{card}1枚",
}
COUNTED: Mapping[str, Wording] = {
    **dict.fromkeys(("tips", "board", "row", "col"), EACH_CARD),
    "same_position": {
        "en": "other player with a {card} at the same position",
        "ja": "同じ位置に{card}があるほかの調査員1人",
    },
    "kinds": {
        "en": "season among your face-up cards",
        "ja": "自分の表向きのカードの季節1種類",
    },
}


def _selection(selection: Selection, language: Language) -> dict[str, str]:
    """Return the placeholders `card` and `zone`: which cards are selected, and where they are."""
    parts = [FACES[selection.face][language]]
    if selection.not_season:
        parts.append(NOT_TEXT[language].format(SEASONS[selection.not_season][language]))
    if selection.season:
        parts.append(OF_TEXT[language].format(SEASONS[selection.season][language]))
    if selection.stars:
        parts.append(OF_TEXT[language].format("★" * selection.stars))
    return {"card": "".join([*parts, CARD[language]]), "zone": ZONES[selection.zone][language]}


def _harms(against: Sequence[Harm], language: Language) -> str:
    """Return what a card is immune to. Japanese verbs are joined like 「〜ならず、〜されない」."""
    harms = [HARMS[harm][language] for harm in against]
    if language == "en":
        return " or ".join(harms)
    *first, last = harms
    return "、".join([*(harm.removesuffix("ない") + "ず" for harm in first), last])


def _counters(n: int, who: TargetKind, language: Language) -> str:
    number, sign = abs(n), "+1" if n > 0 else "-1"
    if language == "en":
        return f"{NUMBERS[number]} {sign} counter{'s' if number > 1 else ''}"
    return f"{sign}カウンターを{number}個{'ずつ' if who in SEVERAL else ''}"


SEVERAL: frozenset[TargetKind] = frozenset(("same_position_all", "own_tips_all"))
NUMBERS = ("no", "one", "two", "three", "four", "five")

CAP_TEXT: Wording = {"en": " (at most {max:+})", "ja": "（最大{max:+}点）"}
CARD: Wording = {"en": "card", "ja": "カード"}
OF_TEXT: Wording = {"en": "{} ", "ja": "{}の"}
NOT_TEXT: Wording = {"en": "non-{} ", "ja": "{}以外の"}
FACES: Mapping[Face, Wording] = {
    "up": {"en": "face-up ", "ja": "表向きの"},
    "down": {"en": "face-down ", "ja": "裏向きの"},
}
SEASONS: Mapping[Season, Wording] = {
    "autumn": {"en": "autumn", "ja": "秋"},
    "winter": {"en": "winter", "ja": "冬"},
    "spring": {"en": "spring", "ja": "春"},
    "summer": {"en": "summer", "ja": "夏"},
}
PLACES: Mapping[str, Wording] = {
    "centre": {"en": "in the centre", "ja": "中央にある"},
    "corner": {"en": "in a corner", "ja": "四隅にある"},
    "edge": {"en": "in the middle of a side", "ja": "辺の中央にある"},
    "rotated": {"en": "upside-down", "ja": "上下逆さま"},
    "appeal": {"en": "an appeal card", "ja": "アピールカード"},
}
ZONES: Mapping[str, Wording] = {
    "tips": {"en": "at its arrow tips", "ja": "矢印の先の"},
    "board": {"en": "elsewhere on your board", "ja": "自分のボードのほかの"},
    "row": {"en": "elsewhere in its row", "ja": "同じ横列のほかの"},
    "col": {"en": "elsewhere in its column", "ja": "同じ縦列のほかの"},
    "same_position": {
        "en": "at the same position of other players",
        "ja": "ほかの調査員の同じ位置の",
    },
    "kinds": {"en": "on your board", "ja": "自分のボードの"},
}
HARMS: Mapping[Harm, Wording] = {
    "flip": {"en": "turned face-down", "ja": "裏向きにならない"},
    "move": {"en": "moved or rotated", "ja": "移動も上下の反転もされない"},
    "counters": {"en": "given counters", "ja": "カウンターも置かれない"},
}
TARGETS: Mapping[TargetKind, Wording] = {
    "same_position_one": {
        "en": "the card at the same position of one other player",
        "ja": "ほかの調査員1人の同じ位置のカード",
    },
    "same_position_all": {
        "en": "the card at the same position of every other player",
        "ja": "ほかの調査員全員の同じ位置のカード",
    },
    "same_row_one": {
        "en": "one card in the same row of one other player",
        "ja": "ほかの調査員1人の同じ横列のカード1枚",
    },
    "own_tip_one": {
        "en": "one of your cards at this card's arrow tips",
        "ja": "このカードの矢印の先の自分のカード1枚",
    },
    "own_tips_all": {
        "en": "each of your cards at this card's arrow tips",
        "ja": "このカードの矢印の先の自分のカードすべて",
    },
}
