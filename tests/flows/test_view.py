"""`view`: what lies in a working folder, for this machine's own browser and nobody else."""

import http.client
import re
import threading

import pytest

from mcp_eval.store import history
from mcp_eval.web.serve import port_of, server
from tests.flows.places import Place
from tests.unit.reports import samples

RENAMED = {"TINY_NAME": "getEnv"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    there = Place(tmp_path_factory.mktemp("view"))
    there.project()
    there.run("record")
    there.run("check")
    there.run("check", **RENAMED)
    return there.folder


@pytest.fixture
def view(folder, monkeypatch):
    monkeypatch.chdir(folder)
    made = server()
    serving = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
    serving.start()
    yield port_of(made)
    made.shutdown()
    made.server_close()
    serving.join()


def asked(port, path, method="GET", **headers):
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request(
            method, path, headers={name.replace("_", "-"): text for name, text in headers.items()}
        )
        answer = line.getresponse()
        return answer.status, answer.read().decode(), dict(answer.getheaders())
    finally:
        line.close()


def links(page):
    return re.findall(r'href="(/[^"#]*)', page)


def test_every_link_from_the_first_page_leads_somewhere(view):
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        status, page, headers = asked(view, path)
        assert status == 200, path
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        seen.add(path)
        waiting += [one for one in set(links(page)) - seen - set(waiting) if len(seen) < 60]
    assert {path.split("/")[1] for path in seen} == {"", "check", "baseline", "runs", "compare"}


def test_the_matrix_shows_each_check_of_each_scenario(view):
    _, page, _ = asked(view, "/")
    assert re.findall(r'class="cell is-(\w+)"', page) == ["broken", "good"]
    assert "Waiting for a person" in page


def test_any_two_runs_are_put_side_by_side(view):
    _, page, _ = asked(view, "/runs/search_tools")
    names = [
        path.rsplit("/", 1)[1] for path in links(page) if path.startswith("/runs/search_tools/")
    ]
    assert names[0] == "baseline"
    status, report, _ = asked(view, f"/compare/search_tools/baseline/{names[1]}")
    assert status == 200
    assert 'id="verdict"' in report


@pytest.mark.parametrize(
    "path",
    [
        "/nosuch",
        "/check",
        "/check/nosuch",
        "/check/..%2F..%2Freport",
        "/baseline/0/nosuch",
        "/baseline/7/search_tools",
        "/baseline/0/..%2F..%2Fmcp-eval",
        "/runs/..",
        "/runs/search_tools/..%2F001",
        "/compare/search_tools/baseline/%2Fetc%2Fpasswd",
        "/compare/search_tools/baseline",
        "//etc/passwd",
    ],
)
def test_a_name_in_an_address_is_looked_up_and_never_a_path(view, path):
    status, page, _ = asked(view, path)
    assert status == 404
    assert "root:x:" not in page


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
    ],
)
def test_who_comes_by_another_name_or_from_another_page_is_refused(view, headers, status):
    found, page, _ = asked(view, "/", **headers)
    assert found == status
    assert ("search_tools" in page) is (status == 200)


def test_its_own_names_and_origin_are_fine(view):
    for name in ("127.0.0.1", "localhost"):
        own = f"{name}:{view}"
        assert asked(view, "/", Host=own, Origin=f"http://{own}")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT"])
def test_nothing_can_be_done_but_look(view, method):
    assert asked(view, "/", method)[0] == 501


def test_a_head_has_no_body(view):
    status, body, headers = asked(view, "/", "HEAD")
    assert (status, body) == (200, "")
    assert int(headers["Content-Length"]) > 1000


@pytest.mark.parametrize("payload", samples.PAYLOADS)
def test_nothing_foreign_becomes_markup(payload, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hostile = samples.hostile(payload)
    history.remember(
        tmp_path,
        type(hostile)(
            **{name: getattr(hostile, name) for name in hostile.__struct_fields__}
            | {"comparison": None, "created_at": "2026-05-09"}
        ),
    )
    made = server()
    serving = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
    serving.start()
    try:
        status, page, _ = asked(port_of(made), "/")
    finally:
        made.shutdown()
        made.server_close()
        serving.join()
    assert status == 200
    assert not re.search(r"<(img|svg|textarea|iframe|a href=.?javascript)", page)
    assert page.count("<script") == 1


def test_only_the_last_checks_are_kept(tmp_path):
    report = samples.good(1)
    for day in range(10, 10 + history.MOST + 3):
        history.remember(tmp_path, type(report)(status="good", created_at=f"2026-05-{day}"))
    (tmp_path / ".mcp-eval/checks/99.json").write_text("{")
    kept = list(history.remembered(tmp_path))
    assert len(kept) == history.MOST
    assert kept[0] == f"202605{9 + history.MOST + 3}"
