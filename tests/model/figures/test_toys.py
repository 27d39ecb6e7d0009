"""The contact sheet of a set of toys."""

import numpy as np

from capsnet_explorer.model.figures.toys import EACH, Seen, contact_sheet

TOYS, AZIMUTHS, ELEVATIONS = 20, (0, 20, 40), (30, 40, 50)


def test_every_picture_stands_where_the_sheet_says():
    """Pictures of one grey each, which says which view it is."""
    views = np.array(
        [
            (toy, azimuth, elevation, (toy + azimuth // 20 + elevation // 10) % 6)
            for toy in range(TOYS)
            for azimuth in AZIMUTHS
            for elevation in ELEVATIONS
        ]
    )
    greys = np.arange(len(views)) / len(views)
    ink = np.ones((len(views), 32, 32)) * greys[:, None, None]
    figure = contact_sheet(Seen(ink, views[:, 0] % 5, views))
    above, upward, lit = figure.get_axes()

    def grey(axes, row, column):
        """The picture's ink, found again as a view."""
        shown = np.asarray(axes.get_images()[0].get_array())
        cell = shown[32 * row : 32 * row + 32, 32 * column : 32 * column + 32]
        assert np.ptp(cell) == 0
        return views[round((1 - cell[0, 0]) * len(views))]

    assert above.get_images()[0].get_array().shape == (5 * EACH * 32, 3 * 32)
    for row in range(5 * EACH):
        toy = row // EACH + 5 * (row % EACH)  # categories take turns
        for column, azimuth in enumerate(AZIMUTHS):
            assert grey(above, row, column)[:3].tolist() == [toy, azimuth, 40]
    for toy in range(5):
        for column, elevation in enumerate(ELEVATIONS):
            assert grey(upward, toy, column)[:3].tolist() == [toy, 40, elevation]
        lights = {view[3] for view in views if view[0] == toy}
        for light in lights:
            view = grey(lit, toy, light)
            assert (view[0], view[3]) == (toy, light)
    ticks = [label.get_text() for label in above.get_xticklabels()]
    assert ticks == ["0°", "20°", "40°"]
