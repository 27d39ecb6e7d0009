"""What every architecture promises, held to each that is registered."""

from dataclasses import fields, replace

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.architectures import architecture_named
from capsnet_explorer.model.computing import Computing
from capsnet_explorer.model.layers.description import FORMS
from capsnet_explorer.model.presence import Presence, multi_hot
from capsnet_explorer.model.slopes import slopes
from capsnet_explorer.model.training.objective import Objective
from capsnet_explorer.model.weights import half_precision, load_weights

TIMES = 8  # steps that a network is given to learn four images by heart


def test_an_unknown_name_is_refused_with_those_known():
    with pytest.raises(ValueError, match=r"one of capsnet, .*, got 'resnet'"):
        architecture_named("resnet")


def test_a_default_preset_is_one_of_the_presets(architecture):
    settings = architecture.settings
    assert settings.default_preset in settings.presets


@torch.no_grad()
def test_scores_are_of_their_kind(architecture, network, config, images):
    scores = network(images).scores
    assert scores.shape == (len(images), config.classes)
    assert ((scores >= 0) & (scores <= 1)).all()
    if architecture.scores == "probability":
        assert_close(scores.sum(dim=1), torch.ones(len(images)))


@torch.no_grad()
def test_every_tensor_has_the_shape_that_is_told(architecture, network, config, images):
    trace, named = network(images), architecture.tensors(config)
    for name, tensor in named.items():
        values = tensor.read(trace, 1)
        assert tuple(values.shape) == tensor.shape, name
        assert values.float().isfinite().all(), name
        assert tensor.title
    assert_close(named["scores"].read(trace, 1), trace.scores[1])


def test_the_atlas_is_drawn_from_a_tensor_of_its_own(architecture, config):
    named = architecture.tensors(config)
    assert not architecture.embedding or architecture.embedding in named


@torch.no_grad()
def test_an_image_is_read_the_same_alone_and_among_others(network, images):
    together, alone = network(images), network(images[2:3])
    assert_close(together.scores[2:3], alone.scores, rtol=1e-4, atol=1e-5)


def test_images_of_another_shape_are_refused(network, config):
    channels, rows, columns = config.image_shape
    needed = rf"images must be \(batch, {channels}, {rows}, {columns}\), got"
    for shape in (
        (rows, columns),
        (channels, rows, columns),
        (1, channels + 1, rows, columns),
        (1, channels, rows, columns - 1),
    ):
        with pytest.raises(ValueError, match=needed):
            network(torch.zeros(shape))


def test_an_empty_image_gives_finite_gradients(architecture, config):
    network = architecture.build(config)
    network(torch.zeros(2, *config.image_shape)).scores.sum().backward()
    for parameter in network.parameters():
        assert parameter.grad is None or parameter.grad.isfinite().all()


def test_equal_sizes_and_seed_give_equal_networks(architecture, config):
    def build():
        torch.manual_seed(5)
        return architecture.build(config).state_dict()

    first, second = build(), build()
    assert all(torch.equal(first[name], second[name]) for name in first)


@torch.no_grad()
def test_it_reconstructs_if_it_says_so(architecture, network, config, images):
    trace = network(images)
    assert (trace.reconstruction is not None) == architecture.can.reconstruct
    if not architecture.can.reconstruct:
        return
    assert trace.reconstruction.shape == images.shape
    numbers = architecture.details(config)["pose_dim"]
    assert trace.poses.shape == (len(images), config.classes, numbers)
    read = int(trace.scores[0].argmax())
    drawn = network.decode(read, trace.poses[:1, read])
    assert_close(drawn, trace.reconstruction[:1], rtol=1e-4, atol=1e-5)


def test_a_class_can_be_kept_in_place_of_the_one_read(network, images):
    keep = torch.zeros(len(images), dtype=torch.int64)
    with torch.no_grad():
        assert_close(network(images, keep=keep).scores, network(images).scores)


def test_no_options_are_the_networks_own(architecture, config):
    options = architecture.options(config, {})
    assert options == architecture.options(config, {})
    assert hash(options) == hash(architecture.options(config, {}))
    assert ("iterations" in options.in_response) == architecture.can.route


@torch.no_grad()
def test_serving_finds_what_the_readable_network_finds(architecture, config, images):
    torch.manual_seed(3)
    network = architecture.build(config).eval()
    expected = network(images)
    serving = architecture.serving(network)
    options = architecture.options(config, {})
    named = architecture.tensors(config)
    for count in (1, len(images)):
        trace = serving.run(images[:count], [options] * count)
        for name, tensor in named.items():
            assert_close(
                tensor.read(trace, 0).float(),
                tensor.read(expected, 0).float(),
                rtol=1e-3,
                atol=1e-4,
                msg=lambda text, name=name: f"{name}: {text}",
            )


def test_it_learns_a_few_images_by_heart(architecture, config, images, present):
    torch.manual_seed(5)
    network = architecture.build(config)
    computing = Computing(torch.device("cpu"))
    architecture.prepare_training(network, config, computing)
    loss = architecture.settings.loss()
    objective = Objective(architecture, network, loss, bfloat16=False)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    losses = []
    for _ in range(TIMES):
        means = objective(images[:4], present[:4])
        assert means.shape == (4 + len(architecture.logged),)
        losses.append(means[0].item())
        optimizer.zero_grad()
        means[:3].sum().backward()
        optimizer.step()
    assert losses[-1] < losses[0]
    assert all(parameter.grad is not None for parameter in network.parameters())


