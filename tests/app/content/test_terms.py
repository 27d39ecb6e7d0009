"""One word for one thing: in the guide, the glossary, on the page and in the API."""

import re
from pathlib import Path

import pytest

from capsnet_explorer.app.content.glossary import load_glossary
from capsnet_explorer.app.content.guide import load_chapters
from capsnet_explorer.app.content.guide.text import parse_paragraph
from capsnet_explorer.app.content.guide.worksheets import load_worksheets

ROOT = Path(__file__).parents[3]

# Words of the field that need an explanation wherever a reader meets them.
TERMS = (
    *("capsule", "primary capsule", "pose", "length", "squash", "vote", "agreement"),
    *("coupling", "logit", "softmax", "iteration", "routing by agreement", "entropy"),
    *("contribution", "parse tree", "margin", "margin loss", "decoder", "surgery"),
    *("reconstruction", "mean squared difference", "principal component", "energy"),
    *("receptive field", "kernel", "feature map", "convolution", "cross-correlation"),
    *("bias", "ReLU", "max-pooling", "pooling", "hidden unit", "probability"),
    *("pose matrix", "activation", "EM routing", "trace"),
)

# What papers and other programs call the same things, and what this project says.
BANNED = {
    r"prediction vectors?": "votes",
    r"coupling coefficients?|routing (?:weights?|coefficients?)|c_ij": "couplings",
    r"routing logits?|log priors?|b_ij": "logits",
    r"u_hat": "votes, or û in formulas",
    r"squashing(?: function| non-?linearity)?": "squash",
    r"activity vectors?|instantiation parameters?": "poses",
    r"digit ?caps(?:ule)? layer": "DigitCaps, or the digits' capsules",
    r"max pooling|subsampling": "max-pooling",
    r"activation maps?": "maps",
    r"conv ?nets?": "CNN",
    r"routing steps?|routing rounds?": "iterations",
    r"ground truth": "label",
    r"confidences?|confidently": "length, probability or activation",
}
ANY_BANNED = re.compile("|".join(rf"\b(?:{word})\b" for word in BANNED), re.IGNORECASE)

# Where readers meet words. The glossary is searched by the words of papers, too.
READ = {
    "templates": "**/*.html",
    "static/js": "**/*.js",
    "app/content/guide": "**/*.md",
    "app/api": "**/*.py",
    "model": "*/tensors.py",
}
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*|\{#.*?#\}", re.DOTALL)


def banned_in(text: str) -> list[str]:
    """Return words for which this project has another."""
    return [match.group() for match in ANY_BANNED.finditer(text)]


def guide_texts() -> dict[str, str]:
    """Return what a reader of each chapter and worksheet reads, without marks."""
    texts = {
        source.name: "\n".join(
            run.text
            for text in source.texts()
            for run in parse_paragraph(text)
            if run.kind != "code"
        )
        for source in load_chapters()
    }
    for sheet in load_worksheets():
        paragraphs = [
            *sheet.about,
            *(
                text
                for task in sheet.exercises
                for text in (*task.text, *task.solution)
            ),
        ]
        texts[f"worksheet {sheet.number}"] = "\n".join(
            run.text for paragraph in paragraphs for run in paragraph
        )
    return texts


def explained() -> set[str]:
    """Return every word that the glossary explains, as it stands in texts."""
    return {form.lower() for term in load_glossary() for form in term.forms}


def uses(text: str, term: str) -> bool:
    """Whether a text has a term, in singular or plural."""
    word = term.removesuffix("y") + "(?:y|ies)" if term.endswith("y") else term + "s?"
    return re.search(rf"\b{word}\b", text, re.IGNORECASE) is not None


def test_what_the_guide_says_the_glossary_explains():
    forms = explained()
    lacking = {
        (name, term)
        for name, text in guide_texts().items()
        for term in TERMS
        if uses(text, term) and term.lower() not in forms
    }
    assert lacking == set()


@pytest.mark.parametrize("folder", READ)
def test_a_thing_has_one_word(folder):
    paths = sorted((ROOT / folder).glob(READ[folder]))
    assert paths, f"{folder} holds no text: fix the rule"
    banned = {
        str(path.relative_to(ROOT)): words
        for path in paths
        if (words := banned_in(COMMENT.sub("", path.read_text(encoding="utf-8"))))
    }
    assert banned == {}


def test_the_api_describes_itself_in_the_same_words(client):
    document = client.get("/api/openapi.json").get_data(as_text=True)
    assert banned_in(document) == []
    assert "coupling" in document


def test_the_glossary_explains_in_the_same_words():
    texts = [f"{term.term} {term.text} {term.values}" for term in load_glossary()]
    assert [word for text in texts for word in banned_in(text)] == []
