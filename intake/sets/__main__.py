"""Read the upload in the folder of a set: `python -m capsnet_explorer.intake.sets`."""

import sys
from pathlib import Path

from capsnet_explorer.intake.sets.reading import main

sys.exit(main(Path(sys.argv[1])))
