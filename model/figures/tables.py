"""What was measured on networks besides curves, as tables."""

import csv
import io
from collections.abc import Iterable, Sequence

from capsnet_explorer.model.figures.curves import Measured
from capsnet_explorer.model.measuring.shares import wilson_interval

READING_HEAD = (
    *("change", "knob", "low", "high", "network", "read", "numbers", "images"),
    *("training_images", "r2", "r2_low", "r2_high", "error"),
)
CARRIED_HEAD = (
    *("made_on", "read_by", "epsilon", "images", "accuracy"),
    *("accuracy_low", "accuracy_high"),
)


def further_tables(networks: Sequence[Measured]) -> dict[str, str]:
    """Return the tables that cards of these networks give, as CSV by name."""
    found = {
        "pose-reading": (READING_HEAD, list(_readings(networks))),
        "fgsm-carried": (CARRIED_HEAD, list(_carried(networks))),
    }
    return {name: _written(head, rows) for name, (head, rows) in found.items() if rows}


def _written(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(head)
    table.writerows(rows)
    return written.getvalue()


def _readings(networks: Sequence[Measured]) -> Iterable[Sequence[object]]:
    """Yield a row for each network, change and thing that it is read from."""
    for network in networks:
        entry = network.entries.get("pose_reading", {"knobs": {}})
        for change, knob in entry["knobs"].items():
            for read, found in knob["readings"].items():
                yield (
                    *(change, knob["knob"], knob["low"], knob["high"], network.name),
                    *(read, found["numbers"], entry["images"]),
                    *(entry["training_images"], found["r2"]),
                    *(found["r2_low"], found["r2_high"], found["error"]),
                )


def _carried(networks: Sequence[Measured]) -> Iterable[Sequence[object]]:
    """Yield a row for each network that reads, source and ε."""
    for network in networks:
        entry = network.entries.get("fgsm_carried", {"sources": {}})
        for source, found in entry["sources"].items():
            for value, accuracy in zip(entry["values"], found["accuracy"], strict=True):
                low, high = wilson_interval(accuracy, entry["images"])
                yield (
                    *(source, network.name, value, entry["images"], accuracy),
                    *(round(low, 6), round(high, 6)),
                )
