"""Bytes as text of an HTML file: what Python packs, the page unpacks."""

import json
import shutil
import subprocess
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from capsnet_explorer.app.site.packing import AT_ONCE, packed

UNPACKING = Path(__file__).parents[3] / "static/js/site/file/unpacking.js"
UNPACK = """
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
const [module, file] = process.argv.slice(2);
const { unpack } = await import(module);
for (const packed of JSON.parse(readFileSync(file, "utf8"))) {
  const parts = [];
  const bytes = await unpack(packed, (part) => parts.push(part));
  const last = parts.at(-1)?.loaded ?? 0;
  const digest = createHash("sha256").update(bytes).digest("hex");
  console.log(digest, last === packed.bytes);
}
"""


def bodies() -> dict[str, bytes]:
    """Files of all lengths that end within letters, numbers or pieces differently."""
    numbers = np.random.default_rng(0)
    few = {f"{count}.wasm": numbers.bytes(count) for count in range(20)}
    odd = {f"{count}.safetensors": numbers.bytes(count) for count in range(5)}
    return {
        **few,
        **odd,
        "like itself.json": b"[0]" * 99_999,
        "large.wasm": numbers.bytes(AT_ONCE + 5),
        "weights.safetensors": numbers.normal(size=70_001).astype(np.float16).tobytes(),
    }


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_what_is_packed_is_unpacked_bit_by_bit(tmp_path: Path):
    all_packed = [packed(name, body) for name, body in bodies().items()]
    file = tmp_path / "packed.json"
    file.write_text(json.dumps([asdict(packed_file) for packed_file in all_packed]))
    script = tmp_path / "unpack.mjs"
    script.write_text(UNPACK)
    command = ["node", script, UNPACKING.as_uri(), file]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = [line.split() for line in answer.stdout.splitlines()]
    for (name, body), (digest, is_all) in zip(bodies().items(), lines, strict=True):
        assert digest == sha256(body).hexdigest(), name
        assert is_all == "true"


def test_no_letter_means_anything_in_html_and_four_bytes_take_less_than_five():
    body = np.random.default_rng(0).bytes(100_000)
    text = packed("a.wasm", body).text
    assert not set(text) & set('"&< \n')
    assert len(text) < 1.25 * len(body)


def test_first_bytes_of_weights_stand_together_and_take_less():
    weights = np.random.default_rng(0).normal(size=100_000).astype(np.float16)
    names = ("a.safetensors", "a")
    as_weights, as_bytes = (packed(name, weights.tobytes()) for name in names)
    assert as_weights.packed < 0.97 * as_bytes.packed
