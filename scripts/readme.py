#!/usr/bin/env python3
"""Refreshes or checks the generated blocks of README.md; --help says how."""

import sys

from redux_tools.bootstrap import use_project_environment

if __name__ == "__main__":
    use_project_environment()
    from redux_tools.readme_cli import main

    sys.exit(main())
