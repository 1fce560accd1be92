"""Notices of a host that a guest shows as one."""

from tabletop.engine.model import Reason
from tabletop.net.guest.stand_in_notices import CARRIED_ON, StandInNotices
from tabletop.protocol.messages import Notice, TableInfo, TablePlan
from tabletop.table import hosted_match


def test_one_notice_names_all_bots_that_begin_at_once() -> None:
    assert hosted_match.CARRIED_ON.code == CARRIED_ON
    notices = StandInNotices()

    def joined(seat: int) -> Reason:
        notice = notices.merge(Notice(hosted_match.CARRIED_ON.with_args(seat=seat)))
        assert isinstance(notice, Notice)
        return notice.reason

    assert joined(1) == hosted_match.CARRIED_ON.with_args(seat=1)
    assert joined(2).args == {"seat": 1, "seat_2": 2}
    assert joined(4).args == {"seat": 1, "seat_2": 2, "n": 1}
    told = TableInfo("t", TablePlan("sun", ()), ())
    assert notices.merge(told) is told
    assert joined(2) == hosted_match.CARRIED_ON.with_args(seat=2)
    other = Notice(Reason("Hello.", {"seat": 1}))
    assert notices.merge(other) is other