def test_the_loss_of_each_image_has_the_objectives_mean(
    architecture, network, images, present
):
    loss = architecture.settings.loss()
    objective = Objective(architecture, network, loss, bfloat16=False)
    with torch.no_grad():
        losses = architecture.class_loss(network(images), present, loss)
        mean = objective(images, present)[0]
    assert losses.shape == (len(images),)
    assert_close(losses.mean(), mean)


@pytest.fixture
def gradient(architecture):
    """Have an architecture whose answers can be differentiated."""
    if not architecture.can.gradient:
        pytest.skip("it takes no gradient")


@pytest.mark.usefixtures("gradient")
def test_a_gradient_reaches_every_part_of_the_image(architecture, network, images):
    pixels = images[:1].clone().requires_grad_()
    trace = architecture.trace_with_gradient(network, pixels, through_all=True)
    architecture.evidence(trace)[0, 0].backward()
    assert pixels.grad.isfinite().all()
    assert (pixels.grad != 0).float().mean() > 0.5


def test_a_weight_file_brings_back_network_and_card(architecture, network, weights):
    trained = load_weights(weights)
    assert trained.architecture is architecture
    assert trained.network.config == network.config
    assert trained.card["architecture"] == architecture.name
    assert trained.rule == Presence(**trained.card.get("present", {}))
    stored = half_precision(network)
    for name, tensor in trained.network.state_dict().items():
        assert torch.equal(tensor, stored[name].float()), name


def gaps(architecture, network, images, labels):
    """Return the largest other evidence less the label's, found one by one."""
    with torch.no_grad():
        evidence = architecture.evidence(network(images)).double()
    largest = []
    for values, label in zip(evidence.tolist(), labels.tolist(), strict=True):
        others = [value for index, value in enumerate(values) if index != label]
        largest.append(max(others) - values[label])
    return torch.tensor(largest, dtype=torch.float64)


def assert_slope_of(values_of, image, slope):
    """Hold a slope to the signs of central differences, at every ninth pixel.

    Where they are clear.
    """
    step, pixels = 1e-2, slice(0, None, 9)
    nudges = step * torch.eye(image[0].numel())[pixels].view(-1, *image.shape[1:])
    differences = (values_of(image + nudges) - values_of(image - nudges)) / (2 * step)
    is_clear = differences.abs() > 0.3 * differences.abs().max()
    assert is_clear.sum() >= 5
    signs = slope[0].flatten()[pixels].sign()
    assert torch.equal(signs[is_clear].double(), differences.sign()[is_clear])


def test_evidence_orders_the_classes_as_the_scores_do(architecture, network, images):
    with torch.no_grad():
        trace = network(images)
    order = architecture.evidence(trace).argsort(dim=1)
    ordered = trace.scores.gather(1, order)
    assert (ordered.diff(dim=1) >= -1e-6).all()


@pytest.mark.usefixtures("gradient")
def test_a_slope_has_the_sign_of_a_small_change(architecture, network, images):
    def gaps_of(pixels):
        labels = torch.ones(len(pixels), dtype=torch.int64)
        return gaps(architecture, network, pixels, labels)

    image = images[:1]
    values, slope, _ = slopes(architecture, network, image, torch.tensor([1]))
    assert_close(values.double(), gaps_of(image), rtol=1e-4, atol=1e-6)
    assert_slope_of(gaps_of, image, slope)


def test_gradients_of_one_iteration_are_the_last_ones(architecture, config, images):
    if "routing_iterations" not in {field.name for field in fields(config)}:
        pytest.skip("it does not iterate")
    torch.manual_seed(3)
    labels = torch.arange(len(images)) % config.classes
    for iterations, is_same in ((1, True), (3, False)):
        sizes = replace(config, routing_iterations=iterations)
        network = architecture.build(sizes).eval()
        architecture.fit_start(network, images)
        full, last = (
            slopes(
                architecture, network, images, labels, through_all=through_all
            ).gradients
            for through_all in (True, False)
        )
        assert (full != 0).any()
        assert ((full - last).norm() < 1e-6 * full.norm()) == is_same


@pytest.mark.usefixtures("gradient")
def test_the_loss_that_was_trained_has_a_slope_too(
    architecture, network, config, images
):
    labels = torch.arange(len(images)) % config.classes
    loss = architecture.settings.loss()
    values, slope, _ = slopes(
        architecture, network, images, labels, of="trained", trained=loss
    )
    with torch.no_grad():
        present = multi_hot(labels, config.classes)
        expected = architecture.class_loss(network(images), present, loss)
    assert_close(values, expected)
    assert slope.shape == images.shape
    assert slope.isfinite().all()
    assert (slope != 0).any()


def test_every_layer_is_described(architecture, network, config):
    weights = [*network.state_dict(), *architecture.serving(network).weights()]
    layers = architecture.described(config, weights)
    assert len({layer.id for layer in layers}) == len(layers) > 0
    assert [layer.kind for layer in layers].count("classes") == 1
    assert all(layer.form for layer in layers if layer.kind in FORMS)
