"""How a build answers: time, size, what it asks of the client, what a model's runs cost."""

from msgspec.structs import replace

from mcp_eval.compare.conduct import conduct, run_costs
from mcp_eval.model.comparison import Site, Steadiness
from mcp_eval.model.trajectory import Invocation, Outcome, Run, ServerRequest, Trajectory, Usage
from tests.unit.compare.spoken import rpc_error, step, text
from tests.unit.compare.told import recorded, run

SITE = Site(tool="look", scenario="s", step=0)
LATE = Outcome(kind="not-reached")


def made(latency=5.0, size=40, *, polls=1, outcome=None, asked=()):
    nested = tuple(ServerRequest(method=method) for method in asked)
    said = text("said") if outcome is None else outcome
    return Invocation(
        name="look", outcome=said, latency_ms=latency, size=size, polls=polls, nested=nested
    )


def seen(known, *looks, old=()):
    return list(conduct(known, looks, old, SITE))


def known(**facts):
    return step("said", **{"latencies_ms": (5.0, 6.0), "sizes": (40, 44), **facts})


def changes(*looks, old=(), **facts):
    return [one.change for one in seen(known(**facts), *looks, old=old)]


# --- time ---


def test_slower_is_every_new_look_above_every_old_one():
    (one,) = seen(known(), made(6.16), made(9.0), old=[made(4.04)])
    assert (one.change, one.site, one.lane) == ("slower", SITE, "replay")
    assert (one.before, one.after) == ([5.0, 6.0, 4.0], [6.2, 9.0])
    assert changes(made(6.0), made(9.0)) == []
    assert changes(made(5.5), made(9.0)) == []
    assert changes(made(9.0), old=[made(9.0)]) == []


def test_the_time_of_a_poll_is_that_of_its_state():
    assert changes(made(9.0), polls=2) == []
    assert changes(made(9.0), made(9.0, polls=2)) == []
    assert changes(made(9.0), latencies_ms=()) == []
    assert changes(made(9.0)) == ["slower"]


def test_a_step_that_was_not_reached_or_failed_has_no_time():
    assert changes(made(9.0, outcome=LATE)) == []
    assert changes(made(9.0), made(0.0, outcome=LATE)) == ["slower"]
    assert changes(made(9.0), made(9.0, outcome=rpc_error(-1, "no"))) == []


# --- size ---


def test_costlier_is_the_middle_of_the_sizes_in_tokens():
    (one,) = seen(known(), made(size=48), made(size=90), made(size=40))
    assert (one.change, one.site, one.lane) == ("costlier", SITE, "replay")
    assert (one.before, one.after, one.details) == (10, 12, {"unit": "tokens"})
    assert changes(made(size=43)) == []
    assert changes(made(size=20)) == []
    assert changes(made(size=400), sizes=()) == []


# --- questions ---


def test_a_request_that_no_look_knew_is_told_with_how_often_it_came():
    looks = [made(asked=["roots/list", "sampling/createMessage"]), made(asked=["roots/list"])]
    nested = (ServerRequest(method="roots/list"),)
    (one,) = seen(known(nested=nested), *looks)
    assert (one.change, one.after, one.lane) == (
        "server-request-new",
        "sampling/createMessage",
        "replay",
    )
    assert (one.before, one.site) == (None, SITE)
    assert one.steadiness == Steadiness(baseline=2, seen=1, looks=2)
    assert one.details == {"answered": True}


def test_a_request_whose_lack_of_an_answer_fails_the_call_says_so():
    (one,) = seen(known(), made(asked=["elicitation/create"], outcome=rpc_error(-1, "no answer")))
    assert one.details == {"answered": False}


def test_a_call_that_failed_before_and_fails_now_was_answered_as_ever():
    before = step(rpc_error(-1, "no"), classes={"failed": 2})
    asked = made(asked=["elicitation/create"], outcome=rpc_error(-1, "no"))
    assert [one.details for one in conduct(before, [asked], (), SITE)] == [{"answered": True}]


# --- a model's runs ---


def spent(*usages):
    return [Run(scenario="s", trajectory=Trajectory(usage=usage)) for usage in usages]


def costs(before, after):
    recording = replace(recorded(run(("look_at", {}, "said"))), usages=tuple(before))
    return [
        (one.change, one.lane, one.site.path, one.site.scenario, one.before, one.after, one.details)
        for one in run_costs(recording, spent(*after))
    ]


def test_runs_that_cost_more_tokens_or_money_say_both():
    before = [Usage(input_tokens=10, output_tokens=5, cost_usd=0.5)]
    after = [Usage(input_tokens=20, output_tokens=5, cost_usd=0.75)]
    assert costs(before, after) == [
        ("costlier", "agent", "run", "s", 15.0, 25.0, {"unit": "tokens"}),
        ("costlier", "agent", "run", "s", 0.5, 0.75, {"unit": "usd"}),
    ]


def test_runs_that_cost_no_more_or_nobody_knows_say_nothing():
    ten, twenty = Usage(input_tokens=10), Usage(input_tokens=20)
    assert costs([ten], [ten]) == []
    assert costs([twenty], [ten]) == []
    assert costs([Usage()], [ten]) == []
    assert costs([ten], [Usage()]) == []
    assert costs([ten], [Usage(output_tokens=12, cost_usd=3.0)])[0][6] == {"unit": "tokens"}
    assert len(costs([ten], [Usage(output_tokens=12, cost_usd=3.0)])) == 1
