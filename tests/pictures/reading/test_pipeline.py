"""Whatever the picture, the digit comes out in MNIST's form."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from capsnet_explorer.pictures.reading import (
    Intake,
    NoDigitFound,
    Overrides,
    read_digit,
    read_photograph,
)
from tests.intake_pictures import (
    BROKEN_FIVE,
    drawn_five,
    encoded,
    painted,
    strokes,
)

BOX = (40, 40, 120)
SIZE = (200, 200)


def image_of(picture, **options):
    return read_digit(encoded(picture), **options).image[0]


def assert_alike(image, expected, difference=0.02):
    """Mean difference below `difference`, up to one pixel's shift to either side.

    Shifts by whole pixels centre an image, so a trifle decides between two of them.
    """
    shifts = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1)]
    moved = [np.roll(image, shift, axis=(0, 1)) for shift in shifts]
    assert min(np.abs(shifted - expected).mean() for shifted in moved) < difference


@pytest.fixture(scope="module")
def five():
    """The plain five as it should always come out."""
    return image_of(drawn_five())


def test_the_image_is_light_ink_on_black_in_bytes(five):
    assert five.shape == (28, 28)
    assert five.dtype == np.float32
    assert five.min() == 0
    assert five.max() > 0.95
    in_bytes = np.rint(five * 255).astype(np.uint8)
    np.testing.assert_array_equal(in_bytes / np.float32(255), five)


def test_the_ink_box_is_20_pixels_high_and_keeps_its_proportions(five):
    rows = np.flatnonzero(five.max(axis=1) > 0.1)
    columns = np.flatnonzero(five.max(axis=0) > 0.1)
    height, width = np.ptp(rows) + 1, np.ptp(columns) + 1
    assert height == 20
    # The drawn five is 0.9 high and 0.6 wide, both and the 0.1 of its pen's width.
    assert width == pytest.approx(20 * 0.7 / 1.0, abs=1)


@pytest.mark.parametrize("box", [(5, 5, 60), (100, 70, 90), BOX])
def test_the_centre_of_mass_is_where_mnists_is(box):
    """Row and column 14, as averaged over MNIST, up to the shift by whole pixels."""
    image = image_of(drawn_five(box=box)).astype(np.float64)
    index = np.arange(28)
    centre = image.sum(axis=1) @ index, image.sum(axis=0) @ index
    np.testing.assert_allclose(np.array(centre) / image.sum(), 14, atol=0.6)


def test_dark_on_light_and_light_on_dark_give_the_same():
    dark = read_digit(encoded(drawn_five(ink=0, paper=1)))
    light = read_digit(encoded(drawn_five(ink=1, paper=0)))
    np.testing.assert_allclose(dark.image, light.image, atol=2 / 255)
    assert dark.inverted
    assert not light.inverted


@pytest.mark.parametrize("ink", ["auto", "light", "dark"])
def test_a_choice_is_noted_only_where_somebody_made_it(ink):
    """The page itself says of a drawing that its ink is light."""
    picture = encoded(drawn_five())
    as_it_is = read_digit(picture, Overrides(ink=ink)).steps[1].note
    assert "chose" not in as_it_is
    inverted = read_digit(picture, Overrides(ink=ink, invert=True)).steps[1].note
    assert inverted.startswith("As you chose: ")
    assert ("dark ink" in inverted) == ("Light ink" in as_it_is)


def test_a_picture_in_mnists_form_comes_back_nearly_unchanged(five):
    once = Image.fromarray(np.rint(five * 255).astype(np.uint8))
    assert np.abs(image_of(once) - five).max() <= 0.05


@pytest.mark.parametrize(
    "box", [(12, 12, 140), (128, 128, 140), (20, 20, 240), (100, 10, 160)]
)
def test_wherever_and_however_large_it_is_drawn_a_drawing_comes_out_alike(box):
    """With the page's one pen, whose strokes are the thicker the smaller the digit."""
    small = strokes((280, 280), box, 20)
    usual = strokes((280, 280), (50, 50, 180), 20)
    images = [
        read_digit(encoded(painted(ink, 1, 0)), Overrides(ink="light")).image[0]
        for ink in (small, usual)
    ]
    assert_alike(*images, difference=0.06)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_thin_strokes_on_a_large_picture_do_not_fade(width):
    image = image_of(drawn_five(size=(1200, 1200), box=(100, 100, 1000), width=width))
    assert np.quantile(image[image > 0.1], 0.75) > 0.8


