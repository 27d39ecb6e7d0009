"""A program in the place of the one that trains: it counts steps, and does as asked.

It starts within milliseconds. What a run's process writes and reads it writes and reads
as `model/training/watching.py` does, but for weights.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

STEP_S = 0.005
TOLD = {"epoch": 1.0, "loss": 0.5, "accuracy": 0.5}  # of every step


def launch(folder: Path, arguments: list[str]) -> subprocess.Popen[bytes]:
    """Start this program in the place of a run's process."""
    with (folder / "output.txt").open("wb") as output:
        command = [sys.executable, __file__, *arguments]
        return subprocess.Popen(command, stdout=output, stderr=output)


def main(arguments: list[str]) -> None:
    """Count to six steps of each epoch, from where a checkpoint says."""
    folder = Path(arguments[arguments.index("--run") + 1])
    total = 6 * int(arguments[arguments.index("--epochs") + 1])
    checkpoint = folder / "checkpoint" / "checkpoint.safetensors"
    checkpoint.parent.mkdir(exist_ok=True)
    step = int(checkpoint.read_text()) if "--resume" in arguments else 0

    def tell(event: str, **more: object) -> None:
        named = {"event": event, "step": step, "images": 10 * step, "seconds": 1.0}
        with (folder / "watched" / "events.jsonl").open("a") as events:
            events.write(json.dumps(named | more) + "\n")

    tell("state", state="running", total=total, examples=60)
    tell("snapshot", bytes=1)
    state, rate = "running", None
    while step < total:
        time.sleep(STEP_S)
        control = folder / "watched" / "control.json"
        control_values = json.loads(control.read_bytes()) if control.exists() else {}
        if control_values.get("learning_rate") != rate:
            rate = control_values.get("learning_rate")
            tell("rate", learning_rate=rate)
        if control_values.get("state", state) != state:
            state = control_values["state"]
            tell("state", state=state)
        if state == "stopped":
            return
        if state == "running":
            step += 1
            beside = checkpoint.with_suffix(".new")
            beside.write_text(str(step))
            os.replace(beside, checkpoint)
            tell("progress", **TOLD, learning_rate=0.002 if rate is None else rate)
    tell("snapshot", bytes=1)
    tell("state", state="done")


if __name__ == "__main__":
    main(sys.argv[1:])
