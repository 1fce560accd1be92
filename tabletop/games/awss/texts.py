"""What a card says, in both languages, written from its effects: one wording for each effect."""

from collections.abc import Sequence
from typing import Literal

from tabletop.games.awss.effects import (
    Aura,
    BonusIf,
    BonusPer,
    Condition,
    Counters,
    Depart,
    Effect,
    Flip,
    Harm,
    NoNegative,
    PointsFromTip,
    Rotate,
    Sacrifice,
    Selection,
    StayUp,
    SwapOther,
    SwapSelf,
    TurnSelf,
    Ward,
    Whom,
)

NUMBERS = ("no", "one", "two", "three", "four", "five")
JAPANESE_SEASONS = {"autumn": "秋", "winter": "冬", "spring": "春", "summer": "夏"}


def text(effects: Sequence[Effect], language: Literal["en", "ja"]) -> str:
    """All that a card with these effects says."""
    if language == "en":
        return " ".join(map(_english, effects))
    return "".join(map(_japanese, effects))


# English


def _english(effect: Effect) -> str:
    match effect:
        case BonusIf(cond, points):
            return f"{points:+} if {_english_condition(cond)}."
        case BonusPer(count, points, most):
            return f"{points:+} per {_english_count(count)}{_english_cap(most)}."
        case Aura(who, points):
            return f"Each {_english_kind(who)} {_english_zone(who)} scores {points:+}."
        case PointsFromTip(most):
            highest = "the highest printed points among face-up cards at its arrow tips"
            return f"Adds {highest}{_english_cap(most)}."
        case StayUp(through):
            until = f"until the {through} presentation ends"
            return f"Stays face-up {until} (scores only in its own season)."
        case Ward(against):
            harms = " or ".join(ENGLISH_HARM[harm] for harm in against)
            return f"Cannot be {harms} by other players' effects."
        case NoNegative():
            return "Ignores negative arrows."
        case Flip(who=who, when=when):
            return f"{_english_opening('turn', when)} {ENGLISH_WHOM[who]} face-down."
        case Rotate(who=who):
            return f"◎Turn {ENGLISH_WHOM[who]} upside-down."
        case Counters(who=who, n=n, when=when):
            sign, plural = ("+1" if n > 0 else "-1"), ("s" if abs(n) > 1 else "")
            counters = f"{NUMBERS[abs(n)]} {sign} counter{plural}"
            return f"{_english_opening('put', when)} {counters} on {ENGLISH_WHOM[who]}."
        case SwapOther():
            swap = "swap the card at the same position with another card of that player"
            return f"◎Choose another player: {swap}."
        case Depart():
            return "◎Replace this card by one of your unused picks, either way up."
        case Sacrifice(points=points):
            tip = "one of your face-up cards at its arrow tips"
            gain = f"this card scores {points:+}"
            return f"◆Before scoring you may turn {tip} face-down: {gain}."
        case TurnSelf():
            return "◆Before scoring you may turn this card upside-down."
        case SwapSelf():
            return "◆Before scoring you may swap this card with another of your cards."


ENGLISH_PLACE = {
    "centre": "in the centre",
    "corner": "in a corner",
    "edge": "in the middle of a side",
    "rotated": "upside-down",
    "appeal": "an appeal card",
}
ENGLISH_ZONE = {
    "tips": "at its arrow tips",
    "board": "elsewhere on your board",
    "row": "elsewhere in its row",
    "col": "elsewhere in its column",
    "same_position": "at the same position of other players",
}
ENGLISH_HARM: dict[Harm, str] = {
    "flip": "turned face-down",
    "move": "moved or rotated",
    "counters": "given counters",
}
ENGLISH_WHOM: dict[Whom, str] = {
    "same_position_one": "the card at the same position of one other player",
    "same_position_all": "the card at the same position of every other player",
    "same_row_one": "one card in the same row of one other player",
    "own_tip_one": "one of your cards at this card's arrow tips",
    "own_tips_all": "each of your cards at this card's arrow tips",
}


def _english_condition(cond: Condition) -> str:
    if cond.sel is None:
        return f"this card is {ENGLISH_PLACE[str(cond.lies)]}"
    if cond.max == 0:
        return f"there is no {_english_kind(cond.sel)} {_english_zone(cond.sel)}"
    bound = f"{cond.min} or more" if cond.min is not None else f"at most {cond.max}"
    return f"there are {bound} {_english_kind(cond.sel)}s {_english_zone(cond.sel)}"


def _english_count(count: Selection) -> str:
    if count.zone == "kinds":
        return "season among your face-up cards"
    if count.zone == "same_position":
        return f"other player with a {_english_kind(count)} at the same position"
    return f"{_english_kind(count)} {_english_zone(count)}"


def _english_zone(selection: Selection) -> str:
    return ENGLISH_ZONE[selection.zone]


def _english_kind(selection: Selection) -> str:
    words = [f"face-{selection.face}"]
    if selection.not_season:
        words.append(f"non-{selection.not_season}")
    if selection.season:
        words.append(selection.season)
    if selection.stars:
        words.append("★" * selection.stars)
    return " ".join([*words, "card"])