def test_thick_strokes_are_thinned():
    thick, thin = (image_of(drawn_five(width=width)) for width in (34, 24))
    assert_alike(thick, thin, difference=0.06)


@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ((0.9, 0.25, 0.25), (0.25, 0.5, 0.25)),  # red on green
        ((0.1, 0.15, 0.6), (0.95, 0.9, 0.5)),  # blue on yellow
        ((0.95, 0.85, 0.1), (1.0, 1.0, 1.0)),  # yellow on white
        ((1.0, 0.95, 0.8), (0.1, 0.25, 0.2)),  # chalk on a board
    ],
)
def test_coloured_ink_on_coloured_paper(five, ink, paper):
    assert_alike(image_of(painted(strokes(SIZE, BOX, 12), ink, paper)), five)


@pytest.mark.parametrize("brightness", [0.0, 1.0])
def test_ink_that_is_in_the_alpha_channel_alone(five, brightness):
    alpha = np.rint(strokes(SIZE, BOX, 12) * 255).astype(np.uint8)
    grey = np.full_like(alpha, 255 * brightness)
    intake = read_digit(encoded(Image.fromarray(np.dstack([grey, grey, grey, alpha]))))
    assert_alike(intake.image[0], five)
    assert intake.inverted == (brightness == 0)


def test_transparent_surroundings_of_a_sheet_become_paper(five):
    sheet = drawn_five().convert("RGBA")
    picture = Image.new("RGBA", (260, 240))
    picture.paste(sheet, (30, 20))
    assert_alike(image_of(picture), five)


def test_a_shadow_across_the_digit_does_not_matter(five):
    pixels = np.asarray(drawn_five(), dtype=np.float64)
    shade = np.ones(SIZE)
    shade[:, 90:] = 0.6
    picture = Image.fromarray(np.rint(pixels * shade).astype(np.uint8))
    assert_alike(image_of(picture.filter(ImageFilter.GaussianBlur(1))), five)


def with_specks(pixels):
    for row, column in np.random.default_rng(1).integers(0, 198, (12, 2)):
        pixels[row : row + 2, column : column + 2] = 20


def with_frame(pixels):
    pixels[[3, 4, -5, -4], 3:-3] = 20
    pixels[3:-3, [3, 4, -5, -4]] = 20


def with_dark_edge(pixels):
    pixels[:, :12] = 10
    pixels[-9:] = 10


def with_ruled_line(pixels):
    pixels[185:187] = 60


@pytest.mark.parametrize(
    "spoil", [with_specks, with_frame, with_dark_edge, with_ruled_line]
)
def test_ink_that_is_not_the_digits_is_left_out(five, spoil):
    pixels = np.array(drawn_five())
    spoil(pixels)
    intake = read_digit(encoded(Image.fromarray(pixels)))
    assert_alike(intake.image[0], five)
    assert any("removed" in step.note for step in intake.steps)


@pytest.mark.parametrize("paper", [0.75, 0.95])
def test_a_sheet_on_a_dark_table_is_paper(five, paper):
    """It is the lighter and the smaller part, as light ink would be."""
    table = Image.new("L", (420, 340), 40)
    table.paste(drawn_five(paper=paper), (90, 60))
    turned = table.rotate(5, Image.Resampling.BICUBIC, fillcolor=40)
    upright = turned.rotate(-5, Image.Resampling.BICUBIC, fillcolor=40)
    assert read_digit(encoded(turned)).inverted
    assert_alike(image_of(upright), five)


