"""Files of networks, which are people's own programs: whatever they do is listed."""

import pytest

from capsnet_explorer.model.described.files import open_networks

ENDS = {
    "exits": "import sys\nsys.exit(3)\n",
    "raises": "raise SystemExit\n",
    "parses": "import argparse\nargparse.ArgumentParser().parse_args(['--no-such'])\n",
    "stops": "raise KeyboardInterrupt\n",
    "fails": "raise RuntimeError('broken')\n",
}


@pytest.mark.parametrize("name", ENDS)
def test_a_file_that_ends_the_program_is_listed_with_its_error(tmp_path, name):
    file = tmp_path / f"{name}.py"
    file.write_text(ENDS[name])
    opened = open_networks([file])
    assert opened.networks == {}
    expected = "broken" if name == "fails" else "it ends the program"
    assert expected in opened.refused[name]
    assert f"{name}.py" in opened.traces[name]
