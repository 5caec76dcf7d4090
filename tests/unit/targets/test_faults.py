"""What real processes do wrong: each is an outcome or one line, and none of them stays."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from mcp_eval.clock import SystemClock
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.project import TargetSpec
from mcp_eval.tap.session import Session, body
from mcp_eval.targets import procs
from mcp_eval.targets.probe import Probe
from mcp_eval.targets.process import ProcessTarget
from tests.unit.targets.servers import Servers


@pytest.fixture
def servers(tmp_path):
    return Servers(tmp_path)


async def probed(target, *, start_timeout=10.0):
    environment = await target.start()
    try:
        return await Probe(clock=SystemClock(), start_timeout=start_timeout)(environment)
    finally:
        await environment.stop()


def marked(folder):
    """The living processes whose command names this test's folder."""
    return [each for each in procs.procs() if str(folder).encode() in _command(each.pid)]


def _command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


# --- it does not come up -------------------------------------------------------------------------


async def test_a_healthy_one_is_probed_and_leaves_nothing_behind(servers):
    surface = await probed(servers.target("for message in messages(): pass"))
    assert [tool.name for tool in surface.tools] == ["go"]
    assert (surface.server_name, surface.server_version) == ("tiny", "1")
    assert marked(servers.folder) == []
    assert list((servers.workspace / "journal").iterdir()) == []


async def test_exits_at_once(servers):
    with pytest.raises(InconclusiveError) as caught:
        await probed(servers.target('sys.stderr.write("no database\\n"); sys.exit(7)'))
    assert caught.value.rule == "target-not-starting"
    assert "exit status 7" in caught.value.evidence
    assert caught.value.evidence.endswith("no database")
    assert "\n" not in caught.value.message
    assert caught.value.hint
    assert marked(servers.folder) == []


async def test_is_killed_at_once(servers):
    with pytest.raises(InconclusiveError) as caught:
        await probed(servers.target("os.kill(os.getpid(), 9)"))
    assert "SIGKILL" in caught.value.evidence


async def test_cannot_be_found():
    target = ProcessTarget(
        TargetSpec(name="gone", command=("no-such-server-anywhere",)),
        workspace=Path("/nonexistent/place"),
        clock=SystemClock(),
    )
    with pytest.raises(InconclusiveError, match=r"gone: no-such-server-anywhere cannot be started"):
        await target.start()


async def test_hangs_at_its_start(servers):
    with pytest.raises(InconclusiveError, match=r"no answer in 0\.5 s") as caught:
        await probed(servers.target("time.sleep(600)"), start_timeout=0.5)
    assert caught.value.rule == "target-not-starting"
    assert marked(servers.folder) == []


async def test_prints_nothing_but_garbage_on_stdout(servers):
    with pytest.raises(InconclusiveError) as caught:
        await probed(
            servers.target('print("Server ready on http://x"); time.sleep(600)'), start_timeout=0.5
        )
    assert caught.value.rule == "target-not-starting"
    assert "Server ready on http://x" in caught.value.evidence


async def test_prints_garbage_between_its_frames_and_is_understood_all_the_same(servers):
    chatty = """
        print("Banner " + "=" * 50)
        print('{"level": "info", "msg": "loaded"}')
        for message in messages():
            print("DEBUG got it", flush=True)
            text(message, "fine")
    """
    async with servers.session(chatty) as session:
        called = await session.call("go", {}, 10)
        assert body(called)["content"][0]["text"] == "fine"
        assert session.recorder.garbage_lines == 3


async def test_lacks_a_variable_that_its_file_refers_to(servers, monkeypatch):
    monkeypatch.delenv("SHOP_TOKEN", raising=False)
    target = servers.target("", env={"TOKEN": "${SHOP_TOKEN}"})
    with pytest.raises(InconclusiveError, match="SHOP_TOKEN is not set") as caught:
        await target.start()
    assert caught.value.rule == "target-not-starting"
    assert caught.value.hint == "set it first: export SHOP_TOKEN=…"
    assert marked(servers.folder) == []


async def test_lacks_a_variable_that_nobody_told_us_of(servers):
    with pytest.raises(InconclusiveError) as caught:
        await probed(servers.target('os.environ["SHOP_TOKEN_NOBODY_SET"]'))
    assert "KeyError: 'SHOP_TOKEN_NOBODY_SET'" in caught.value.evidence
    assert "exit status 1" in caught.value.evidence


