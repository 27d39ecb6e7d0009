"""`python -m capsnet_explorer` starts the server."""

import sys

from capsnet_explorer.command import main

sys.exit(main())
