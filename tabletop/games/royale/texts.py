"""What a card says, in both languages, written from its effect: one wording for each effect."""

from typing import Literal

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
    First,
    Forbid,
    Guard,
    Heal,
    Hide,
    Mods,
    Move,
    Negotiate,
    PassLines,
    Peek,
    Reroll,
    Ride,
    Salvage,
    SearchSure,
    SearchUpTo,
    StartAgain,
    Stride,
    Teleport,
    TradeEx,
)

Language = Literal["en", "ja"]

SINGLE_USE = {"en": "Single use. ", "ja": "使い捨て。"}


def text(effect: Effect, language: Language) -> str:
    """All that a card with this effect says."""
    return _english(effect) if language == "en" else _japanese(effect)


# English

ENGLISH_THROWS = {"hit": "a hit", "search": "a search", "negotiate": "a negotiation"}
ENGLISH_OPENING = {
    "passive": "",
    "gear": "May be turned up when your phase begins. While face-up: ",
    "intermission": "Intermission: ",
    "area": "Search: ",
    "action": 'Phase action "Rest": ',
}
ENGLISH_MODS = {
    "melee_hit": "melee to-hit",
    "melee_evade": "melee evasion",
    "ranged_hit": "ranged to-hit",
    "ranged_evade": "ranged evasion",
    "snipe_hit": "to-hit when sniping",
}


def _english(effect: Effect) -> str:
    match effect:
        case Attack(category=category, perf=perf, on_hit=on_hit):
            ranges = " ".join(
                f"{reach} {p.modifier:+}/{p.attacks}/{p.damage}" for reach, p in perf.items()
            )
            steal = " On a hit you steal one item of the target." if on_hit else ""
            return f"Attack means ({category}): {ranges}.{steal}"
        case Move(steps=steps):
            when = "in your own movement, or when somebody has moved into your area or an adjacent"
            return f"Move {steps} step: {when} one (or has answered your movement with a Move)."
        case Stride(timing=(moment, *_), extra=extra):
            return _capital(f"{ENGLISH_OPENING[moment]}you may move {extra} step farther.")
        case PassLines(timing=(moment, *_)):
            return _capital(f"{ENGLISH_OPENING[moment]}you may move across blocked lines.")
        case Heal(timing=("action", "intermission"), n=n):
            return f'Phase action "Rest" or Intermission: recover {n} lost stamina.'
        case Heal(timing=(moment, *_), n=n, limit=limit):
            often = " (once per turn)" if limit else ""
            return f"{ENGLISH_OPENING[moment]}recover {n} lost stamina{often}."
        case SearchUpTo(max=most):
            return f"In ordinary areas your search succeeds on {most} or less."
        case SearchSure(n=n):
            return f"When you search an ordinary area: draw {n} item instead of rolling."
        case Reroll(rolls=rolls, limit=limit):
            *others, last = [ENGLISH_THROWS[throw] for throw in rolls]
            dice = f"{', '.join(others)} or {last}"
            often = " (once per turn)" if limit else ""
            return f"Right after rolling your own dice for {dice}: roll them all again{often}."
        case Negotiate(bonus=bonus, limit=limit):
            if not limit:
                return 'Phase action "Negotiate".'
            return (
                f'Phase action "Negotiate" without the EX card (once per turn); {bonus:+} on its '
                "die."
            )
        case Mods():
            mods = ", ".join(
                f"{word} {n:+}" for key, word in ENGLISH_MODS.items() if (n := getattr(effect, key))
            )
            return f"May be turned up when a battle or snipe begins. While face-up: {mods}."
        case Guard(bonus=bonus):
            return f'Your battle action "Defend" adds {bonus:+} more.'
        case Double(stamina=stamina, melee=melee, ranged=ranged):
            values = f"melee {melee.hit}/{melee.evade}, ranged {ranged.hit}/{ranged.evade}"
            return (
                "Intermission: build one mecha. When you are attacked or sniped, the mecha "
                f"(stamina {stamina}, {values}) may stand in for you; it fights with your items "
                "and EX cards and is used up afterwards. Its loss moves no points; its kills are "
                "yours."
            )
        case DrawEx(timing=(moment, *_), n=n):
            return f"{ENGLISH_OPENING[moment]}draw {n} EX card."
        case DrawItem(timing=(moment, *_), n=n):
            return f"{ENGLISH_OPENING[moment]}draw {n} item."
        case _:
            return ENGLISH[type(effect)]


ENGLISH: dict[type, str] = {
    Dodge: "When a hit roll against you succeeds, before damage: it misses instead.",
    First: "Before the initiative roll: you go first without rolling (if both play it, roll as "
    "usual).",
    Chain: "In a battle, right after your attack: attack the same opponent once more.",
    Counter: "In a battle, right after an attack against you: make one attack back.",
    Escape: "When you are attacked: the battle does not happen.",
    Hide: "When you are sniped at: the snipe does not happen.",
    StartAgain: "Once per turn you may re-roll your start position.",
    Forbid: "Before the forbidden area is rolled: you choose it instead.",
    Peek: "Intermission: look at all face-down items of one other player.",
    TradeEx: "Intermission: discard one EX card to draw one item.",
    Salvage: "Search: take any one card of the item discards.",
    Teleport: "Search: move to any area.",
    Ride: "No search effect (searched like an ordinary area). A step out of it may go to any area "
    "in its row or column.",
}


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


# Japanese

