"""The CI examples are what their services accept, and call scripts with options that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from project_files import ROOT

RECIPES = ROOT / "scripts" / "ci"
# Schemas that check-jsonschema brings along, so that no network is asked.
SCHEMAS = {
    "github-actions.yml": "vendor.github-workflows",
    "gitlab-ci.yml": "vendor.gitlab-ci",
}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
CALL = re.compile(r"scripts/(\w+\.py)((?:[^\n;|&]|\\\n)*)")


def run(tool, *words):
    command = [str(Path(sys.executable).parent / tool), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def scripts_of(name):
    """The shell text of each step or job."""
    recipe = yaml.safe_load((RECIPES / name).read_text(encoding="utf-8"))
    if name == "github-actions.yml":
        jobs = recipe["jobs"].values()
        return [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    jobs = [job for job in recipe.values() if isinstance(job, dict) and "script" in job]
    parts = ("before_script", "script", "after_script")
    return ["\n".join(job.get(part, [])) for job in jobs for part in parts]


def test_every_recipe_is_checked():
    assert {path.name for path in RECIPES.glob("[!.]*.yml")} == set(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_service_accepts_it(name):
    done = run("check-jsonschema", "--builtin-schema", SCHEMAS[name], RECIPES / name)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_schema_would_find_a_fault(tmp_path):
    for name, schema in SCHEMAS.items():
        text = (RECIPES / name).read_text(encoding="utf-8")
        broken = tmp_path / name
        broken.write_text(re.sub(r"^(\s+)(run:|script:).*$", r"\1\2 {a: 1}", text, flags=re.M))
        assert run("check-jsonschema", "--builtin-schema", schema, broken).returncode != 0


@pytest.mark.parametrize("name", SCHEMAS)
def test_yamllint(name):
    done = run("yamllint", "--strict", "-c", RECIPES / ".yamllint.yml", RECIPES / name)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", SCHEMAS)
def test_its_shell_parses_and_calls_what_there_is(name):
    called = set()
    for text in scripts_of(name):
        done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        for script, words in CALL.findall(text):
            called.add(script)
            asked = [sys.executable, str(ROOT / "scripts" / script), "--help"]
            known = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
            assert set(OPTION.findall(words)) <= set(OPTION.findall(known))
        for config in re.findall(r"configs/[\w-]+\.json", text):
            assert (ROOT / config).exists()
    assert called == {"gate.py"}


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_a_gate_needs_is_there(name):
    text = (RECIPES / name).read_text(encoding="utf-8")
    for part in ("git merge-base", "--base-binary", "out/gate", "always"):
        assert part in text
