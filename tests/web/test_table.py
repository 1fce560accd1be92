"""Actions at a table by browser beside playing: watch, undo, talk, concede, ask."""

import asyncio
from pathlib import Path

import pytest

from tabletop.bots.bot_pool import BotPool
from tabletop.catalogue import catalogue
from tabletop.protocol.moderation import AdmitGuest
from tests.bots.planned_pools import HeldPool, QuickPool
from tests.net.loopback import LONG, LONGEST, hosting, plan, run
from tests.web import thumb
from tests.web.gateways import (
    Browser,
    gateway,
    opened,
    play_out,
    seat_all,
    started,
    web_table,
)

PLIES = 200
"""Moves after which a game in its short form has gone on long enough."""


async def test_the_lobby_tells_who_sits_where_in_the_browsers_language(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("royale", 4, bots=1)) as (_, owner, made):
        code = owner.code
        async with (
            Browser(made.port, code=code, language="ja") as one,
            Browser(made.port, code=code, language="en") as two,
        ):
            await one.until(lambda: one.lobby)
            assert one.lobby["title"] == "シスター・ロワイアル"
            assert one.lobby["me"] == -1
            assert [seat["state"] for seat in one.lobby["seats"]] == ["free"] * 3 + ["bot"]
            one.send("sit", seat=2, name=" はる\u202eか\n", symbol="moon")
            await two.until(lambda: two.lobby and two.lobby["seats"][2]["state"] == "ready")
            assert (
                two.lobby["seats"][2]["label"] == "はる か"
                or "はる" in two.lobby["seats"][2]["label"]
            )
            assert "\u202e" not in two.lobby["seats"][2]["label"]
            assert "moon" not in two.lobby["symbols"]
            two.send("sit", seat=2, name="Ann")
            await two.until(lambda: two.notes)
            one.send("sit", seat=0, name="はるか", symbol="moon")
            await two.until(lambda: two.lobby["seats"][0]["state"] == "ready")
            assert two.lobby["seats"][2]["state"] == "free"
            one.send("ready", ready=False)
            await two.until(lambda: two.lobby["seats"][0]["state"] == "here")
            one.send("rise")
            await two.until(lambda: two.lobby["seats"][0]["state"] == "free")
            await one.until(lambda: one.token == "")
            one.send("language", language="en")
            await one.until(lambda: one.lobby["text"] == "Choose a free seat, or watch.")
            (leave,) = [b for b in one.lobby["menu"] if b["does"]["kind"] == "leave"]
            assert leave["confirm"] == "Leave the table for good?"
            one.send("leave")
            await one.until(lambda: one.door)


async def test_a_spectator_sees_open_cards_and_can_do_nothing(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (_, owner, made):
        code = owner.code
        async with (
            Browser(made.port, code=code) as one,
            Browser(made.port, code=code) as two,
            Browser(made.port, code=code) as third,
        ):
            await one.sit(0)
            await two.sit(1)
            await started(owner)
            await third.until(
                lambda: third.lobby and third.lobby["text"].startswith("The match has started.")
            )
            third.send("watch")
            await third.until(lambda: third.page)
            await one.until(lambda: one.page)
            await two.until(lambda: two.page)
            assert third.page["seat"] == -1
            assert not third.asked
            player = one if one.asked else two
            move = next(thumb.answers(player.page))
            for kind, more in (
                ("move", {"id": "spectators", "move": move}),
                ("undo", {}),
                ("concede", {}),
                ("consent", {"agree": True}),
                ("hint", {}),
                ("away", {}),
                ("back", {}),
                ("again", {}),
                ("ready", {"ready": True}),
            ):
                told = await third.ask(kind, **more)
                assert not told["taken"]
                assert told["text"]
            hands = {
                card
                for browser in (one, two)
                for zone in browser.page["zones"]
                if zone.get("hand")
                for card in zone.get("cards", [])
            }
            assert hands
            assert not hands & {int(card) for card in third.page.get("cards", {})}
            third.send("say", text="<b>hello</b>\n")
            await one.until(lambda: one.page.get("chat"))
            assert one.page["chat"][-1]["text"] == "<b>hello</b>"


async def test_an_undone_move_is_played_again_from_the_menu(tmp_path: Path) -> None:
    def kinds(browser: Browser) -> list[str]:
        return [button["does"]["kind"] for button in browser.page["menu"]]

    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
        Browser(made.port, code=owner.code) as two,
    ):
        await one.sit(0)
        await two.sit(1)
        await started(owner)
        await one.until(lambda: one.page)
        await two.until(lambda: two.page)
        player, other = (one, two) if one.asked else (two, one)
        assert "redo" not in kinds(player)
        before = player.page["zones"]
        await player.ask("move", id="redone move", move=next(thumb.answers(player.page)))
        await player.until(lambda: player.page["zones"] != before)
        played = player.page["zones"]
        player.send("undo")
        await player.until(lambda: "redo" in kinds(player))
        assert player.page["zones"] == before
        assert "redo" not in kinds(other)
        player.send("redo")
        await player.until(lambda: player.page["zones"] == played)
        assert "redo" not in kinds(player)


