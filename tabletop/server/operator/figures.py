"""The metrics of a server, in the format of Prometheus.

The server counts plain numbers in `Metrics`. The Prometheus library only formats them on request,
so that no player waits for it.
"""

from collections import Counter
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from tabletop import __version__
from tabletop.background import faults
from tabletop.server.metrics import DurationHistogram
from tabletop.server.server import TableServer

CONTENT_TYPE = CONTENT_TYPE_LATEST
PHASES = ("gathering", "shuffling", "playing", "over")


class MetricsCollector(Collector):
    """Collects the metrics of one server and of its process."""

    def __init__(self, host: TableServer) -> None:
        self._host = host
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def text(self, well: bool) -> bytes:
        """Return all metrics in the format of Prometheus. `well`: whether the disk is healthy."""
        self._well = well
        return generate_latest(self._registry)

    def describe(self) -> Iterator[Metric]:
        """Return no metrics in advance, because the server may not run yet."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        host, metrics = self._host, self._host.metrics
        yield _labelled_metric("tabletop_build_info", "What runs.", {__version__: 1}, "version")
        phases = Counter(str(known.phase) for known in host.registry.tables.values())
        yield _labelled_metric(
            "tabletop_tables", "Tables.", {phase: phases[phase] for phase in PHASES}, "phase"
        )
        yield GaugeMetricFamily(
            "tabletop_tables_sleeping",
            "Tables that sleep on disk, counted among the others too.",
            len(host.registry.sleeping),
        )
        yield GaugeMetricFamily(
            "tabletop_tables_unreadable",
            "Tables whose files can't be read.",
            len(host.registry.unreadable),
        )
        yield _labelled_metric("tabletop_guests", "Guests connected now.", self._guests(), "place")
        yield GaugeMetricFamily(
            "tabletop_bots_queue",
            "Questions that bots have not answered yet.",
            host.registry.bots.pending_count,
        )
        yield GaugeMetricFamily("tabletop_healthy", "Whether /health says ok.", int(self._well))
        yield GaugeMetricFamily(
            "tabletop_disk_free_bytes", "Free space on the disk of the tables.", host.disk.free
        )
        yield CounterMetricFamily("tabletop_moves", "Moves played.", metrics.moves)
        yield _durations_metric(
            "tabletop_move_seconds",
            "From a move's arrival until it is on disk and sent.",
            metrics.answers,
        )
        yield _durations_metric(
            "tabletop_disk_write_seconds", "Until the disk has a move safe.", metrics.writes
        )
        yield CounterMetricFamily("tabletop_connections", "Connections made.", metrics.connections)
        yield CounterMetricFamily(
            "tabletop_turned_away", "Connections that found no room.", metrics.turned_away
        )
        refusals = CounterMetricFamily(
            "tabletop_refusals", "Messages not obeyed.", labels=["message", "reason"]
        )
        for labels, count in metrics.refused.items():
            refusals.add_metric(labels, count)
        yield refusals
        yield CounterMetricFamily(
            "tabletop_faults", "Errors of this program; the log has each.", faults.fault_count()
        )
        cut = CounterMetricFamily(
            "tabletop_cut", "Lines that ended without a goodbye.", labels=["reason"]
        )
        for reason, count in metrics.cut_lines.items():
            cut.add_metric([reason], count)
        yield cut

    def _guests(self) -> dict[str, int]:
        """Return the numbers of guests with a seat, spectators, and guests at no table."""
        places: Counter[str] = Counter(seated=0, watching=0, outside=0)
        seated = {
            place.peer for hosted in self._host.hosted_tables.values() for place in hosted.seats
        }
        for guest in self._host.guests:
            outside = "outside" if guest.hosted is None else "watching"
            places["seated" if guest in seated else outside] += 1
        return places


def _labelled_metric(name: str, help_: str, values: dict[str, int], label: str) -> Metric:
    family = GaugeMetricFamily(name, help_, labels=[label])
    for value, count in values.items():
        family.add_metric([value], count)
    return family


def _durations_metric(name: str, help_: str, durations: DurationHistogram) -> Metric:
    return HistogramMetricFamily(name, help_, buckets=durations.up_to(), sum_value=durations.total)
