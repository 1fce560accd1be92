"""Card texts in English and Japanese, generated from effects as one sentence each.

The placeholders of a sentence are the fields of its effect, and those that `_placeholders` adds.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import asdict

from tabletop.games.royale.effects import (
    Attack,
    Chain,
    Counter,
    Dodge,
    Double,
    DrawEx,
    DrawItem,
    Effect,
    Escape,
    Forbid,
    Guard,
    Heal,
    Hide,
    Initiative,
    Mods,
    Negotiate,
    PassLines,
    Peek,
    Reroll,
    Ride,
    Salvage,
    SearchSure,
    SearchUpTo,
    StartAgain,
    Steps,
    Stride,
    Teleport,
    Timing,
    TradeEx,
)

Language = Literal["en", "ja"]
Wording = Mapping[Language, str]

SINGLE_USE: Wording = {"en": "Single use. ", "ja": "使い捨て。"}


def effect_text(effect: Effect, language: Language) -> str:
    """Return the text of a card with this effect."""
    sentence = _wording_of(effect)[language].format_map(_placeholders(effect, language))
    return sentence[:1].upper() + sentence[1:] if language == "en" else sentence.replace("-", "−")


def _wording_of(effect: Effect) -> Wording:
    match effect:
        case Negotiate(limit="turn"):
            return NEGOTIATE_BY_ABILITY
        case _:
            return SENTENCES[type(effect)]


def _placeholders(effect: Effect, language: Language) -> dict[str, Any]:
    words = WORDS[language]
    placeholders = asdict(effect)
    placeholders["opening"] = OPENINGS[language].get(effect.timing, "")
    placeholders["often"] = words["often"] if placeholders.get("limit") else ""
    match effect:
        case Attack(category=category, perf=perf, on_hit=on_hit):
            ranges = [f"{words[at]}{p.modifier:+}/{p.attacks}/{p.damage}" for at, p in perf.items()]
            placeholders["category"] = words[category]
            placeholders["ranges"] = words["between"].join(ranges)
            placeholders["steal"] = words["steal"] if on_hit else ""
        case Reroll(rolls=rolls):
            *others, last = [words[throw] for throw in rolls]
            placeholders["dice"] = words["comma"].join(others) + words["or"] + last
        case Mods():
            mods = [
                f"{word}{placeholders[key]:+}"
                for key, word in MODS[language].items()
                if placeholders[key]
            ]
            placeholders["mods"] = words["and"].join(mods)
    return placeholders


SENTENCES: Mapping[type[Effect], Wording] = {
    Attack: {
        "en": "Weapon ({category}): {ranges}.{steal}",
        "ja": "攻撃手段（{category}）。{ranges}。{steal}",
    },
    Steps: {
        "en": "Move {steps} step: after your walk, or when someone comes into your area or an "
        "adjacent one (or answers your step with a Move).",
        "ja": "{steps}歩移動する。自分が歩いたあと、または同じエリアか隣のエリアに誰かが移動して"
        "きたとき（自分の「移動」に「移動」で応じられたときも）使える。",
    },
    Stride: {
        "en": "{opening}you may move {extra} step farther.",
        "ja": "{opening}移動できる歩数が{extra}増える。",
    },
    PassLines: {
        "en": "{opening}you may move across blocked lines.",
        "ja": "{opening}移動不可ラインを越えて移動できる。",
    },
    Heal: {
        "en": "{opening}recover {n} lost stamina{often}.",
        "ja": "{opening}減った気力を{n}回復する{often}。",
    },
    SearchUpTo: {
        "en": "In ordinary areas your search succeeds on {max} or less.",
        "ja": "通常エリアの探索は、サイコロの出目が{max}以下なら成功になる。",
    },
    SearchSure: {
        "en": "When you search an ordinary area: draw {n} item instead of rolling.",
        "ja": "通常エリアで探索を宣言したとき、サイコロを振らずにアイテムを{n}枚引く。",
    },
    Reroll: {
        "en": "Right after rolling your own dice for {dice}: roll them all again{often}.",
        "ja": "自分が{dice}のサイコロを振った直後、それを全部振り直す{often}。",
    },
    Dodge: {
        "en": "When a hit roll against you succeeds, before damage: it misses instead.",
        "ja": "自分への攻撃が命中したとき、ダメージの前にその命中を外れにする。",
    },
    Initiative: {
        "en": "Before the initiative roll: you go first without rolling (if both play it, roll as "
        "usual).",
        "ja": "イニシアチブ判定の前に使う。サイコロを振らずに先攻になる（双方が使ったら普通に"
        "判定）。",
    },
    Chain: {
        "en": "In a battle, right after your attack: attack the same opponent once more.",
        "ja": "バトルで自分の攻撃が終わった直後、同じ相手にもう一度攻撃を行う。",
    },
    Counter: {
        "en": "In a battle, right after an attack against you: make one attack back.",
        "ja": "バトルで自分への攻撃が終わった直後、その相手に攻撃を1回行う。",
    },
    Negotiate: {
        "en": 'Phase action "Negotiate".',
        "ja": "フェイズ行動「交渉」を行う。",
    },
    Mods: {
        "en": "May be turned up when a battle or snipe begins. While face-up: {mods}.",
        "ja": "バトルか狙撃の始めに表にできる。表向きの間、{mods}。",
    },
    Guard: {
        "en": 'Your battle action "Defend" adds {bonus:+} more.',
        "ja": "バトル行動「防御」の効果がさらに{bonus:+}される。",
    },
    Double: {
        "en": "Intermission: build one mecha. When you are attacked or sniped, the mecha (stamina "
        "{stamina}, melee {melee.hit}/{melee.evade}, ranged {ranged.hit}/{ranged.evade}) may stand "
        "in for you; it fights with your items and EX cards and is used up afterwards. Its loss "
        "moves no points; its knockouts are yours.",
        "ja": "インターミッションにメカを1体用意できる。攻撃か狙撃を受けるとき、用意したメカ（気力"
        "{stamina}、白兵{melee.hit}/{melee.evade}、射撃{ranged.hit}/{ranged.evade}）を身代わりに"
        "出せる。メカは自分のアイテムとEXカードで戦い、終わると使い切り。メカがリタイアしてもキル・デス"
        "ポイントは動かず、メカが相手をリタイアさせたら自分のキルポイントになる。",
    },
    Escape: {
        "en": "When you are attacked: the battle does not happen.",
        "ja": "攻撃を仕掛けられたとき、そのバトルを起こさせない。",
    },
    Hide: {
        "en": "When you are sniped at: the snipe does not happen.",
        "ja": "狙撃の対象になったとき、その狙撃を行わせない。",
    },
    StartAgain: {
        "en": "Once per turn you may re-roll your start position.",
        "ja": "スタートポジションのサイコロを1ターンに1回振り直せる。",
    },
    Forbid: {
        "en": "Before the forbidden area is rolled: you choose it instead.",
        "ja": "禁止エリアを決めるサイコロの前に使う。サイコロの代わりに自分がエリアを選ぶ。",
    },
    Peek: {
        "en": "Intermission: look at all face-down items of one other player.",
        "ja": "インターミッション：ほかのプレイヤー1人の裏向きのアイテムをすべて見る。",
    },
    TradeEx: {
        "en": "Intermission: discard one EX card to draw one item.",
        "ja": "インターミッション：EXカードを1枚捨てて、アイテムを1枚引く。",
    },
    DrawEx: {
        "en": "{opening}draw {n} EX card.",
        "ja": "{opening}EXカードを{n}枚引く。",
    },
    DrawItem: {
        "en": "{opening}draw {n} item.",
        "ja": "{opening}アイテムを{n}枚引く。",
    },
    Salvage: {
        "en": "Search: take any one card of the item discards.",
        "ja": "探索：アイテムの捨て札から好きな1枚を取る。",
    },
    Teleport: {
        "en": "Search: move to any area.",
        "ja": "探索：好きなエリアへ移る。",
    },
    Ride: {
        "en": "No search effect (searched like an ordinary area). A step out of it may go to any "
        "area in its row or column.",
        "ja": "探索の効果はない（通常エリアと同じように探索する）。このエリアから出る1歩は、"
        "同じ横列か縦列のどのエリアへでも進める。",
    },
}
NEGOTIATE_BY_ABILITY: Wording = {
    "en": 'Phase action "Negotiate" without the EX card (once per turn); {bonus:+} on its die.',
    "ja": "EXカードなしでフェイズ行動「交渉」ができる（1ターンに1回）。交渉のサイコロに{bonus:+}。",
}

# Values of the placeholders

OPENINGS: Mapping[Language, Mapping[Timing, str]] = {
    "en": {
        ("gear",): "May be turned up when your phase begins. While face-up: ",
        ("intermission",): "Intermission: ",
        ("area",): "Search: ",
        ("action",): 'Phase action "Rest": ',
        ("action", "intermission"): 'Phase action "Rest" or Intermission: ',
    },
    "ja": {
        ("gear",): "自分のフェイズの始めに表にできる。表向きの間、",
        ("intermission",): "インターミッション：",
        ("area",): "探索：",
        ("action",): "フェイズ行動「休息」：",
        ("action", "intermission"): "フェイズ行動「休息」またはインターミッション：",
    },
}
"""Phrases that name the points in time at which an effect can be used, for sentences that don't."""

