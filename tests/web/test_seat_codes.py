"""A seat goes to another phone or computer without its token: by its own code, or freed by the
host."""

import json
import re
from contextlib import AsyncExitStack
from pathlib import Path

from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.admission import TOO_MANY_TRIES
from tabletop.net.host.host import Host
from tabletop.net.limits import Limits
from tabletop.protocol.fairness import FAIR
from tabletop.protocol.messages import Farewell, TableNews
from tabletop.protocol.seat_codes import WRONG_SEAT_CODE, FreeSeat
from tabletop.table.hosted_table import TAKEN_OVER
from tabletop.table.requests import FREED
from tabletop.table.rights import HOST_ONLY
from tabletop.table.services import NOT_NOW
from tabletop.web.gateway.sessions import MAX_WRONG_CODES
from tests.net.loopback import Friend, hosting, plan, play_on, play_out, run, seated
from tests.web.gateways import Browser, seat_all, started, web_table

FEW = Limits(codes_per_address=3)


def returned(host: Host, ticket: Ticket, back: bool = False) -> Friend:
    """Somebody comes with these keys; `back`: to have again what was taken over."""
    friend = Friend(host.port)
    friend.guest.join(ticket, back)
    return friend


async def test_a_seat_goes_by_its_code_and_back(tmp_path: Path) -> None:
    def host_view(host: object, seat: int) -> object:
        (hosted,) = host.hosted_tables.values()
        return hosted.hosted_match.match.view(seat)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
        table, code = bea.code, bea.guest.codes[1]
        old = bea.guest.ticket
        cat = Friend(host.port, ticket=Ticket(code=table))
        await cat.inside()
        for wrong in ("", code[:-1], ann.guest.codes[0]):
            cat.guest.take_over(1, wrong)
            assert await cat.refusal() == WRONG_SEAT_CODE
        assert not any(isinstance(news, TableNews) for news in cat.news), "nothing was shown"

        cat.guest.take_over(1, f" {code[:2].lower()}-{code[2:]} ")
        await cat.until(lambda: 1 in cat.guest.own_seats)
        assert cat.guest.own_seats[1].view == host_view(host, 1)
        told = await bea.farewell()
        assert told.displaced
        assert told.reason == TAKEN_OVER
        cat.guest.take_over(1, cat.guest.codes[1])
        assert await cat.refusal() == NOT_NOW, "it is one's own already"
        await ann.until(lambda: ann.guest.info.sitters[1].state in ("here", "ready"))
        play_on([ann, cat])

        # a phone that comes back by itself, as its network is found again, takes nothing
        late = returned(host, old)
        assert (await late.farewell()).reason == TAKEN_OVER
        assert cat.guest.seats == (1,)
        used = Friend(host.port, ticket=Ticket(code=table))
        await used.inside()
        used.guest.take_over(1, code)
        assert await used.refusal() == WRONG_SEAT_CODE, "a code counts once"

        # a person who wants it back has it; the other one's key is good no more
        newer = cat.guest.ticket
        again = returned(host, old, back=True)
        await again.until(lambda: again.guest.own_seats)
        assert (await cat.farewell()).displaced
        lost = returned(host, newer)
        await lost.inside()
        assert lost.guest.seats == ()
        await play_out([ann, again])
        assert ann.guest.check_proof(ann.proofs[0]) == FAIR


async def test_wrong_codes_cost_the_address_and_never_the_seat(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path, limits=FEW) as host,
        seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea),
    ):
        cat = Friend(host.port, ticket=Ticket(code=bea.code))
        await cat.inside()
        told = []
        for code in ("AAAAA", "BBBBB", "CCCCC", bea.guest.codes[1]):
            cat.guest.take_over(1, code)
            told.append(await cat.refusal())
        assert told == [WRONG_SEAT_CODE] * 3 + [TOO_MANY_TRIES]
        assert not cat.guest.own_seats
        assert not any(isinstance(news, Farewell) for news in bea.news)
        await play_out([ann, bea])


