"""Read the upload of a set: `python -m capsnet_explorer.datasets.uploads FOLDER`."""

import sys
from pathlib import Path

from capsnet_explorer.datasets.uploads.reading import main

sys.exit(main(Path(sys.argv[1])))