async def test_a_secret_it_prints_as_it_dies_is_no_evidence(servers, monkeypatch):
    monkeypatch.setenv("SHOP_TOKEN", "zx81-spectrum-4711-aa")
    dying = 'sys.exit("bad token " + os.environ["TOKEN"])'
    with pytest.raises(InconclusiveError) as caught:
        await probed(servers.target(dying, env={"TOKEN": "${SHOP_TOKEN}"}))
    assert "zx81" not in caught.value.evidence
    assert "bad token ${secret:" in caught.value.evidence


# --- it goes wrong at work -----------------------------------------------------------------------


async def test_floods_stderr_and_still_answers_with_its_last_words_kept(servers):
    flooding = """
        for message in messages():
            for number in range(4000):
                sys.stderr.write("noise " * 1000 + "\\n")
            sys.stderr.write("the last word\\n")
            text(message, "fine")
    """
    async with servers.session(flooding) as session:
        called = await session.call("go", {}, 30)
        assert body(called)["content"][0]["text"] == "fine"


async def test_answers_with_fifty_megabytes(servers):
    size = 50 * 1024 * 1024
    async with servers.session(
        f"for message in messages(): text(message, 'x' * {size})"
    ) as session:
        called = await session.call("go", {}, 50)
        assert called.outcome.kind == "result"
        assert called.size > size
        assert len(body(called)["content"][0]["text"]) == size


async def test_is_sent_five_megabytes_while_it_reads_slowly(servers):
    slow = """
        for message in messages():
            text(message, str(len(message["params"]["arguments"]["big"])))
    """
    async with servers.session(slow) as session:
        big = {"big": "ü" * (5 * 1024 * 1024)}
        called = await session.call("go", big, 30)
        assert body(called)["content"][0]["text"] == str(5 * 1024 * 1024)


async def test_closes_in_mid_call(servers):
    dying = 'for message in messages(): sys.stderr.write("out of cheese\\n"); sys.exit(3)'
    async with servers.session(dying) as session:
        called = await session.call("go", {}, 10)
        assert called.outcome.kind == "crashed"
        assert "exit status 3" in called.outcome.detail
        assert "out of cheese" in called.outcome.detail
        again = await session.call("go", {}, 10)
        assert again.outcome.kind == "crashed"
        assert "not sent" in again.outcome.detail
        assert not session.alive


async def test_dies_in_the_middle_of_its_answer(servers):
    cut = """
        for message in messages():
            sys.stdout.write('{"jsonrpc":"2.0","id":%d,"result":{"content":[' % message["id"])
            sys.stdout.flush()
            os._exit(1)
    """
    async with servers.session(cut) as session:
        called = await session.call("go", {}, 10)
        assert (called.outcome.kind, bytes(called.outcome.body)[:2]) in {
            ("crashed", b""),
            ("error", b'{"'),
        }
        assert not session.alive


async def test_closes_stdout_and_lives_on(servers):
    mute = "for message in messages(): os.close(1); time.sleep(600)"
    async with servers.session(mute) as session:
        called = await session.call("go", {}, 10)
        assert called.outcome.kind == "crashed"
    assert marked(servers.folder) == []


async def test_hangs_in_mid_call(servers, monkeypatch):
    monkeypatch.setattr("mcp_eval.tap.exchange._PING_SECONDS", 0.2)
    async with servers.session("for message in messages(): time.sleep(600)") as session:
        called = await session.call("go", {}, 0.3)
        assert called.outcome.kind == "timeout"
        assert called.outcome.detail == "no answer in 0.3 s; not even to a ping"
        assert not session.alive
    assert marked(servers.folder) == []


async def test_a_descendant_that_holds_its_stdout_does_not_hide_that_it_died(servers):
    leaving = """
        for message in messages():
            subprocess.Popen(["sleep", "600"], start_new_session=True)
            os._exit(5)
    """
    async with servers.session(leaving) as session:
        called = await session.call("go", {}, 10)
        assert called.outcome.kind == "crashed"
        assert "exit status 5" in called.outcome.detail


