"""`python -m ninefold` is the command line."""

import sys

from ninefold.cli import main

sys.exit(main())