async def test_a_freed_seat_is_anybodys_and_only_the_host_frees_it(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
        bea.guest.say(FreeSeat(0))
        assert await bea.refusal() == HOST_ONLY
        ann.guest.say(FreeSeat(0))
        assert await ann.refusal() == NOT_NOW, "the own seat is got up from"
        old = bea.guest.ticket
        ann.guest.say(FreeSeat(1))
        told = await bea.farewell()
        assert told.reason == FREED
        assert told.closed
        await ann.until(lambda: ann.guest.info.pause)
        assert ann.guest.info.sitters[1].vacant
        assert not ann.guest.info.sitters[0].vacant
        owner = ann.guest.ticket
    async with hosting(tmp_path) as host:  # it is free still after the host's computer slept
        ann = Friend(host.port, ticket=owner)
        await ann.until(lambda: ann.guest.own_seats)
        cat = Friend(host.port, ticket=Ticket(code=owner.code))
        await cat.inside()
        assert cat.guest.info.sitters[1].vacant
        cat.guest.take_over(0)
        assert await cat.refusal() == WRONG_SEAT_CODE, "that one is not free"
        await ann.until(lambda: ann.guest.info.pause)
        ann.guest.decide("bot")
        await ann.until(lambda: ann.guest.info.sitters[1].state == "bot")
        cat.guest.take_over(1)
        await cat.until(lambda: cat.guest.own_seats)
        await ann.until(lambda: ann.guest.info.sitters[1].state == "here")
        assert not ann.guest.info.sitters[1].vacant
        late = returned(host, old)
        await late.inside()
        assert late.guest.seats == ()
        await play_out([ann, cat])


async def test_a_seat_is_retaken_at_a_sleeping_table(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as (_, bea):
        old = bea.guest.ticket
        cat = Friend(host.port, ticket=Ticket(code=old.code))
        await cat.inside()
        cat.guest.take_over(1, bea.guest.codes[1])
        await cat.until(lambda: cat.guest.own_seats)
    async with hosting(tmp_path) as host:
        assert not host.hosted_tables
        late = returned(host, old)
        assert (await late.farewell()).reason == TAKEN_OVER
        again = returned(host, old, back=True)
        await again.until(lambda: again.guest.own_seats)
        assert again.guest.codes[1]


def test_a_seat_code_moves_a_seat_and_the_old_phone_retakes_it(tmp_path: Path) -> None:
    async def evening() -> None:
        async with (
            web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
            AsyncExitStack() as phones,
        ):
            code = owner.code

            async def phone(number: int, **way: object) -> Browser:
                source = f"127.0.0.{number}"
                return await phones.enter_async_context(Browser(made.port, source=source, **way))

            one, two = await phone(41, code=code), await phone(42, code=code)
            await one.sit(0)
            await two.sit(1)
            await two.until(lambda: two.lobby and two.lobby["moving"])
            await started(owner)
            await two.until(lambda: two.page)
            seat_code = re.search(r"code: (\w{5})\.", two.page["moving"])[1]
            await one.until(lambda: one.page)
            assert seat_code not in one.page["moving"]
            question = two.page["prompt"], two.page["zones"]

            new = await phone(43, code=code)
            await new.until(lambda: new.lobby)
            assert [seat["way"] for seat in new.lobby["seats"]] == ["code", "code"]
            assert seat_code not in json.dumps(new.heard)
            told = await new.ask("take", seat=1, code="WRONG")
            assert told["taken"]
            await new.until(lambda: any("not the code" in note for note in new.notes))
            assert new.page is None
            new.send("take", seat=1, code=seat_code)
            await new.until(lambda: new.page)
            assert (new.page["prompt"], new.page["zones"]) == question
            assert not (await one.ask("take", seat=1, code=seat_code))["taken"]
            await two.until(lambda: two.bye)
            assert "another phone" in two.bye["text"]
            assert two.token, "it may have the seat back"

            late = await phone(42, token=two.token)  # the page is loaded again, and takes nothing
            await late.until(lambda: late.bye)
            assert late.page is None
            back = await phone(42, token=two.token, back=True)
            await back.until(lambda: back.page)
            assert (back.page["prompt"], back.page["zones"]) == question
            await new.until(lambda: new.bye)

    run(evening)


async def test_wrong_codes_of_seats_cost_their_phone_alone(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
        Browser(made.port, code=owner.code, source="127.0.0.45") as guesser,
    ):
        await one.sit(1)
        await guesser.until(lambda: guesser.lobby)
        while (await guesser.ask("take", seat=1, code="AAAAA"))["taken"]:
            notes = len(guesser.notes)
            await guesser.until(lambda notes=notes: len(guesser.notes) > notes)
        told = await guesser.ask("take", seat=1, code="AAAAA")
        assert "minutes" in told["text"]
        assert len(guesser.notes) == MAX_WRONG_CODES
        assert (await one.ask("say", text="Good evening"))["taken"]


async def test_the_host_frees_a_phones_seat_and_another_phone_plays_on(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as one,
        Browser(made.port, code=owner.code) as two,
        Browser(made.port, code=owner.code, language="ja") as new,
    ):
        await seat_all(owner, one, two)
        await new.until(lambda: new.lobby)
        question = two.page["prompt"]["paragraph"], len(two.page["zones"])
        owner.guest.say(FreeSeat(1))
        await two.until(lambda: two.bye)
        assert two.token == "", "the key is good no more"
        await new.until(lambda: new.lobby["seats"][1]["way"] == "take")
        assert "空席" in new.lobby["seats"][1]["label"]
        new.send("take", seat=1)
        await new.until(lambda: new.page and not new.page["prompt"]["seconds"])
        assert (new.page["prompt"]["paragraph"], len(new.page["zones"])) == question
