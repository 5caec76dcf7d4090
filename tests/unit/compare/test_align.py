"""Alignment: calls find their counterpart by tool key and arguments, whatever their order."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.align import align
from mcp_eval.compare.arguments import compare_arguments
from mcp_eval.model.comparison import Call


def call(tool, arguments=None, **more):
    return {"tool": tool, "name": tool, "arguments": arguments or {}, **more}


def calls(*told):
    made = [call(one) if isinstance(one, str) else one for one in told]
    return [Call(step=step, **one) for step, one in enumerate(made)]


def shown(pairs):
    """Pairs as `baseline step:candidate step`, `-` for an absent side, `!` for a move."""
    return " ".join(
        f"{'-' if pair.baseline is None else pair.baseline.step}:"
        f"{'-' if pair.candidate is None else pair.candidate.step}{'!' * pair.moved}"
        for pair in pairs
    )


def aligned(olds, news):
    return shown(align(calls(*olds), calls(*news)))


CALLS = st.lists(
    st.builds(
        call,
        st.sampled_from(["search", "list", "add"]),
        st.dictionaries(
            st.sampled_from(["query", "name"]),
            st.sampled_from(["env vars", "environment variables", "docker", "github"]),
        ),
        effect=st.booleans(),
    ),
    max_size=7,
)


# --- laws ---


@given(CALLS, CALLS)
def test_every_call_stands_in_exactly_one_pair(olds, news):
    pairs = align(calls(*olds), calls(*news))
    mine = [pair.baseline.step for pair in pairs if pair.baseline]
    its = sorted(pair.candidate.step for pair in pairs if pair.candidate)
    assert mine == list(range(len(olds)))
    assert its == list(range(len(news)))
    assert all(pair.baseline or pair.candidate for pair in pairs)


@given(CALLS, CALLS)
def test_only_calls_of_one_tool_are_paired_and_none_of_them_is_left(olds, news):
    pairs = align(calls(*olds), calls(*news))
    both = [pair for pair in pairs if pair.baseline and pair.candidate]
    assert all(pair.baseline.tool == pair.candidate.tool for pair in both)
    for tool in ("search", "list", "add"):
        mine, its = ([one["tool"] for one in side].count(tool) for side in (olds, news))
        assert sum(pair.baseline.tool == tool for pair in both) == min(mine, its)


@given(CALLS)
def test_a_trajectory_is_wholly_like_itself(made):
    pairs = align(calls(*made), calls(*made))
    assert shown(pairs) == " ".join(f"{step}:{step}" for step in range(len(made)))
    assert all(pair.similarity == 1.0 for pair in pairs)


@given(CALLS, st.randoms(use_true_random=False))
def test_shuffled_calls_all_find_their_counterpart(made, random):
    news = list(made)
    random.shuffle(news)
    pairs = align(calls(*made), calls(*news))
    assert all(pair.baseline and pair.candidate for pair in pairs)
    assert all(pair.baseline.arguments == pair.candidate.arguments for pair in pairs)


@given(CALLS, CALLS)
def test_no_order_of_the_candidate_changes_how_alike_it_is(olds, news):
    there = sum(pair.arguments.similarity for pair in align(calls(*olds), calls(*news)))
    back = sum(pair.arguments.similarity for pair in align(calls(*olds), calls(*news[::-1])))
    assert there == pytest.approx(back, abs=0.02)


def test_the_pairing_is_the_best_of_all():
    asked = ["open the blue door", "book a table", "weather in Paris", "delete old logs"]
    answered = ["Paris weather", "remove old logs", "reserve a table", "open a red door"]
    olds = calls(*(call("ask", {"query": words}) for words in asked))
    news = calls(*(call("ask", {"query": words}) for words in answered))
    pairs = align(olds, news)
    found = sum(pair.arguments.similarity for pair in pairs)
    best = max(
        sum(
            compare_arguments(old.arguments, new.arguments).similarity
            for old, new in zip(olds, order, strict=True)
        )
        for order in permutations(news)
    )
    assert found == pytest.approx(best)
    assert shown(pairs) == "0:3 1:2 2:0 3:1"


# --- who stands for whom ---


def test_arguments_decide_between_calls_of_one_tool():
    olds = [call("search", {"query": "env vars"}), call("search", {"query": "docker compose"})]
    news = [
        call("search", {"query": "docker-compose"}),
        call("search", {"query": "environment variables"}),
    ]
    assert aligned(olds, news) == "0:1 1:0"


def test_the_opposite_is_not_taken_for_the_same_in_other_words():
    olds = [
        call("run", {"task": "enable the proxy in production"}),
        call("run", {"task": "disable the proxy in production"}),
    ]
    news = [
        call("run", {"task": "turn off the proxy in production"}),
        call("run", {"task": "enable the proxy in prod"}),
    ]
    assert aligned(olds, news) == "0:1 1:0"


def test_equal_calls_pair_in_their_order():
    same = call("list")
    assert aligned([same, same, same], [same, same]) == "0:0 1:1 2:-"
    assert aligned([same, same], [same, same, same]) == "0:0 1:1 -:2"


def test_among_equally_good_pairings_the_order_is_kept():
    olds = [call("search", {"query": "a"}), call("search", {"query": "b"})]
    news = [call("search", {"query": "x"}), call("search", {"query": "y"})]
    assert aligned(olds, news) == "0:0 1:1"


def test_another_operation_of_a_tool_is_another_tool():
    olds = calls(call("servers[add]", {"name": "a"}))
    news = calls(call("servers[remove]", {"name": "a"}))
    assert shown(align(olds, news)) == "0:- -:0"


def test_true_is_not_one():
    (pair,) = align(calls(call("set", {"on": True})), calls(call("set", {"on": 1})))
    assert pair.arguments.similarity == 0.0


def test_a_pair_tells_how_its_arguments_compare():
    (pair,) = align(calls(call("s", {"limit": 10})), calls(call("s", {"limit": "10"})))
    assert [(one.name, one.kind, one.similarity) for one in pair.arguments.arguments] == [
        ("limit", "number", 0.9)
    ]
    assert pair.similarity == 0.9


# --- calls without a counterpart ---


@pytest.mark.parametrize(
    ("olds", "news", "expected"),
    [
        ("ab", "ab", "0:0 1:1"),
        ("ab", "xab", "-:0 0:1 1:2"),
        ("ab", "axb", "0:0 -:1 1:2"),
        ("ab", "abx", "0:0 1:1 -:2"),
        ("ab", "xyab", "-:0 -:1 0:2 1:3"),
        ("ab", "b", "0:- 1:0"),
        ("ab", "", "0:- 1:-"),
        ("ab", "xy", "0:- 1:- -:0 -:1"),
        ("", "ab", "-:0 -:1"),
        ("", "", ""),
        ("abc", "axc", "0:0 1:- -:1 2:2"),
        ("ab", "bxa", "0:2 1:0 -:1"),
    ],
)
def test_extra_and_missing_calls_stand_where_they_stood(olds, news, expected):
    assert aligned(list(olds), list(news)) == expected


# --- what moved ---


def test_independent_calls_may_change_places():
    olds = [call("time", {"zone": "Europe/Paris"}), call("time", {"zone": "Asia/Tokyo"})]
    assert aligned(olds, olds[::-1]) == "0:1 1:0"
    assert aligned(["ping", "list", "help"], ["help", "ping", "list"]) == "0:1 1:2 2:0"


def test_two_effects_on_different_things_may_change_places():
    olds = [
        call("add", {"name": "github", "protocol": "stdio"}, effect=True),
        call("add", {"name": "gitlab", "protocol": "stdio"}, effect=True),
    ]
    assert aligned(olds, olds[::-1]) == "0:1 1:0"


def test_two_effects_on_one_thing_have_moved():
    olds = [
        call("enable", {"server": "github"}, effect=True),
        call("restart", {"server": "github"}, effect=True),
    ]
    assert shown(align(calls(*olds), calls(*olds[::-1]))).count("!") == 1


def test_a_read_that_passed_a_write_of_the_same_thing_has_moved():
    olds = [
        call("write_file", {"path": "/a.txt", "content": "new words"}, effect=True),
        call("read_file", {"path": "/a.txt"}),
    ]
    assert shown(align(calls(*olds), calls(*olds[::-1]))).count("!") == 1
    reads = [{**one, "effect": False} for one in olds]
    assert "!" not in shown(align(calls(*reads), calls(*reads[::-1])))


def test_a_call_that_passed_the_one_whose_answer_it_needs_has_moved():
    olds = [
        call("search", {"query": "issues"}, outcome='{"id": "issue-77"}'),
        call("comment", {"issue": "issue-77"}),
        call("ping"),
    ]
    news = [olds[2], olds[1], olds[0]]
    assert shown(align(calls(*olds), calls(*news))).count("!") >= 1
    free = [{**one, "outcome": ""} for one in olds]
    assert "!" not in shown(align(calls(*free), calls(*reversed(free))))


def test_what_was_asked_with_is_not_what_was_answered():
    olds = [
        call("get", {"name": "github"}, outcome="github is up"),
        call("stats", {"server": "github"}),
    ]
    assert aligned(olds, olds[::-1]) == "0:1 1:0"


def test_a_call_that_waits_for_another_has_moved_when_it_comes_first():
    olds = [call("create"), call("use", waits_for=0)]
    assert shown(align(calls(*olds), calls(*olds[::-1]))).count("!") == 1


def test_a_call_far_behind_moves_alone():
    olds = [
        call("add", {"name": "github"}, effect=True),
        *(call(f"look{n}", {"server": "github"}) for n in range(4)),
    ]
    news = [*olds[1:], olds[0]]
    assert aligned(olds, news) == "0:4! 1:0 2:1 3:2 4:3"


# --- many calls ---


def queries(words, count):
    return [
        call("search", {"query": f"{words} number {n} of it", "limit": 10}) for n in range(count)
    ]


def test_many_calls_of_one_tool_find_each_other_in_other_words():
    pairs = align(calls(*queries("environment variables", 200)), calls(*queries("env vars", 200)))
    assert all(pair.baseline.step == pair.candidate.step for pair in pairs)
    assert all(pair.arguments.similarity >= 0.9 for pair in pairs)


def test_many_calls_are_found_by_their_rare_words_far_from_their_place():
    olds = [call("read", {"path": f"/srv/file{n}.txt", "mode": "text"}) for n in range(60)]
    news = [call("read", {"path": f"/srv/file{n}.txt", "mode": "raw"}) for n in reversed(range(60))]
    pairs = align(calls(*olds), calls(*news))
    assert all(pair.candidate.step == 59 - pair.baseline.step for pair in pairs)


def test_many_calls_without_anything_in_common_are_still_paired():
    olds = [call("a", {"id": f"old{n}"}) for n in range(40)]
    news = [call("a", {"id": f"new{n}"}) for n in range(30)]
    pairs = align(calls(*olds), calls(*news))
    assert sum(pair.candidate is not None for pair in pairs) == 30
    assert len(pairs) == 40