async def test_writes_faster_than_anybody_reads_and_is_made_to_wait(servers):
    size = 40 * 1024 * 1024
    environment = await servers.target(
        f"sys.stdout.write('x' * {size}); sys.stdout.flush()"
    ).start()
    try:
        line = await environment.connect()
        await until(lambda: line._paused)
        assert line._held < size / 2
        heard = 0
        while chunk := await line.receive():
            heard += len(chunk)
        assert heard == size
    finally:
        await environment.stop()


async def until(happened):
    async with asyncio.timeout(20):
        while not happened():  # noqa: ASYNC110 - what a process does has no event of ours
            await asyncio.sleep(0.01)


async def test_is_written_to_faster_than_it_reads_and_we_wait(servers):
    lazy = "time.sleep(0.3); print(sum(len(line) for line in sys.stdin), flush=True)"
    environment = await servers.target(lazy).start()
    try:
        line = await environment.connect()
        for _ in range(400):
            await line.send(b"x" * 99_999 + b"\n")
        await line.close()
        assert (await line.receive()).strip() == str(400 * 100_000).encode()
    finally:
        await environment.stop()


async def flood(line):
    async with asyncio.timeout(20):
        while True:
            await line.send(b"x" * 100_000)


async def test_stops_reading_and_a_write_to_it_fails_rather_than_hangs(servers):
    environment = await servers.target("os.close(0); time.sleep(600)").start()
    try:
        line = await environment.connect()
        with pytest.raises(ConnectionError):
            await flood(line)
        assert not line.offer(b"x")
    finally:
        await environment.stop()


# --- nothing stays -------------------------------------------------------------------------------

FAMILY = """
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleeper = [sys.executable, "-c", "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"]
    children = [
        subprocess.Popen(sleeper),
        subprocess.Popen(sleeper, start_new_session=True),
        subprocess.Popen(sleeper, start_new_session=True, env={}),
    ]
    for message in messages():
        text(message, " ".join(str(each.pid) for each in [*children]) + " " + str(os.getpid()))
    time.sleep(600)
"""


async def family(session):
    called = await session.call("go", {}, 20)
    return [int(pid) for pid in body(called)["content"][0]["text"].split()]


async def test_it_dies_whole_with_children_that_left_its_group_and_all_that_ignore_term(servers):
    async with servers.session(FAMILY) as session:
        pids = await family(session)
        assert len(pids) == 4
        assert all(procs.look_up(pid) for pid in pids)
    assert [pid for pid in pids if procs.look_up(pid)] == []


async def test_it_dies_whole_where_the_work_is_cancelled(servers):
    seen = asyncio.Queue()

    async def work():
        async with servers.session(FAMILY) as session:
            seen.put_nowait(await family(session))
            await asyncio.sleep(600)

    working = asyncio.create_task(work())
    pids = await seen.get()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert [pid for pid in pids if procs.look_up(pid)] == []
    assert list((servers.workspace / "journal").iterdir()) == []


async def test_a_restart_keeps_the_folder_and_ends_what_ran_before(servers):
    counting = """
        with open("starts", "a") as opened: opened.write("x")
        for message in messages():
            text(message, open("starts").read() + " " + str(os.getpid()))
    """
    environment = await servers.target(counting).start()
    try:
        first = await asked(environment)
        await environment.restart()
        second = await asked(environment)
    finally:
        await environment.stop()
    assert [first.split()[0], second.split()[0]] == ["x", "xx"]
    assert procs.look_up(int(first.split()[1])) is None
    assert not Path(environment.workdir).exists()


async def asked(environment):
    session = Session(await environment.connect(), clock=SystemClock())
    await session.initialize(10)
    called = await session.call("go", {}, 10)
    await session.close()
    return body(called)["content"][0]["text"]


async def test_each_start_has_an_empty_folder_of_its_own_and_a_port_where_it_asks_for_one(servers):
    told = """
        for message in messages():
            text(message, json.dumps([os.getcwd(), os.listdir("."), sys.argv[1:], os.environ["AT"]]))
    """
    spec = servers.spec(told, env={"AT": "${workdir}/data:${port}"})
    spec = TargetSpec(
        name="tiny", command=(*spec.command, "--port", "${port}"), env=spec.env, start_timeout=10
    )
    target = ProcessTarget(spec, workspace=servers.workspace, clock=SystemClock())
    one, other = await target.start(), await target.start()
    try:
        here, there = json.loads(await asked(one)), json.loads(await asked(other))
    finally:
        await one.stop()
        await other.stop()
    assert here[0] == one.workdir != there[0]
    assert here[1] == []
    assert here[2][1].isdigit()
    assert here[3] == f"{one.workdir}/data:{here[2][1]}"


