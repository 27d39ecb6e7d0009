"""Files of networks, which are people's own programs: whatever they do is listed."""

import gc
import logging
import os
import random
import signal
import socket
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from torch.nn.modules import module

from capsnet_explorer import ROOT, subprocess_environment
from capsnet_explorer.model.described.files import open_networks
from capsnet_explorer.model.described.running import attending
from capsnet_explorer.model.described.running.settings import settings_kept
from tests.patience import PATIENCE_S, START_S

ENDS = {
    "exits": ("import sys\nsys.exit(3)\n", "it ends the program, by SystemExit"),
    "raises": ("raise SystemExit\n", "it ends the program, by SystemExit"),
    "parses": (
        "import argparse\nargparse.ArgumentParser().parse_args(['--no-such'])\n",
        "it ends the program, by SystemExit",
    ),
    "stops": ("raise KeyboardInterrupt\n", "it ends the program, by KeyboardInterrupt"),
    "own": (
        "class Own(BaseException):\n    pass\nraise Own('over')\n",
        "it ends the program, by Own",
    ),
    "leaves": ("import os\nos._exit(7)\n", "it ends the program, by SystemExit"),
    "aborts": ("import os\nos.abort()\n", "it ends the program, by SystemExit"),
    "fails": ("raise RuntimeError('broken')\n", "RuntimeError: broken"),
}
NETWORK = """
import torch
import capsnet_explorer as ce

{before}
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 4, 20)

    def forward(self, images):
        return {answer}

torch.manual_seed(0)
net = Net()
layers = [ce.Convolution("conv", net.conv), ce.Classes()]
ce.describe(net, layers, torch.rand(2, 1, 28, 28))
"""
SUMS = "self.conv(images.to(self.conv.weight)).sum((2, 3))"


@pytest.mark.parametrize("name", ENDS)
def test_a_file_that_ends_the_program_is_listed_with_its_error(tmp_path, name, capsys):
    text, expected = ENDS[name]
    file = tmp_path / f"{name}.py"
    file.write_text(text)
    opened = open_networks([file])
    assert opened.networks == {}
    assert opened.refused[name].startswith(expected)
    assert f"{name}.py" in opened.traces[name]
    assert f"Opening {name}.py" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_child_of_a_file_ends_as_it_would(tmp_path):
    file = tmp_path / "forks.py"
    file.write_text(
        "import os\n"
        "child = os.fork()\n"
        "if child == 0:\n    os._exit(5)\n"
        "code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
        "raise RuntimeError(f'its child ended with {code}')\n"
    )
    opened = open_networks([file])
    assert opened.refused["forks"] == "RuntimeError: its child ended with 5"


def test_a_file_that_crashes_in_c_is_named_with_its_line(tmp_path):
    file = tmp_path / "crashes.py"
    file.write_text("import ctypes\n\nctypes.string_at(0)\n")
    done = subprocess.run(
        [sys.executable, "run_visualization.py", "--port", "0", "--network", str(file)],
        cwd=ROOT,
        env=subprocess_environment(),
        capture_output=True,
        text=True,
        timeout=START_S,
    )
    assert done.returncode != 0
    assert f'"{file}", line 3 in <module>' in done.stderr


