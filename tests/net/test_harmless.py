"""A hostile host's texts reach nobody as they were sent."""

from tabletop.engine.model import Reason
from tabletop.games import catalogue
from tabletop.net.guest.session import MOST_LINES, Guest, News
from tabletop.net.protocol import (
    LONGEST_LINE,
    ChatLine,
    Farewell,
    Notice,
    Refused,
    SeatPlan,
    Sitter,
    TableInfo,
    TablePlan,
    Welcome,
)

EVIL = "a\u202eb\x1b[31m\nc\u2028d\u2066e\x00" + "x" * 100_000


def harmless(text: str, longest: int) -> bool:
    return text.isprintable() and len(text) <= longest


def test_texts_of_a_host_are_one_harmless_line_each() -> None:
    guest = Guest(catalogue.load, lambda message: None)
    heard: list[News] = []
    guest.listen(heard.append)
    evil = Reason(EVIL, {"name": EVIL, "count": 3})
    plan = TablePlan("sun", (SeatPlan(),), EVIL)
    guest.receive(Welcome(1, EVIL))
    guest.receive(TableInfo("t", plan, (Sitter("person", "here", EVIL),), ended=evil))
    for message in (ChatLine(0, EVIL), Notice(evil), Refused(evil), Farewell(evil)):
        guest.receive(message)
    assert guest.info is not None
    assert guest.info.ended is not None
    assert harmless(guest.theirs, 40)
    assert harmless(guest.info.plan.name, 40)
    assert harmless(guest.info.sitters[0].name, 40)
    assert harmless(guest.chat[0].text, LONGEST_LINE)
    reasons = [news.reason for news in heard if isinstance(news, Notice | Refused | Farewell)]
    assert len(reasons) == 3
    for reason in (*reasons, guest.info.ended):
        assert harmless(reason.text, LONGEST_LINE)
        assert harmless(str(reason.args["name"]), LONGEST_LINE)
        assert reason.args["count"] == 3


def test_no_more_chat_is_remembered_than_anybody_reads() -> None:
    guest = Guest(catalogue.load, lambda message: None)
    for number in range(MOST_LINES + 5):
        guest.receive(ChatLine(0, f"line {number}"))
    assert len(guest.chat) == MOST_LINES
    assert guest.chat[-1].text == f"line {MOST_LINES + 4}"
