"""How far size and ink tell the categories of toys apart."""

import numpy as np
import pytest
import torch

from capsnet_explorer.model.data.images import LabelledImages
from capsnet_explorer.model.measuring.cues import (
    CLASSIFIERS,
    Cues,
    cues_of,
    cues_report,
    named,
)
from capsnet_explorer.toys import collection


def part(area, ink, toys=40):
    """Views of five categories, whose cues are drawn around these means."""
    generator = np.random.default_rng(0)
    labels = np.repeat(np.arange(5), toys)
    noise = generator.normal(0, 0.01, (2, len(labels)))
    return Cues(labels, np.asarray(area)[labels] + noise[0], ink + noise[1])


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_what_a_cue_tells_is_named_and_nothing_else(classifier):
    fitting, judging = part(np.arange(5), 0.1), part(np.arange(5), 0.1, toys=30)
    found = named(fitting, judging)
    assert list(found) == ["area", "ink", "area and ink"]
    # A line on one number puts a middle category ahead nowhere.
    least = 0.4 if classifier == "linear" else 0.9
    assert found["area"][classifier] >= least
    assert found["area and ink"][classifier] >= least
    assert found["ink"][classifier] < 0.35


def test_two_cues_are_needed_where_only_their_ratio_differs():
    """Size is drawn anew for each view; ink follows it by a factor of the category."""

    def drawn(seed):
        generator = np.random.default_rng(seed)
        labels = np.tile(np.arange(5), 80)
        area = generator.uniform(1, 2, len(labels))
        return Cues(labels, area, area * (1 + labels))

    found = named(drawn(0), drawn(1))
    assert found["area"]["nearest neighbours"] < 0.35
    assert found["area and ink"]["nearest neighbours"] > 0.9


def test_a_view_is_measured_with_its_own_toy_zoom_and_picture():
    sides, heights = (0, 20, 40), (30, 35)
    models = collection.models_of(range(1))
    views = np.array(
        [
            (number, view.azimuth, view.elevation, light)
            for number, model in enumerate(models)
            for light, view in collection.views_of(model, sides, heights)
        ]
    )
    pictures = np.concatenate(
        [collection.images_of(model, sides, heights) for model in models]
    )
    images = torch.from_numpy(pictures)[:, None]
    labels = torch.from_numpy(views[:, 0])
    found = cues_of(models, LabelledImages(images, labels), views)
    assert found.labels.tolist() == np.repeat(np.arange(5), 2).tolist()
    kept = [6 * toy + side for toy in range(5) for side in (0, 2)]  # from 30° above
    assert found.ink == pytest.approx(pictures[kept].mean(axis=(1, 2)) / 255)
    inked = (pictures[kept] > 0).mean(axis=(1, 2))
    # The rest is shadow, and pixels that are covered in part.
    assert (found.area < inked).all()
    assert (found.area > 0.3 * inked).all()


def test_the_report_has_the_means_of_both_parts():
    fitting, judging = part(np.arange(5) / 10, 0.1), part(np.arange(5) / 5, 0.3)
    report = cues_report(fitting, judging, {"ink": {"linear": 0.25}}).splitlines()
    car = [
        f"{100 * values[160:].mean():.1f}"
        for values in (fitting.area, judging.area, fitting.ink, judging.ink)
    ]
    assert report[5].replace("%", "").split() == ["car", *car]
    assert report[-1] == "  ink: linear 25%"