async def test_phones_say_whether_a_conceded_match_ends(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("chains", 3)) as (_, owner, made):
        code = owner.code
        async with (
            Browser(made.port, code=code) as one,
            Browser(made.port, code=code) as two,
            Browser(made.port, code=code) as three,
        ):
            for seat, browser in enumerate((one, two, three)):
                await browser.sit(seat)
            await started(owner)
            for browser in (one, two, three):
                await browser.until(lambda browser=browser: browser.page)
            (concede,) = [b for b in two.page["menu"] if b["does"]["kind"] == "concede"]
            assert "A bot plays on for you" in concede["confirm"]
            two.send("concede")
            for browser in (one, three):
                await browser.until(
                    lambda b=browser: "has conceded, and a bot plays on" in b.page["prompt"]["text"]
                )
            ends = {b["text"]: b["does"] for b in one.page["buttons"]}
            assert ends["Play on"] == {"kind": "consent", "what": "end"}
            for browser in (one, three):
                browser.send("consent", agree=True, what="end")
            for browser in (one, two, three):
                await browser.until(lambda browser=browser: browser.page.get("result"))


async def test_nothing_is_passed_for_a_phone_while_a_bot_plays(tmp_path: Path) -> None:
    """The host would refuse it, and the phone would say so again and again."""
    async with (
        web_table(tmp_path, plan("royale", 3)) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
        Browser(made.port, code=owner.code) as two,
        Browser(made.port, code=owner.code) as three,
    ):
        await seat_all(owner, one, two, three)
        (session,) = (each for each in made.sessions._sessions if each.seat_number == 1)
        seat = session.seat
        assert seat is not None
        reacting = seat._reactions
        assert reacting is not None
        assert reacting.get_policy() == session.policy != "ask"
        treated: list[str] = []
        seat.reapply_pass_policy = lambda: treated.append(reacting.get_policy())
        two.send("concede")
        await two.until(lambda: treated == ["ask"])
        two.send("back")
        await two.until(lambda: treated == ["ask", session.policy])


async def test_a_table_without_spectators_shows_nothing(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2, spectators="none")) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
    ):
        await one.until(lambda: one.lobby)
        assert not one.lobby.get("watchable")
        one.send("watch")
        await one.until(lambda: one.notes)
        assert one.page is None


async def test_a_hint_is_given_against_bots_alone(tmp_path: Path) -> None:
    pool = BotPool(catalogue.load_bot_parts, workers=1)
    try:
        async with (
            hosting(tmp_path) as host,
            opened(host, plan("sun", 2, bots=1)) as owner,
            gateway(host, bot_pool=pool) as made,
            Browser(made.port, code=owner.code) as one,
        ):
            await one.sit(0)
            await started(owner)
            await one.until(lambda: one.asked)
            assert any(each["does"]["kind"] == "hint" for each in one.page["menu"])
            told = await one.ask("hint")
            assert told["text"].startswith("Hint: ")
            assert any(
                {**told["move"], "cards": told["move"].get("cards", [])}.items() <= {**move}.items()
                for move in thumb.answers(one.page)
            )
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("language", "hint", "second"),
    [
        ("en", "Hint: ", "Second best: {move}. Chance of winning: 6% less."),
        ("ja", "ヒント：", "次によい手は「{move}」。勝率は6ポイント下がります。"),
    ],
)
async def test_a_hint_names_the_second_best_move(
    tmp_path: Path, language: str, hint: str, second: str
) -> None:
    async with (
        hosting(tmp_path) as host,
        opened(host, plan("sun", 2, bots=1)) as owner,
        gateway(host, bot_pool=QuickPool()) as made,
        Browser(made.port, code=owner.code, language=language) as one,
    ):
        await one.sit(0)
        await started(owner)
        await one.until(lambda: one.asked)
        told = await one.ask("hint")
        assert told["text"].startswith(hint)
        before, after = second.split("{move}")
        assert before in told["text"]
        assert told["text"].endswith(after)


async def test_a_hint_is_dropped_once_another_is_asked_for(tmp_path: Path) -> None:
    pool = HeldPool()
    async with (
        hosting(tmp_path) as host,
        opened(host, plan("sun", 2, bots=1)) as owner,
        gateway(host, bot_pool=pool) as made,
        Browser(made.port, code=owner.code) as one,
    ):
        await one.sit(0)
        await started(owner)
        await one.until(lambda: one.asked)
        first, second = one.send("hint"), one.send("hint")
        told = await asyncio.wait_for(first, LONGEST)
        assert told["taken"]
        assert not told.get("text")
        assert [future.cancelled() for future in pool.futures] == [True, False]
        one.move(next(thumb.answers(one.page)))  # the question of the second isn't open any more
        told = await asyncio.wait_for(second, LONGEST)
        assert told["taken"]
        assert not told.get("text")
        assert pool.futures[1].cancelled()