def test_a_file_that_never_returns_is_named_with_how_long_it_has_been(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(attending, "TOLD_S", 0.05)
    monkeypatch.setattr(attending.attend, "__kwdefaults__", {"most_s": 0.12})
    hangs, works = tmp_path / "hangs.py", tmp_path / "works.py"
    hangs.write_text(
        "import os, sys, threading\nos.chdir('/')\nsys.stderr = sys.stdout = None\n"
        "threading.Event().wait()\n"
    )
    works.write_text(NETWORK.format(before="", answer=SUMS))
    here, streams = os.getcwd(), (sys.stdout, sys.stderr)
    opened = open_networks([hangs])
    assert opened.refused["hangs"] == "it has not come to an end in 0 s"
    assert (os.getcwd(), (sys.stdout, sys.stderr)) == (here, streams)
    assert "Opening hangs.py … for 0 s so far" in capsys.readouterr().err
    monkeypatch.undo()
    assert [*open_networks([works]).networks] == ["works"]


CHANGES = {
    "dtype": "torch.set_default_dtype(torch.float64)",
    "type": "torch.set_default_tensor_type(torch.DoubleTensor)",
    "device": "torch.set_default_device('meta')",
    "gradients": "torch.set_grad_enabled(False)",
    "threads": "torch.set_num_threads(torch.get_num_threads() + 1)",
    "determinism": "torch.set_deterministic_debug_mode(1)",
    "anomalies": "torch.autograd.set_detect_anomaly(True)",
    "hooks": "torch.nn.modules.module.register_module_forward_hook(lambda *_: 1 / 0)",
    "products": "torch.set_float32_matmul_precision('medium')",
    "numbers": "torch.manual_seed(3); random.seed(3); numpy.random.seed(3)",
    "numpy": "numpy.seterr(all='raise')",
    "folder": "os.chdir('/')",
    "environment": "os.environ['PATH'] = ''; os.environ['OWN'] = '1'",
    "imports": "sys.path.clear()",
    "streams": "sys.stdout = sys.stderr = None",
    "arguments": "sys.argv[:] = []; sys.argv = ['other']",
    "recursion": "sys.setrecursionlimit(300)",
    "warnings": "warnings.simplefilter('ignore')",
    "logs": "logging.disable(); logging.basicConfig(level=1, force=True)",
    "timeout": "socket.setdefaulttimeout(1)",
    "collector": "gc.disable()",
}


def settings():
    """Return what anything in this process may depend on, by name."""
    new_thread = ThreadPoolExecutor(1)
    return {
        "torch": (
            torch.get_default_dtype(),
            torch.get_default_device(),
            torch.is_grad_enabled(),
            torch.get_num_threads(),
            new_thread.submit(torch.get_num_threads).result(),
            torch.get_deterministic_debug_mode(),
            torch.is_anomaly_enabled(),
            torch.get_float32_matmul_precision(),
            len(module._global_forward_hooks),
        ),
        "numbers": (
            torch.get_rng_state().tolist(),
            random.getstate(),
            np.random.get_state()[1].tolist(),
        ),
        "numpy": np.geterr(),
        "process": (os.getcwd(), dict(os.environ), list(sys.path), [*sys.argv]),
        "streams": (sys.stdout, sys.stderr, sys.getrecursionlimit()),
        "warnings": list(warnings.filters),
        "logs": (logging.root.level, logging.root.manager.disable),
        "handlers": list(logging.root.handlers),
        "others": (socket.getdefaulttimeout(), gc.isenabled()),
    }


@pytest.mark.filterwarnings("ignore:torch.set_default_tensor_type")
@pytest.mark.parametrize("then", ["", "raise SystemExit"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_a_file_sets_is_put_back(tmp_path, change, then):
    file = tmp_path / "sets.py"
    file.write_text(
        "import gc, logging, os, random, socket, sys, warnings\n"
        f"import numpy, torch\n{CHANGES[change]}\n{then}\n"
    )
    before = settings()
    assert "sets" in open_networks([file]).refused
    assert settings() == before


def test_a_network_that_works_without_its_settings_is_served(tmp_path):
    file = tmp_path / "works.py"
    before = "torch.set_default_dtype(torch.float64)"
    file.write_text(NETWORK.format(before=before, answer=SUMS))
    opened = open_networks([file])
    assert opened.refused == {}
    assert [*opened.networks] == ["works"]


def test_a_network_that_needs_its_settings_is_refused_with_their_name(tmp_path):
    file = tmp_path / "needs.py"
    before = "torch.set_default_dtype(torch.float64)"
    file.write_text(NETWORK.format(before=before, answer=f"{SUMS} @ torch.eye(4)"))
    opened = open_networks([file])
    assert opened.networks == {}
    assert "it needs torch's default dtype changed" in opened.refused["needs"]


def test_settings_are_named_once_they_have_changed():
    with settings_kept() as changed:
        torch.set_default_dtype(torch.float64)
    assert changed == ["default dtype"]
    with settings_kept() as changed:
        torch.manual_seed(3)
    assert changed == []


LEAVES = {
    "a_thread": "threading.Thread(target=threading.Event().wait).start()",
    "a_thread_that_is_to_be_waited_for": (
        "threading.Thread(target=threading.Event().wait, daemon=False).start()"
    ),
    "a_pool": "ThreadPoolExecutor(1).submit(threading.Event().wait)",
    "a_process": "multiprocessing.get_context('fork').Process(target=time.sleep, "
    "args=(600,)).start()",
}


def test_what_a_file_leaves_running_does_not_keep_the_server_from_ending(tmp_path):
    files = []
    for name, code in LEAVES.items():
        files.append(tmp_path / f"{name}.py")
        files[-1].write_text(
            "import multiprocessing, threading, time\n"
            f"from concurrent.futures import ThreadPoolExecutor\n{code}\n"
        )
    server = subprocess.Popen(
        [
            *(sys.executable, "-u", "run_visualization.py", "--port", "0"),
            *("--runs", str(tmp_path / "runs")),
            *("--weights", "weights/capsnet-mnist.safetensors"),
            *(part for file in files for part in ("--network", str(file))),
        ],
        cwd=ROOT,
        env=subprocess_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if "Press Ctrl-C" in line:
                break
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE_S) == 0
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
