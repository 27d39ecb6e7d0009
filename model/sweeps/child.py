"""A training run whose end is that of whoever started it.

`python -m capsnet_explorer.model.sweeps.child FOLDER [OPTION ...]` trains as `train`
does. Its standard input is a pipe from its parent: when that closes, be the parent
killed or done, the run finishes its step, saves a checkpoint, and ends.
"""

import os
import signal
import sys
import threading
from pathlib import Path
from runpy import run_module

STDIN = 0


def main() -> None:
    """Train, or go on where an earlier process stopped, and exit."""
    threading.Thread(target=_watch_parent, daemon=True).start()
    folder, *options = sys.argv[1:]
    from capsnet_explorer.model.training.folder import RunFolder
    from capsnet_explorer.model.training.watching import alone

    run = Path(folder)
    with alone(run):  # the one before may still save its last step
        resume = ["--resume"] if RunFolder(run).checkpoint.exists() else []
        sys.argv[1:] = ["train", *options, "--run", folder, *resume]
        run_module("capsnet_explorer", run_name="__main__")


def _watch_parent() -> None:
    # Not by `sys.stdin`: its lock, held at the end, would abort the interpreter.
    while os.read(STDIN, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
