"""What a training loop reports to, and the log that it leaves."""

import csv

from capsnet_explorer.model.training.loop import Stopped


def ignore(row, count):
    """Report to nobody."""


def stop_after(step):
    """Return what stops the loop when it reports this step."""

    def report(row, count):
        if row.step == step:
            raise Stopped

    return report


def rows_of(log):
    """Return the lines of a log, by their heads."""
    with log.open(newline="") as file:
        return list(csv.DictReader(file))
