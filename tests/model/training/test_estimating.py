"""What a run would take: its first steps are measured, and nothing stays."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from capsnet_explorer import subprocess_environment
from capsnet_explorer.model.training.estimating import MOST_STEPS, Estimate, estimated
from capsnet_explorer.model.training.run import RunRequest


def test_some_steps_stand_for_all(request_of_run: RunRequest):
    recipe = dataclasses.replace(request_of_run.training, epochs=9)
    found = estimated(dataclasses.replace(request_of_run, training=recipe))
    assert (found.steps, found.batch) == (9 * 4, 5)  # 17 images
    assert found.measured <= MOST_STEPS
    assert found.seconds > found.steps * found.step_s > 0
    assert not request_of_run.run.exists()


def test_what_cannot_be_trained_is_not_measured(request_of_run: RunRequest):
    recipe = dataclasses.replace(request_of_run.training, flags=0.1)
    with pytest.raises(ValueError, match="--flags draws the digit 1"):
        estimated(dataclasses.replace(request_of_run, training=recipe))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux has it")
def test_the_memory_of_who_asks_does_not_count():
    """A server that holds many networks measures runs that take far less."""
    held = np.ones(1 << 26)  # 512 MB, of which the started process has nothing
    code = (
        "from capsnet_explorer.model.training.memory import peak_bytes;"
        "print(peak_bytes())"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        **{"capture_output": True, "text": True, "check": True},
        env=subprocess_environment(),
    ).stdout
    assert 10 << 20 < int(told) < held.nbytes


def test_an_estimate_in_words():
    found = Estimate(
        steps=1200, batch=16, measured=20, step_s=0.25, seconds=330, memory=400 << 20
    )
    assert found.words == (
        "about 6 minutes, and 400 MB of memory: 1,200 steps of 16 images, as 20 steps "
        "measured now that took 0.25 s each"
    )
    unknown = dataclasses.replace(found, memory=None, seconds=20_000)
    assert unknown.words.startswith("about 5.6 hours: 1,200 steps")