MODS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "melee_hit": "melee to-hit ",
        "melee_evade": "melee evasion ",
        "ranged_hit": "ranged to-hit ",
        "ranged_evade": "ranged evasion ",
        "snipe_hit": "to-hit when sniping ",
    },
    "ja": {
        "melee_hit": "白兵命中",
        "melee_evade": "白兵回避",
        "ranged_hit": "射撃命中",
        "ranged_evade": "射撃回避",
        "snipe_hit": "狙撃の命中",
    },
}

WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "melee": "melee",
        "ranged": "ranged",
        "near": "near ",
        "mid": "mid ",
        "far": "far ",
        "snipe": "snipe ",
        "steal": " On a hit you steal one item of the target.",
        "hit": "a hit",
        "search": "a search",
        "negotiate": "a negotiation",
        "and": ", ",
        "between": " ",
        "comma": ", ",
        "or": " or ",
        "often": " (once per turn)",
    },
    "ja": {
        "melee": "白兵",
        "ranged": "射撃",
        "near": "近",
        "mid": "中",
        "far": "遠",
        "snipe": "狙撃",
        "steal": "命中したら相手のアイテム1枚を奪う。",
        "hit": "命中判定",
        "search": "探索",
        "negotiate": "交渉",
        "and": "、",
        "between": "、",
        "comma": "・",
        "or": "・",
        "often": "（1ターンに1回）",
    },
}
