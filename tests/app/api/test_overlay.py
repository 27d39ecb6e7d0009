"""POST /api/overlay: two images on top of each other."""

ADDRESS = "/api/overlay"
ONE = [[0.5, 1.0], [0.0, 0.125]]
OTHER = [[0.25, 0.75]]
BODY = {"images": [ONE, OTHER], "shifts": [[0, 0], [1, -1]], "canvas": [4, 4]}


def test_ink_is_added_and_each_pixel_says_whose_it_is(client):
    """The second begins one row below the first row of the canvas, moved one up."""
    answer = client.post(ADDRESS, json=BODY)
    assert answer.status_code == 200
    assert answer.json == {
        "image": [
            [0, 0, 0.25, 0.75],
            [0, 0.5, 1, 0],
            [0, 0, 0.125, 0],
            [0, 0, 0, 0],
        ],
        "owners": [[0, 0, 2, 2], [0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    }
