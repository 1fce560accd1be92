"""The metrics for a Prometheus server, and the dashboard that shows them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families as parsed

from tabletop.background import faults
from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from tabletop.net.host.table_disk import disk_of
from tabletop.server.archive import NO_RECORD
from tabletop.server.log_lines import log_to_standard_error
from tabletop.server.metrics import BUCKET_BOUNDS_S, DurationHistogram, Metrics
from tabletop.server.operator import overview
from tabletop.server.operator.figures import MetricsCollector
from tabletop.server.server import TableServer
from tabletop.table.hosted_match import PAUSED
from tests.background.planted import fail
from tests.net.loopback import plan, play_on, play_out, seated
from tests.server.table_server import table_server

DASHBOARD = Path(__file__).parents[3] / "packaging" / "server" / "grafana.json"
OF_PROMETHEUS = {"histogram_quantile", "rate", "sum", "min", "by", "le", "label_values"}
LABELS = {"instance", "phase", "place", "reason"}


def told(host: TableServer) -> dict[str, float]:
    """Every figure by its name and labels."""
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in parsed(MetricsCollector(host).text(True).decode())
        for sample in family.samples
    }


async def test_moves_of_bots_are_counted_too(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host, seated(host, plan("sun", 2, 1), (0,)) as friends:
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        await play_out(friends)
        await disk_of(hosted).wait_until_safe()
        moves = sum(entry.move is not None for entry in match.record)
        persons = sum(entry.move is not None and entry.seat == 0 for entry in match.record)
        assert host.metrics.moves == told(host)["tabletop_moves_total"] == moves
        assert told(host)["tabletop_move_seconds_count"] == persons < moves


async def test_events_are_counted(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        play_on(friends)
        await friends[0].until(lambda: host.metrics.moves > 12)
        friends[0].plays = friends[1].plays = False
        friends[0].guest.start()
        await friends[0].until(lambda: friends[0].refused)
        figures = told(host)
        moves = host.metrics.moves
        assert figures["tabletop_moves_total"] == moves
        assert figures["tabletop_move_seconds_count"] == moves
        assert figures["tabletop_move_seconds_bucket +Inf"] == moves
        assert figures["tabletop_move_seconds_sum"] > 0
        assert figures["tabletop_disk_write_seconds_count"] >= moves
        assert figures["tabletop_tables playing"] == 1
        assert figures["tabletop_guests seated"] == 2
        assert figures["tabletop_refusals_total start begun"] == 1
        assert figures["tabletop_connections_total"] == 2
        assert figures["tabletop_bots_queue"] == 0
        assert figures["process_resident_memory_bytes"] > 2**20


async def test_a_fault_is_in_figures_status_and_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], expected_faults: list[str]
) -> None:
    with log_to_standard_error("json"):
        async with table_server(tmp_path) as host:
            before = told(host)["tabletop_faults_total"]
            faults.run_guarded(fail, "a test")
            assert told(host)["tabletop_faults_total"] == before + 1
            assert overview.status(host, 0, "").faults == before + 1
    (line,) = (json.loads(each) for each in capsys.readouterr().err.splitlines() if "fault" in each)
    assert (line["event"], line["work"]) == ("fault", "a test")
    assert "PlantedError" in line["trace"]


def test_a_duration_counts_in_every_bucket_that_holds_it() -> None:
    durations = DurationHistogram()
    for seconds in (0.0, BUCKET_BOUNDS_S[0], BUCKET_BOUNDS_S[0] * 1.01, BUCKET_BOUNDS_S[-1] * 2):
        durations.note(seconds)
    counts = dict(durations.up_to())
    assert counts[str(BUCKET_BOUNDS_S[0])] == 2
    assert counts[str(BUCKET_BOUNDS_S[1])] == counts[str(BUCKET_BOUNDS_S[-1])] == 3
    assert counts["+Inf"] == durations.count == 4


def test_labels_are_the_codes_of_reasons() -> None:
    metrics = Metrics()
    full = StorageError('Can\'t write "{file}": the disk is full.', file="x").reason
    metrics.on_refused("ask_record", NO_RECORD)
    metrics.on_refused("play", full)
    metrics.on_refused("play", PAUSED.with_args(seat=1))
    metrics.on_refused("play", Reason("The ghost cannot look there."))
    assert set(metrics.refused) == {
        ("ask_record", "no_record"),
        ("play", "disk"),
        ("play", "paused"),
        ("play", "rules"),
    }


def named(expression: str) -> set[str]:
    """The metrics that a query asks for."""
    bare = re.sub(r'"[^"]*"|\[[^\]]*\]', "", expression)
    return {*re.findall(r"[a-z_]{2,}", bare)} - OF_PROMETHEUS - LABELS


async def test_the_dashboard_shows_metrics_that_there_are(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        text = MetricsCollector(host).text(True).decode()
    there = {sample.name for family in parsed(text) for sample in family.samples}
    there |= {f"{family.name}_total" for family in parsed(text)}  # of which there are none yet
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    targets = [target["expr"] for panel in panels(dashboard) for target in panel["targets"]]
    asked = named(dashboard["templating"]["list"][1]["query"]["query"])
    asked = asked.union(*map(named, targets))
    assert len(asked) > 12
    assert asked <= there


def panels(dashboard: dict[str, Any]) -> list[dict[str, Any]]:
    """Its panels, each of the shape that Grafana reads, none over another."""
    assert isinstance(dashboard["schemaVersion"], int)
    assert dashboard["schemaVersion"] >= 36
    assert dashboard["title"]
    assert dashboard["uid"]
    sources = [each for each in dashboard["templating"]["list"] if each["type"] == "datasource"]
    (source,) = sources
    taken: set[tuple[int, int]] = set()
    for panel in dashboard["panels"]:
        assert panel["type"] in ("stat", "timeseries")
        assert panel["title"]
        assert panel["targets"]
        for asks in (panel, *panel["targets"]):
            assert asks["datasource"] == {"type": "prometheus", "uid": f"${{{source['name']}}}"}
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])
        at = panel["gridPos"]
        place = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert max(x for x, _ in place) < 24
        assert not place & taken
        taken |= place
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len({*ids}) == len(ids)
    return list(dashboard["panels"])
