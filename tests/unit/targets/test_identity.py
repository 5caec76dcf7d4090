"""Which build a command starts, read without starting it."""

import hashlib
import json
import subprocess
import sys

import pytest

from mcp_eval.targets.checkout import read_checkout
from mcp_eval.targets.identity import identify


def digest(payload):
    return hashlib.sha256(payload).hexdigest()


def test_a_program_of_its_own_is_what_is_digested(tmp_path):
    program = tmp_path / "server"
    program.write_bytes(b"\x7fELF one")
    program.chmod(0o755)
    assert identify((str(program), "--flag")).digest == digest(b"\x7fELF one")


def test_of_an_interpreter_the_script_is_what_is_digested(tmp_path):
    script = tmp_path / "server.py"
    script.write_bytes(b"print(1)")
    found = identify((sys.executable, "-u", str(script), "other.py"))
    assert (found.program, found.digest) == (str(script), digest(b"print(1)"))


def test_an_interpreter_with_code_on_its_command_line_has_no_digest():
    assert identify((sys.executable, "-c", "print('a.b')")).digest == ""


@pytest.mark.parametrize(
    ("command", "versions"),
    [
        (("npx", "-y", "@scope/server-x@1.2.3"), {"@scope/server-x": "1.2.3"}),
        (("uvx", "mcp-server-time==2026.1.26"), {"mcp-server-time": "2026.1.26"}),
        (("npx", "server-x@latest"), {}),
    ],
)
def test_a_launcher_names_the_version_it_was_told(command, versions):
    assert identify(command).dependencies == versions


def test_a_node_script_brings_its_package_and_what_it_depends_on(tmp_path):
    package = {"name": "shop", "version": "2.0.0", "dependencies": {"left": "^1", "gone": "1"}}
    (tmp_path / "package.json").write_text(json.dumps(package))
    left = tmp_path / "node_modules" / "left"
    left.mkdir(parents=True)
    (left / "package.json").write_text(json.dumps({"name": "left", "version": "1.3.0"}))
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "index.js").write_text("//")
    found = identify(("node", str(tmp_path / "dist" / "index.js")))
    assert found.dependencies == {"shop": "2.0.0", "left": "1.3.0"}


def test_a_module_of_an_environment_is_its_distributions_list_of_files(tmp_path):
    site = tmp_path / "lib" / "python3.11" / "site-packages"
    info = site / "shop_server-1.4.dist-info"
    info.mkdir(parents=True)
    (info / "RECORD").write_text("shop_server/__init__.py,sha256=x,1\n")
    (site / "other-2.0.dist-info").mkdir()
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin" / "python"
    python.symlink_to(sys.executable)
    found = identify((str(python), "-m", "shop_server"))
    assert found.digest == digest(b"shop_server/__init__.py,sha256=x,1\n")
    assert found.dependencies == {"shop-server": "1.4", "other": "2.0"}


# --- a named checkout ----------------------------------------------------------------------------


def git(folder, *words):
    said = subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e@example.com", *words],
        check=True,
        capture_output=True,
        text=True,
    )
    return said.stdout.strip()


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "server.py").write_text("print(1)")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    git(folder, "remote", "add", "origin", "https://user:secret@example.com/shop.git")
    return folder


def test_a_checkout_says_its_commit_and_whether_it_is_dirty(checkout):
    found = read_checkout(str(checkout), str(checkout / "server.py"))
    assert found.commit == git(checkout, "rev-parse", "HEAD")
    assert (found.dirty, found.built_from) == (False, "yes")
    assert found.url == "https://example.com/shop.git"
    (checkout / "server.py").write_text("print(2)")
    assert read_checkout(str(checkout), "").dirty is True


def test_a_binary_that_names_its_commit_is_held_to_it(checkout, tmp_path):
    binary = tmp_path / "shop-server"
    commit = git(checkout, "rev-parse", "HEAD")
    binary.write_bytes(b"\x00build\tvcs.revision=" + commit.encode() + b"\n\x00")
    assert read_checkout(str(checkout), str(binary)).built_from == "yes"
    binary.write_bytes(b"\x00build\tvcs.revision=" + b"0" * 40 + b"\n\x00")
    assert read_checkout(str(checkout), str(binary)).built_from == "no"
    binary.write_bytes(b"no word of it")
    assert read_checkout(str(checkout), str(binary)).built_from == "unknown"


def test_a_folder_that_is_no_checkout_is_none(tmp_path):
    assert read_checkout(str(tmp_path / "nowhere"), "") is None