def test_faint_ink_beside_a_dark_finger_does_not_fade(five):
    picture = drawn_five(ink=0.65, paper=0.9)
    ImageDraw.Draw(picture).ellipse((170, 130, 230, 170), fill=20)
    intake = read_digit(encoded(picture))
    assert_alike(intake.image[0], five)
    assert "removed" in intake.steps[3].note


def test_faint_ink_beside_a_darker_shadow_is_found(five):
    pixels = np.asarray(drawn_five(ink=0.65, paper=0.9), dtype=np.float64)
    pixels[:, 185:] *= 0.5  # darker than the ink in the light
    wide = np.pad(pixels, ((0, 0), (0, 120)), mode="edge")
    picture = Image.fromarray(np.rint(wide).astype(np.uint8))
    assert_alike(image_of(picture), five)


@pytest.mark.parametrize("seed", range(3))
def test_the_noise_of_a_dim_photo_is_no_ink(five, seed):
    coverage = strokes((400, 300), (140, 90, 120), 8)
    pixels = np.asarray(painted(coverage, 0.03, 0.2), dtype=np.float64)
    pixels *= np.linspace(1, 0.5, 400)
    pixels += np.random.default_rng(seed).normal(0, 5, pixels.shape)
    picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    assert_alike(image_of(picture), five, difference=0.04)


def test_a_finger_stays_away_when_the_paper_is_looked_at_again(five):
    """Its broad part is paper then; the rim that remains touches no edge."""
    picture = drawn_five(ink=0.65, paper=0.9, size=(300, 200))
    ImageDraw.Draw(picture).ellipse((245, 60, 355, 150), fill=20)
    light = np.linspace(1, 0.6, 300)[None, :]
    lit = Image.fromarray(np.rint(np.asarray(picture) * light).astype(np.uint8))
    intake = read_digit(encoded(lit))
    assert_alike(intake.image[0], five)
    assert "removed" in intake.steps[3].note


def test_printed_words_around_the_digit_are_left_out(five):
    pixels = np.array(drawn_five(size=(300, 240), box=(90, 60, 120)))
    for top in (10, 22, 34, 202, 214, 226):
        for left in range(10, 280, 30):
            pixels[top : top + 8, left : left + 24 : 2] = 30
            pixels[top + 2, left : left + 24] = 30
    assert_alike(image_of(Image.fromarray(pixels)), five)


@pytest.mark.parametrize("margin", [0, 3])
def test_thick_strokes_that_fill_the_picture_are_ink(margin):
    coverage = strokes(SIZE, (50, 40, 110), 24)
    rows = np.flatnonzero(coverage.max(axis=1) > 0.5)
    columns = np.flatnonzero(coverage.max(axis=0) > 0.5)
    box = (
        columns[0] - margin,
        rows[0] - margin,
        columns[-1] + 1 + margin,
        rows[-1] + 1 + margin,
    )
    whole = painted(coverage, 0.1, 0.9)
    assert_alike(image_of(whole.crop(box)), image_of(whole), difference=0.03)


@pytest.mark.parametrize("squared", [False, True])
def test_dark_printed_lines_through_the_digit_are_taken_away(five, squared):
    pixels = np.array(drawn_five(size=(260, 200), box=(70, 40, 120)))
    pixels[10::24] = np.minimum(pixels[10::24], 70)
    pixels[11::24] = np.minimum(pixels[11::24], 70)
    if squared:
        pixels[:, 5::24] = np.minimum(pixels[:, 5::24], 70)
        pixels[:, 6::24] = np.minimum(pixels[:, 6::24], 70)
    assert_alike(image_of(Image.fromarray(pixels)), five)


def test_a_digit_in_pieces_one_below_the_other_is_one():
    pixels = np.array(drawn_five())
    pixels[78:86] = round(0.9 * 255)  # right across, above the middle
    intake = read_digit(encoded(Image.fromarray(pixels)))
    assert len(intake.found) == 1
    assert intake.image[0, 5:8].max() > 0.9


