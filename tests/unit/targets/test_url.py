"""Targets that are reached at a URL: running somewhere, or started to listen there."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mcp_eval.clock import SystemClock
from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.model.project import TargetSpec
from mcp_eval.tap.session import Session, body
from mcp_eval.targets.placeholders import free_port
from mcp_eval.targets.probe import Probe
from mcp_eval.targets.registry import make_target
from tests.unit.tap.web import Web, polite, whole

LISTENER = """
import http.server, json, os, sys, time

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message:
            return self.say(202, b"")
        if message["method"] == "initialize":
            said = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                    "serverInfo": {"name": "web", "version": "1"}}
        else:
            said = {"pid": os.getpid(), "cwd": os.getcwd()}
        self.say(200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": said}).encode())

    def say(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

"""


@pytest.fixture
def target(tmp_path):
    def make(url, **more):
        spec = TargetSpec(name="web", url=url, **{"start_timeout": 10, **more})
        return make_target(spec, workspace=tmp_path / ".mcp-eval", clock=SystemClock())

    return make


@pytest.fixture
def served(target, tmp_path):
    def make(rest, url="http://127.0.0.1:${port}/mcp", **more):
        path = tmp_path / "listener.py"
        path.write_text(LISTENER + textwrap.dedent(rest))
        return target(url, command=(sys.executable, str(path), "${port}"), **more)

    return make


SERVE = "http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()"


async def asked(environment, method="where"):
    session = Session(await environment.connect(), clock=SystemClock())
    try:
        await session.initialize(10)
        return body(await session.request(method, {}, timeout=10))
    finally:
        await session.close()


async def test_a_running_server_is_asked_with_headers_out_of_the_environment(target, monkeypatch):
    monkeypatch.setenv("WEB_TOKEN", "t-123")
    async with Web(polite) as web:
        known = target(web.url, headers={"Authorization": "Bearer ${WEB_TOKEN}"})
        assert known.serial
        environment = await known.start()
        await Probe(clock=SystemClock())(environment)
        await environment.stop()
        assert {asked.headers["authorization"] for asked in web.heard} == {"Bearer t-123"}
    assert "t-123" not in repr(environment.build)
    assert environment.build.url == web.url
    assert not Path(environment.workdir).exists()


async def test_a_variable_nobody_set_is_a_login_that_is_missing(target, monkeypatch):
    monkeypatch.delenv("WEB_TOKEN", raising=False)
    async with Web(polite) as web:
        environment = await target(web.url, headers={"X-Key": "${WEB_TOKEN}"}).start()
        with pytest.raises(InconclusiveError, match="WEB_TOKEN is not set") as caught:
            await environment.connect()
        await environment.stop()
        assert caught.value.rule == "auth-expired"
        assert web.heard == []


async def test_a_header_that_would_be_two_is_refused(target, monkeypatch):
    monkeypatch.setenv("WEB_TOKEN", "a\r\nHost: elsewhere")
    async with Web(polite) as web:
        environment = await target(web.url, headers={"X-Key": "${WEB_TOKEN}"}).start()
        with pytest.raises(UsageError, match="one line"):
            await environment.connect()
        await environment.stop()


async def test_the_probe_says_a_login_failed_where_it_did(target):
    async def answer(asked):
        yield whole(None, 401)

    async with Web(answer) as web:
        environment = await target(web.url).start()
        with pytest.raises(InconclusiveError) as caught:
            await Probe(clock=SystemClock())(environment)
        await environment.stop()
    assert caught.value.rule == "auth-expired"


async def test_where_nobody_listens_the_target_does_not_start(target, monkeypatch):
    monkeypatch.setattr("mcp_eval.targets.url._SHORTLY", 0.3)
    with pytest.raises(InconclusiveError, match="connection refused") as caught:
        await target(f"http://127.0.0.1:{free_port()}/mcp").start()
    assert caught.value.rule == "target-not-starting"


@pytest.mark.parametrize("url", ["http:///mcp", "ftp://somewhere/mcp", "localhost:80"])
def test_what_is_no_address_is_refused_at_once(target, url):
    with pytest.raises(UsageError, match="no address"):
        target(url)


async def test_a_command_resets_a_running_server_before_each_start(target, tmp_path):
    async with Web(polite) as web:
        known = target(web.url, resettable="sh -c 'echo x >> count'", base=str(tmp_path))
        for _ in range(2):
            environment = await known.start()
            assert environment.fresh
            await environment.stop()
    assert (tmp_path / "count").read_text() == "x\nx\n"
    assert known.serial
    assert known.resettable is True


async def test_a_reset_that_fails_leaves_nothing_behind(target, tmp_path):
    async with Web(polite) as web:
        with pytest.raises(InconclusiveError, match="resettable"):
            await target(web.url, resettable="false", base=str(tmp_path)).start()
    assert list((tmp_path / ".mcp-eval" / "journal").iterdir()) == []


async def test_a_running_server_is_not_ours_to_restart(target):
    async with Web(polite) as web:
        environment = await target(web.url).start()
        with pytest.raises(InconclusiveError, match="not ours"):
            await environment.restart()
        assert await environment.post_mortem() == ""
        await environment.stop()


async def test_a_command_listens_at_a_port_of_its_own_each_time(served):
    known = served(SERVE)
    assert not known.serial
    one, other = await known.start(), await known.start()
    said = [await asked(one), await asked(other)]
    assert said[0]["pid"] != said[1]["pid"]
    assert [each["cwd"] for each in said] == [one.workdir, other.workdir]
    await one.restart()
    again = await asked(one)
    assert again["pid"] != said[0]["pid"]
    assert again["cwd"] == one.workdir
    await one.stop()
    await other.stop()


async def test_a_command_at_a_fixed_port_serves_one_at_a_time(served):
    assert served(SERVE, url="http://127.0.0.1:8123/mcp").serial


async def test_a_command_that_takes_its_time_is_waited_for(served):
    environment = await served("time.sleep(0.6)\n" + SERVE).start()
    assert (await asked(environment))["pid"]
    await environment.stop()


async def test_a_command_that_dies_instead_of_listening_says_how(served):
    environment = await served("sys.exit('no such thing')").start()
    with pytest.raises(InconclusiveError, match="it ended at once, exit status 1") as caught:
        await environment.connect()
    assert "no such thing" in caught.value.evidence
    await environment.stop()


async def test_a_command_that_never_listens_is_given_up(served):
    environment = await served("time.sleep(60)", start_timeout=0.5).start()
    with pytest.raises(InconclusiveError, match="connection refused"):
        await environment.connect()
    await environment.stop()


async def test_what_a_server_prints_does_not_fill_its_pipe(served):
    environment = await served("print('x' * (20 * 1024 * 1024), flush=True)\n" + SERVE).start()
    assert (await asked(environment))["pid"]
    await environment.stop()


async def test_a_server_that_dies_in_mid_call_is_explained(served):
    rest = """
    class Dying(Handler):
        def do_POST(self):
            if b'"where"' in (head := self.rfile.peek()):
                print("my last words", file=sys.stderr, flush=True)
                os._exit(3)
            super().do_POST()
    http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Dying).serve_forever()
    """
    environment = await served(rest).start()
    session = Session(
        await environment.connect(), clock=SystemClock(), post_mortem=environment.post_mortem
    )
    await session.initialize(10)
    made = await session.request("where", {}, timeout=10)
    await session.close()
    await environment.stop()
    assert made.outcome.kind == "crashed"
    assert "exit status 3" in made.outcome.detail
    assert "my last words" in made.outcome.detail


@pytest.fixture
def checkout(tmp_path):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    return tmp_path


async def test_what_is_known_of_a_running_server_is_found_out_once(target, checkout):
    build = "sh -c 'echo built >> built'"
    async with Web(polite) as web:
        known = target(
            web.url, base=str(checkout), checkout=".", build=build, preflight=("echo 1.2",)
        )
        for _ in range(2):
            environment = await known.start()
            await environment.stop()
    assert (checkout / "built").read_text() == "built\n"
    assert environment.build.preflight == {"echo 1.2": "1.2"}
    assert environment.build.checkout.built_from == "unknown"
    assert len(environment.build.checkout.commit) == 40
