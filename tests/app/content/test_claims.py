"""The page says the verdicts of docs/claims.md, and leads to them."""

import re
from html import unescape

import pytest

from capsnet_explorer.app.content.claims import FILE, Claim, load_claims

EXPERIMENTS = 5
LINE = re.compile(r'<p class="claim" data-claim-on="[a-z]+">(.+?)</p>')
ON = re.compile(
    r"^Measured on (MNIST’s digits|pairs of MNIST’s digits|toys)(, with [^:]+)?: "
)
TAG = re.compile(r"<[^>]+>")


def test_each_verdict_is_a_sentence_of_the_document():
    words = " ".join(FILE.read_text(encoding="utf-8").split())
    for claim in load_claims().values():
        verdict = claim.verdict.removesuffix(".")
        assert verdict in words or verdict[0].lower() + verdict[1:] in words
        assert claim.promise in words


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        ("holds: of the digits, 2 %; of the toys, 3 %.", "kept"),
        ("holds for all: 3 %.", "kept"),
        ("does not hold for photographs; holds for toys.", "kept by half"),
        ("holds for toys; does not hold for photographs.", "kept by half"),
        ("holds only if images are counted: 2 %.", "kept by half"),
        ("is not shown for one digit; holds for two.", "kept by half"),
        ("is not shown by one network of each kind: 2 %.", "not shown"),
        ("does not hold for one; is not shown for two.", "broken"),
        ("does not hold: after ten steps it does not hold at all.", "broken"),
    ],
)
def test_a_verdict_says_whether_the_promise_is_kept(verdict, outcome):
    assert Claim("keep it", verdict).outcome == outcome


def test_each_experiment_of_the_lab_says_its_verdict(client):
    sections = client.get("/").text.split('class="lab-experiment"')[1:]
    assert len(sections) == EXPERIMENTS
    claims = [
        [unescape(TAG.sub("", line)) for line in LINE.findall(section)]
        for section in sections
    ]
    assert all(claims)
    assert all(ON.match(line) for lines in claims for line in lines)
    known = {
        f"the promise that capsules {promise} {verdict}"
        if promise
        else f"{verdict} How that was measured"
        for promise, verdict in load_claims().values()
    }
    assert known.issuperset(ON.sub("", line) for lines in claims for line in lines)


def test_links_lead_to_sections(client):
    document = client.get("/claims").text
    ids = set(re.findall(r' id="([^"]+)"', document))
    within = re.findall(r'href="#([^"]+)"', document)
    from_the_lab = re.findall(r'href="./claims#([^"]+)"', client.get("/").text)
    assert within
    assert len(from_the_lab) > EXPERIMENTS
    assert ids.issuperset(within + from_the_lab)
    assert ids.issuperset(load_claims())
    assert "<th></th>" not in document
    assert document.count("<table") == document.count(
        '<table tabindex="0" aria-label="'
    )