def _english_cap(most: int | None) -> str:
    return "" if most is None else f" (at most {most:+})"


def _english_opening(verb: str, when: str | None) -> str:
    return f"◎{verb.capitalize()}" if when is None else f"◆After scoring you may {verb}"


# Japanese


def _japanese(effect: Effect) -> str:
    match effect:
        case BonusIf(cond, points):
            return f"{_japanese_condition(cond)}なら{points:+}点。"
        case BonusPer(count, points, most):
            return f"{_japanese_count(count)}につき{points:+}点{_japanese_cap(most)}。"
        case Aura(who, points):
            return f"{_japanese_kind(who)}は各{points:+}点。"
        case PointsFromTip(most):
            highest = "矢印の先の表向きのカードの点数(書かれた値)のうち最大の値"
            return f"{highest}を加える{_japanese_cap(most)}。"
        case StayUp(through):
            until = f"{JAPANESE_SEASONS[through]}プレゼンが終わるまで"
            return f"{until}裏向きにならない(得点は自分の季節だけ)。"
        case Ward(against):
            harms = "、また".join(JAPANESE_HARM[harm] for harm in against)
            return f"他の調査員の効果では、{harms}。"
        case NoNegative():
            return "マイナスの矢印の影響を受けない。"
        case Flip(who=who, when=when):
            does = "裏向きにする" if when is None else "裏向きにしてよい"
            return f"{_japanese_opening(when)}{JAPANESE_WHOM[who]}を{does}。"
        case Rotate(who=who):
            return f"◎{JAPANESE_WHOM[who]}の上下を逆にする。"
        case Counters(who=who, n=n, when=when):
            counters = f"{'+1' if n > 0 else '-1'}カウンターを{abs(n)}個"
            does = "置く" if when is None else "置いてよい"
            return f"{_japanese_opening(when)}{JAPANESE_WHOM[who]}に{counters}{does}。"
        case SwapOther():
            chosen = "他の調査員1人を選び、その同じ位置のカード"
            return f"◎{chosen}をその調査員の他のカード1枚と入れ替える。"
        case Depart():
            return "◎このカードを未使用のピックカード1枚と取り替える(向きは自由)。"
        case Sacrifice(points=points):
            tip = "自分の矢印の先の表向きのカード1枚"
            return f"◆得点前、{tip}を裏向きにしてよい。そうしたらこのカードは{points:+}点。"
        case TurnSelf():
            return "◆得点前、このカードの上下を逆にしてよい。"
        case SwapSelf():
            return "◆得点前、このカードを自分の他のカード1枚と入れ替えてよい。"


JAPANESE_PLACE = {
    "centre": "中央にある",
    "corner": "四隅にある",
    "edge": "辺の中央にある",
    "rotated": "上下逆さま",
    "appeal": "アピールカード",
}
JAPANESE_ZONE = {
    "tips": "矢印の先の",
    "board": "自分のボードの他の",
    "row": "同じ横列の他の",
    "col": "同じ縦列の他の",
    "same_position": "他の調査員の同じ位置の",
}
JAPANESE_HARM: dict[Harm, str] = {
    "flip": "裏向きにならない",
    "move": "動かされず回されない",
    "counters": "カウンターを置かれない",
}
JAPANESE_WHOM: dict[Whom, str] = {
    "same_position_one": "他の調査員1人の同じ位置のカード",
    "same_position_all": "他の調査員全員の同じ位置のカード",
    "same_row_one": "他の調査員1人の同じ横列のカード1枚",
    "own_tip_one": "自分の矢印の先のカード1枚",
    "own_tips_all": "自分の矢印の先のカードすべて",
}


def _japanese_condition(cond: Condition) -> str:
    if cond.sel is None:
        place = JAPANESE_PLACE[str(cond.lies)]
        return f"このカードが{place}"
    if cond.max == 0:
        return f"{_japanese_kind(cond.sel)}がない"
    bound = f"{cond.min}枚以上" if cond.min is not None else f"{cond.max}枚以下"
    return f"{_japanese_kind(cond.sel)}が{bound}"


def _japanese_count(count: Selection) -> str:
    if count.zone == "kinds":
        return "自分の表向きのカードの季節1種類"
    if count.zone == "same_position":
        return f"同じ位置に{_japanese_card(count)}がある他の調査員1人"
    return f"{_japanese_kind(count)}1枚"


def _japanese_kind(selection: Selection) -> str:
    return JAPANESE_ZONE[selection.zone] + _japanese_card(selection)


def _japanese_card(selection: Selection) -> str:
    words = ["表向きの" if selection.face == "up" else "裏向きの"]
    if selection.not_season:
        words.append(f"{JAPANESE_SEASONS[selection.not_season]}以外の")
    if selection.season:
        words.append(f"{JAPANESE_SEASONS[selection.season]}の")
    if selection.stars:
        words.append(f"{'★' * selection.stars}の")
    return "".join([*words, "カード"])


def _japanese_cap(most: int | None) -> str:
    return "" if most is None else f"(最大{most:+}点)"


def _japanese_opening(when: str | None) -> str:
    return "◎" if when is None else "◆得点後、"
