#!/usr/bin/env python3
"""Stores results as a baseline and lists the baselines; --help says how."""

import sys

from redux_tools.bootstrap import use_project_environment

if __name__ == "__main__":
    use_project_environment()
    from redux_tools.baseline_cli import main

    sys.exit(main())