@pytest.mark.parametrize("crop", [(0, 0, 200, 200), (58, 36, 150, 166)])
def test_the_bar_of_a_broken_five_is_kept(crop):
    """Also where the picture is cropped so closely that both parts touch its edge."""
    coverage = strokes(SIZE, BOX, 8, BROKEN_FIVE)
    image = image_of(painted(coverage, 0.1, 0.9).crop(crop))
    rows = np.flatnonzero(image.max(axis=1) > 0.3)
    top_bar = image[rows[0] + 1]
    assert np.flatnonzero(top_bar > 0.3).size >= 6


def test_steps_show_what_was_found():
    intake = read_digit(encoded(drawn_five(size=(500, 300), box=(90, 50, 200))))
    assert isinstance(intake, Intake)
    names = [step.name for step in intake.steps]
    assert names == ["picture", "ink", "paper", "digit", "strokes", "placed"]
    for step in intake.steps:
        assert step.image.dtype == np.uint8
        assert max(step.image.shape[:2]) <= (240 if step.name == "picture" else 160)
        assert len(step.title.split()) in (2, 3)
        assert step.note.endswith(".")
    assert intake.steps[1].note == (
        "Dark ink on light paper, so the picture was inverted."
    )
    last_step = intake.steps[-1].image / np.float32(255)
    np.testing.assert_array_equal(last_step, intake.image[0])


@pytest.mark.parametrize(
    ("size", "grey", "needed"),
    [
        ((1, 1), 0, "4 by 4"),
        ((5000, 3), 255, "4 by 4"),
        ((4000, 10), 255, "4 by 4"),  # a strip: its short side is lost
        ((200, 200), 0, "digit"),
        ((200, 200), 130, "digit"),
        ((200, 200), 255, "digit"),
    ],
)
def test_a_picture_without_a_digit_is_refused(size, grey, needed):
    with pytest.raises(NoDigitFound, match=needed):
        read_digit(encoded(Image.new("L", size, grey)))


def test_blank_paper_in_uneven_light_with_noise_is_refused():
    generator = np.random.default_rng(2)
    light = np.linspace(230, 150, 300)[None, :] + generator.normal(0, 3, (300, 300))
    with pytest.raises(NoDigitFound):
        read_digit(encoded(Image.fromarray(light.astype(np.uint8))))


def test_a_dot_is_refused_when_it_is_a_speck():
    pixels = np.full((100, 100), 255, np.uint8)
    pixels[50:53, 50:53] = 0
    with pytest.raises(NoDigitFound, match="5 pixels"):
        read_digit(encoded(Image.fromarray(pixels)))


def test_ink_that_is_much_wider_than_high_may_be_digits_that_touch():
    picture = Image.new("L", (300, 200), 255)
    ImageDraw.Draw(picture).line([(60, 60), (60, 140), (220, 140)], 0, 12)
    assert [doubt.code for doubt in read_digit(encoded(picture)).doubts] == ["touching"]
    upright = read_digit(encoded(picture.rotate(90, expand=True)))
    assert upright.doubts == ()


@pytest.mark.parametrize("kind", ["TIFF", "GIF"])
def test_pages_that_are_not_read_are_told(kind):
    page = drawn_five()
    other = Image.new(page.mode, page.size, "white")
    first = read_digit(encoded(page, kind))
    assert [doubt.code for doubt in first.doubts] == []
    whole = read_digit(encoded(page, kind, save_all=True, append_images=[other]))
    assert [doubt.code for doubt in whole.doubts] == ["pages"]
    np.testing.assert_array_equal(whole.image, first.image)


def test_pages_of_a_colour_picture_are_told():
    page = Image.new("RGB", (40, 40), (200, 30, 30))
    data = encoded(page, "TIFF", save_all=True, append_images=[page])
    assert [doubt.code for doubt in read_photograph(data, (8, 8)).doubts] == ["pages"]
    assert read_photograph(encoded(page, "TIFF"), (8, 8)).doubts == ()