async def test_a_hint_remembers_what_the_seat_has_decided_on(tmp_path: Path) -> None:
    """As a bot at its place would, and as in the window."""
    pool = QuickPool()
    async with (
        hosting(tmp_path) as host,
        opened(host, plan("sun", 2, bots=1)) as owner,
        gateway(host, bot_pool=pool) as made,
        Browser(made.port, code=owner.code) as one,
    ):
        await one.sit(0)
        await started(owner)
        for _ in range(4):
            await one.until(lambda: one.asked)
            await one.ask("hint")
            page = one.page
            one.move(next(thumb.answers(page)))
            await one.until(lambda page=page: one.page is not page and not one.unanswered)
    pasts = [question.past for question in pool.questions if not question.compared]
    assert [len(past.seen) for past in pasts] == [0, 1, 2, 3]
    assert all(len(view.asks) == 1 and view.viewer == 0 for view in pasts[-1].seen)


async def test_no_hint_is_given_among_people(tmp_path: Path) -> None:
    pool = HeldPool()
    async with (
        hosting(tmp_path) as host,
        opened(host, plan("sun", 2)) as owner,
        gateway(host, bot_pool=pool) as made,
        Browser(made.port, code=owner.code) as one,
        Browser(made.port, code=owner.code) as two,
    ):
        await seat_all(owner, one, two)
        player = one if one.asked else two
        assert "hint" not in [each["does"]["kind"] for each in player.page["menu"]]
        assert (await player.ask("hint"))["text"] == "No hint is available right now."
        assert pool.questions == []


async def test_a_phone_is_away_for_a_moment_and_back(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
        Browser(made.port, code=owner.code) as two,
    ):
        await seat_all(owner, one, two)
        assert "away" in [each["does"]["kind"] for each in one.page["menu"]]
        assert (await one.ask("away"))["taken"]
        await owner.until(lambda: owner.guest.info.sitters[0].state == "away")
        await one.until(lambda: [b["does"]["kind"] for b in one.page["buttons"]] == ["back"])
        assert "away" not in [each["does"]["kind"] for each in one.page["menu"]]
        assert (await one.ask("back"))["taken"]
        await owner.until(lambda: owner.guest.info.sitters[0].state != "away")


async def test_previews_refusals_and_the_older_log(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("chains", 2, bots=1)) as (_, owner, made),
        Browser(made.port, code=owner.code, language="ja") as one,
    ):
        await one.sit(0)
        await started(owner)
        await one.until(lambda: one.asked)
        move = next(thumb.answers(one.page))
        told = await one.ask("weigh", move=move)
        assert told["sentence"]
        told = await one.ask("weigh", move={**move, "verb": "juggle"})
        assert told["text"]
        card = next(int(card) for card, lying in one.page["cards"].items() if not lying.get("step"))
        told = await one.ask("why", card=card, to="")
        assert told["text"]
        told = await one.ask("log", before=one.page["logged"])
        assert told.get("lines", []) == one.page["log"][-40:]
        assert (await one.ask("phrase", phrase=0))["taken"]
        await one.until(lambda: one.page.get("chat"))
        assert one.page["chat"][0]["text"] == "ありがとう！"
        one.send("language", language="en")
        await one.until(lambda: one.page["chat"][0]["text"] == "Thank you!")


def wished(page: thumb.Json) -> list[str]:
    """The message of a page whose player wishes to be asked for reactions."""
    return [each["does"]["way"] for each in page["menu"] if each["on"] and "way" in each["does"]]


@pytest.mark.parametrize("way", ["ask", "pass"])
def test_reactions_are_asked_as_the_player_wishes(way: str, tmp_path: Path) -> None:
    async def evening() -> None:
        async with (
            web_table(tmp_path, plan("royale", 2, bots=1)) as (host, owner, made),
            Browser(made.port, code=owner.code) as one,
        ):
            await one.sit(0)
            await started(owner)
            await one.until(lambda: one.page)
            wishes = [each["does"] for each in one.page["menu"] if each["does"]["kind"] == "way"]
            assert [each["way"] for each in wishes] == ["ask", "able", "own", "pass"]
            one.send("way", way=way)
            await one.until(lambda: way in wished(one.page))
            (hosted,) = host.hosted_tables.values()
            match = hosted.hosted_match.match

            def seen() -> bool:
                """Whether a part of the game was enough, which is 500 moves long."""
                if way == "ask":
                    return not LONG and bool(one.page["prompt"].get("reaction"))
                return not LONG and match.state.ply > PLIES

            await play_out([one], seen)
            asked = [page["prompt"] for page in one.seen if way in wished(page)]
            reactions = [prompt for prompt in asked if prompt.get("reaction")]
            assert bool(reactions) == (way == "ask") or way == "pass"

    run(evening)


async def test_a_phone_that_knocks_waits_at_the_door(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2, knock=True)) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
    ):
        await owner.until(lambda: owner.guest.info.knocking)
        (knock,) = owner.guest.info.knocking
        assert knock.name == "A phone"
        await one.until(lambda: "Waiting" in one.door)
        owner.guest.say(AdmitGuest(knock.number))
        await one.until(lambda: one.lobby)
        await one.sit(1)