JAPANESE_THROWS = {"hit": "命中判定", "search": "探索", "negotiate": "交渉"}
JAPANESE_RANGES = {"near": "近", "mid": "中", "far": "遠", "snipe": "狙撃"}
JAPANESE_CATEGORY = {"melee": "白兵", "ranged": "射撃"}
JAPANESE_OPENING = {
    "passive": "",
    "gear": "自分のフェイズの始めに表にできる。表の間、",
    "intermission": "インターミッション:",
    "area": "探索:",
    "action": "フェイズ行動「休息」:",
}
JAPANESE_MODS = {
    "melee_hit": "白兵命中",
    "melee_evade": "白兵回避",
    "ranged_hit": "射撃命中",
    "ranged_evade": "射撃回避",
    "snipe_hit": "狙撃の命中",
}


def _japanese(effect: Effect) -> str:
    match effect:
        case Attack(category=category, perf=perf, on_hit=on_hit):
            ranges = " ".join(
                f"{JAPANESE_RANGES[reach]}{p.modifier:+}/{p.attacks}/{p.damage}"
                for reach, p in perf.items()
            )
            steal = "命中したら相手のアイテム1枚を奪う。" if on_hit else ""
            return f"攻撃手段({JAPANESE_CATEGORY[category]}) {ranges}。{steal}"
        case Move(steps=steps):
            near = "同じエリアか隣のエリアに誰かが移動してきたとき"
            answered = "(自分の「移動」に「移動」で応じられたときも)"
            return f"{steps}歩移動する。自分の移動のとき、または{near}{answered}使える。"
        case Stride(timing=(moment, *_), extra=extra):
            return f"{JAPANESE_OPENING[moment]}移動できる歩数が{extra}増える。"
        case PassLines(timing=(moment, *_)):
            return f"{JAPANESE_OPENING[moment]}移動不可ラインを越えて移動できる。"
        case Heal(timing=("action", "intermission"), n=n):
            return f"フェイズ行動「休息」またはインターミッション:減った気力を{n}回復する。"
        case Heal(timing=(moment, *_), n=n, limit=limit):
            often = "(1ターンに1回)" if limit else ""
            return f"{JAPANESE_OPENING[moment]}減った気力を{n}回復する{often}。"
        case SearchUpTo(max=most):
            return f"通常エリアの探索は、サイコロの出目が{most}以下なら成功になる。"
        case SearchSure(n=n):
            return f"通常エリアで探索を宣言したとき、サイコロを振らずにアイテムを{n}枚引く。"
        case Reroll(rolls=rolls, limit=limit):
            dice = "・".join(JAPANESE_THROWS[throw] for throw in rolls)
            often = "(1ターンに1回)" if limit else ""
            return f"自分が{dice}のサイコロを振った直後、それを全部振り直す{often}。"
        case Negotiate(bonus=bonus, limit=limit):
            if not limit:
                return "フェイズ行動「交渉」を行う。"
            action = "EXカードなしでフェイズ行動「交渉」ができる(1ターンに1回)。"
            return f"{action}交渉のサイコロに{bonus:+}。"
        case Mods():
            mods = "、".join(
                f"{word}{n:+}" for key, word in JAPANESE_MODS.items() if (n := getattr(effect, key))
            )
            return f"バトルか狙撃の始めに表にできる。表の間、{mods}。"
        case Guard(bonus=bonus):
            return f"バトル行動「防御」の効果がさらに{bonus:+}される。"
        case Double(stamina=stamina, melee=melee, ranged=ranged):
            values = f"白兵{melee.hit}/{melee.evade} 射撃{ranged.hit}/{ranged.evade}"
            return (
                "インターミッションにメカを1体用意できる。攻撃か狙撃を受けるとき、用意したメカ"
                f"(気力{stamina} {values})を身代わりに出せる。メカは自分のアイテムとEXカードで戦い"
                "、終わると使い切り。メカがリタイヤしてもキル・デスポイントは動かず、"
                "メカが相手をリタイヤさせたら自分のキルポイントになる。"
            )
        case DrawEx(timing=(moment, *_), n=n):
            return f"{JAPANESE_OPENING[moment]}EXカードを{n}枚引く。"
        case DrawItem(timing=(moment, *_), n=n):
            return f"{JAPANESE_OPENING[moment]}アイテムを{n}枚引く。"
        case _:
            return JAPANESE[type(effect)]


JAPANESE: dict[type, str] = {
    Dodge: "自分への攻撃が命中したとき、ダメージの前にその命中を外れにする。",
    First: "イニシアチブ判定の前に使う。サイコロを振らずに先攻になる(双方が使ったら普通に判定)。",
    Chain: "バトルで自分の攻撃が終わった直後、同じ相手にもう一度攻撃を行う。",
    Counter: "バトルで自分への攻撃が終わった直後、その相手に攻撃を1回行う。",
    Escape: "攻撃を仕掛けられたとき、そのバトルを起こさせない。",
    Hide: "狙撃の対象になったとき、その狙撃を行わせない。",
    StartAgain: "スタートポジションのサイコロを1ターンに1回振り直せる。",
    Forbid: "禁止エリアを決めるサイコロの前に使う。サイコロの代わりに自分がエリアを選ぶ。",
    Peek: "インターミッション:他のプレイヤー1人の裏向きのアイテムをすべて見る。",
    TradeEx: "インターミッション:EXカードを1枚捨てて、アイテムを1枚引く。",
    Salvage: "探索:アイテムの捨て札から好きな1枚を取る。",
    Teleport: "探索:好きなエリアへ移る。",
    Ride: "探索の効果はない(通常エリアと同じに探す)。"
    "このエリアから出る1歩は、同じ横列か縦列のどのエリアへでも進める。",
}