async def test_a_fresh_home_is_empty_and_ours_is_kept_where_nobody_asked(servers, tmp_path):
    told = 'for message in messages(): text(message, os.environ.get("HOME", ""))'
    environment = await servers.target(told, home="fresh").start()
    home = await asked(environment)
    await environment.stop()
    assert home not in {"", os.environ.get("HOME")}
    assert not Path(home).exists()
    environment = await servers.target(told).start()
    assert await asked(environment) == os.environ.get("HOME", "")
    await environment.stop()


async def test_a_command_that_resets_runs_before_each_start_and_its_failure_is_no_verdict(servers):
    (servers.folder / "left").write_text("by an earlier run")
    spec = servers.spec(
        "for message in messages(): pass", resettable="rm left", base=str(servers.folder)
    )
    target = ProcessTarget(spec, workspace=servers.workspace, clock=SystemClock())
    environment = await target.start()
    await environment.stop()
    assert not (servers.folder / "left").exists()
    with pytest.raises(InconclusiveError, match="resettable: 'rm left' failed, exit status 1"):
        await target.start()


async def test_what_is_to_be_done_before_a_first_start_is_done_once_and_kept_as_proof(servers):
    spec = servers.spec(
        "for message in messages(): pass",
        build="sh -c 'echo x >> built'",
        preflight=("echo 1.2.3",),
        base=str(servers.folder),
    )
    target = ProcessTarget(spec, workspace=servers.workspace, clock=SystemClock())
    for _ in range(2):
        environment = await target.start()
        await environment.stop()
    assert (servers.folder / "built").read_text() == "x\n"
    assert environment.build.preflight == {"echo 1.2.3": "1.2.3"}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("sh -c 'echo no compiler; exit 2'", "exit status 2"),
        ("no-such-compiler", "cannot be started"),
        ("sh -c 'unclosed", "cannot be started"),
    ],
)
async def test_a_build_command_that_fails_is_no_verdict(servers, command, said):
    target = servers.target("", build=command, base=str(servers.folder))
    with pytest.raises(InconclusiveError, match=said) as caught:
        await target.start()
    assert caught.value.rule == "target-not-starting"
    assert list(servers.folder.glob(".mcp-eval/journal/*")) == []


async def test_a_second_line_to_the_same_environment_is_a_new_process_in_the_same_folder(servers):
    told = 'for message in messages(): text(message, os.getcwd() + " " + str(os.getpid()))'
    environment = await servers.target(told).start()
    one, other = await asked(environment), await asked(environment)
    await environment.stop()
    assert one.split()[0] == other.split()[0]
    assert one.split()[1] != other.split()[1]


async def test_a_build_that_is_not_the_one_named_is_refused(servers):
    spec = servers.spec("for message in messages(): pass", sha256="0" * 64)
    target = ProcessTarget(spec, workspace=servers.workspace, clock=SystemClock())
    with pytest.raises(InconclusiveError) as caught:
        await target.start()
    assert caught.value.rule == "build-mismatch"
    digest = caught.value.hint.split()[3].rstrip(";")
    spec = servers.spec("for message in messages(): pass", sha256=digest)
    environment = await ProcessTarget(
        spec, workspace=servers.workspace, clock=SystemClock()
    ).start()
    assert environment.build.digest == f"sha256:{digest}"
    await environment.stop()


async def test_the_build_shows_its_command_without_its_secrets(servers):
    spec = servers.spec("for message in messages(): pass")
    spec = TargetSpec(name="t", command=(*spec.command, "--api-key", "k1a2b3c4d5e6f7"))
    environment = await ProcessTarget(
        spec, workspace=servers.workspace, clock=SystemClock()
    ).start()
    await environment.stop()
    assert environment.build.command[-2:] == ("--api-key", "${secret:API_KEY}")
    assert environment.build.command[0] == sys.executable
