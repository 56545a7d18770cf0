#!/usr/bin/env python3
"""Runs cases under ncu or nsys and prints what each kernel did; --help says how."""

import sys

if __name__ == "__main__":
    from redux_tools.bootstrap import use_project_environment

    use_project_environment()
    from redux_tools.profile_cli import main

    sys.exit(main())
else:
    # The standard library has a module of this name, which cProfile imports: whoever has this
    # folder on the path gets that one.
    import importlib.util
    import sysconfig
    from pathlib import Path

    _standard = importlib.util.spec_from_file_location(
        __name__, Path(sysconfig.get_path("stdlib")) / "profile.py"
    )
    assert _standard is not None and _standard.loader is not None
    _module = importlib.util.module_from_spec(_standard)
    sys.modules[__name__] = _module
    _standard.loader.exec_module(_module)
