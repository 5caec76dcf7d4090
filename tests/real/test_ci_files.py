"""The CI files are what their forges take, and their shell steps do what they say."""

import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.flows.places import Place

ROOT = Path(__file__).resolve().parents[2]
STARTERS = files("mcp_eval.cli") / "starters"
FILES = {
    "vendor.github-actions": ROOT / "action.yml",
    "vendor.github-workflows": STARTERS / "github.yml",
    "vendor.gitlab-ci": STARTERS / "gitlab.yml",
}
CHECKERS = "check-jsonschema@0.39.0"
RENAMED = {"TINY_NAME": "getEnv"}
GH = """\
#!/bin/sh
echo "$@" >> gh.log
case "$*" in *--paginate*) cat earlier ;; esac
"""


def read(path):
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def steps():
    """The action's own shell steps by name."""
    return {
        one["name"]: one
        for one in read(FILES["vendor.github-actions"])["runs"]["steps"]
        if "run" in one
    }


def scripts():
    """Every shell script in these files, by where it stands."""
    yield from ((f"action.yml: {name}", one["run"]) for name, one in steps().items())
    for one in read(FILES["vendor.github-workflows"])["jobs"]["check"]["steps"]:
        if "run" in one:
            yield f"github.yml: {one['name']}", one["run"]
    for number, text in enumerate(read(FILES["vendor.gitlab-ci"])["mcp-eval"]["script"]):
        yield f"gitlab.yml: {number}", text


def checker(real_part, name):
    """A program of the checkers' own environment."""
    (place,) = real_part(CHECKERS)
    return str(Path(place).parents[2] / "bin" / name)


@pytest.mark.parametrize("schema", FILES)
def test_a_file_is_what_its_forge_takes(schema, real_part):
    words = [checker(real_part, "check-jsonschema"), "--builtin-schema", schema, str(FILES[schema])]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=50)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_is_one_that_pre_commit_takes(real_part, tmp_path):
    words = [
        checker(real_part, "pre-commit"),
        "validate-manifest",
        str(ROOT / ".pre-commit-hooks.yaml"),
    ]
    environ = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path)}
    done = subprocess.run(
        words, env=environ, capture_output=True, text=True, check=False, timeout=50
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("where", "text"), list(scripts()), ids=lambda value: value[:40])
def test_shellcheck_has_nothing_to_say(where, text, real_part):
    words = [
        checker(real_part, "shellcheck"),
        "--shell",
        "sh" if "gitlab" in where else "bash",
        "-",
    ]
    done = subprocess.run(
        words, input=text, capture_output=True, text=True, check=False, timeout=50
    )
    assert done.returncode == 0, done.stdout


def test_no_script_holds_an_expression_somebody_else_could_fill():
    assert not [where for where, text in scripts() if "${{" in text]


@pytest.fixture
def place(tmp_path):
    there = Place(tmp_path)
    there.project()
    assert there.run("record").returncode == 0
    gh = there.write("bin/gh", GH)
    gh.chmod(0o755)
    there.write("earlier", "")
    for name in ("output", "summary"):
        there.write(name, "")
    return there


def ran(place, script, shell=("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"), **environ):
    """A step as the runner runs it."""
    paths = [str(place.folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    more = {
        "PATH": os.pathsep.join(paths),
        "GITHUB_OUTPUT": str(place.folder / "output"),
        "GITHUB_STEP_SUMMARY": str(place.folder / "summary"),
        "GITHUB_REPOSITORY": "example/proxy",
        "REPORT": "out",
        "ARGS": "",
        "NUMBER": "7",
    }
    return subprocess.run(
        [*shell, script],
        cwd=place.folder,
        env=place.environ({**more, **environ}),
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )


@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    ("environ", "status"),
    [({}, 0), (RENAMED, 1), ({"ARGS": "--nonsense"}, 2), ({"TINY_HANG": "dead"}, 3)],
)
def test_the_action_checks_annotates_sums_up_comments_and_ends_as_the_check_did(
    place, environ, status
):
    if status == 3:
        place.write("server.py", "raise SystemExit(3)\n")
    done = {name: step["run"] for name, step in steps().items()}
    checked = ran(place, done["Check"], **environ)
    assert checked.returncode == 0, checked.stderr
    assert (place.folder / "output").read_text() == f"status={status}\n"
    told = ran(place, done["Annotate and sum up"], **environ)
    assert told.returncode == 0, told.stderr
    summary = (place.folder / "summary").read_text()
    if status == 2:
        assert "did not happen" in summary
    else:
        assert summary.startswith("<!-- mcp-eval -->\n## ")
        assert ("::error " in told.stdout) is (status != 0)
        assert sorted(path.name for path in (place.folder / "out").iterdir()) == [
            f"report.{suffix}" for suffix in ("annotations", "html", "json", "md", "xml")
        ]
    ended = ran(place, done["Verdict"], STATUS=str(status))
    assert ended.returncode == status
    assert ("did not happen" in ended.stdout) is (status == 3)


def test_a_check_that_never_ended_is_not_green(place):
    assert ran(place, steps()["Verdict"]["run"], STATUS="").returncode == 3


def test_what_a_server_prints_is_no_command_of_the_job(place):
    checked = ran(place, steps()["Check"]["run"], **RENAMED)
    first, *_, last = checked.stdout.splitlines()
    token = re.fullmatch(r"::stop-commands::(mcp-eval-[0-9a-f]{32})", first)[1]
    assert last == f"::{token}::"


def test_words_are_quoted_as_in_a_shell_and_nothing_in_them_runs(place):
    ran(place, steps()["Check"]["run"], ARGS="-k 'a b' '$(touch owned)' `touch owned`")
    assert not (place.folder / "owned").exists()
    assert ran(place, steps()["Check"]["run"], ARGS="-k search").returncode == 0
    assert (place.folder / "output").read_text().splitlines()[-1] == "status=0"


@pytest.mark.parametrize(
    ("earlier", "words"),
    [
        ("", "api repos/example/proxy/issues/7/comments"),
        ("41\n42\n", "api --method PATCH repos/example/proxy/issues/comments/41"),
    ],
)
def test_a_pull_request_has_one_comment_kept_up_to_date(place, earlier, words):
    place.write("earlier", earlier)
    place.write("out/report.md", "<!-- mcp-eval -->\n")
    done = ran(place, steps()["Comment"]["run"])
    assert done.returncode == 0, done.stderr
    assert (place.folder / "gh.log").read_text().splitlines()[
        -1
    ] == f"{words} -F body=@out/report.md --silent"


def test_a_comment_that_may_not_be_written_is_a_warning(place):
    place.write("bin/gh", "#!/bin/sh\nexit 1\n")
    place.write("out/report.md", "<!-- mcp-eval -->\n")
    done = ran(place, steps()["Comment"]["run"])
    assert done.returncode == 0
    assert "::warning " in done.stdout


@pytest.mark.timeout(200)
@pytest.mark.parametrize("environ", [{}, RENAMED])
@pytest.mark.parametrize("forge", ["github", "gitlab"])
def test_the_workflows_that_init_writes_end_as_the_check_did(place, forge, environ):
    text = dict(scripts())[{"github": "github.yml: Check", "gitlab": "gitlab.yml: 2"}[forge]]
    place.write("mcp-eval-report/.keep", "")
    shell = ("bash", "-e", "-c") if forge == "github" else ("sh", "-e", "-c")
    done = ran(place, text, shell=shell, **environ)
    assert done.returncode == (1 if environ else 0), done.stderr
    assert json.loads((place.folder / "mcp-eval-report/report.json").read_text())[
        "passed"
    ] is not bool(environ)
