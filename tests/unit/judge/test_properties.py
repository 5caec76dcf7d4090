"""What holds of every verdict, whatever was measured."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from mcp_eval.judge.catalogue import CATALOGUE
from mcp_eval.judge.scoring import BANDS, SEVERITY
from mcp_eval.judge.verdict import judge, suspects
from mcp_eval.model.comparison import Steadiness
from mcp_eval.model.policy import Expectation, Policy
from mcp_eval.model.verdict import Report
from mcp_eval.workflows.compare import rejudged
from tests.unit.judge.constructed import at_replay, comparison, hit, on_surface, story

OUTCOMES = sorted(rule.id for rule in CATALOGUE.rules if rule.kind == "outcome")
OFFERS = sorted(rule.id for rule in CATALOGUE.rules if rule.kind == "surface")
NOTES = ["improvement", "error-flagged", "hit-displaced", "score-moved", "count-followed",
         "item-added", "result-field-added"]  # fmt: skip
TOOLS = ("search", "list", "add")
STEMS = ("a", "b")
VALUES = st.one_of(st.none(), st.booleans(), st.integers(0, 9), st.sampled_from(["x", "open"]))


@st.composite
def looked(draw):
    """How often something was seen."""
    looks, old = draw(st.integers(1, 10)), draw(st.integers(0, 9))
    return Steadiness(
        baseline=draw(st.integers(0, 3)),
        seen=draw(st.integers(1, looks)),
        looks=looks,
        alike=draw(st.booleans()),
        old_seen=draw(st.integers(0, old)),
        old_looks=old,
    )


@st.composite
def answered_otherwise(draw, changes=tuple(OUTCOMES)):
    """A difference of an answer."""
    fact = at_replay(
        draw(st.sampled_from(changes)),
        tool=draw(st.sampled_from(TOOLS)),
        path=draw(st.sampled_from(["", "items", "items[].id", "meta"])),
        step=draw(st.integers(0, 3)),
        scenario=draw(st.sampled_from(STEMS)),
        before=draw(VALUES),
        after=draw(VALUES),
    )
    details = {
        name: value
        for name, value in {
            "needed_by": [3],
            "truncated": True,
            "lost": ["4711"],
            "wording": True,
            "answered": True,
        }.items()
        if draw(st.booleans())
    }
    return replace(fact, steadiness=draw(looked()), details=details)


@st.composite
def offered_otherwise(draw):
    """A difference of what is offered."""
    hits = draw(
        st.lists(
            st.builds(
                hit,
                st.sampled_from(["ok", "failed", "refused", "crashed", "not-replayed"]),
                reason=st.sampled_from(["", "is required"]),
                scenario=st.sampled_from(STEMS),
                step=st.integers(0, 3),
            ),
            max_size=3,
        )
    )
    return on_surface(
        draw(st.sampled_from(OFFERS)),
        tool=draw(st.sampled_from(TOOLS)),
        path=draw(st.sampled_from(["", "limit", "kind"])),
        hits=hits,
        before=100,
        after=draw(st.sampled_from([120, 400])),
        **draw(
            st.sampled_from(
                [{}, {"loosened": True}, {"promises": "less"}, {"halved": True}, {"unknown": True}]
            )
        ),
    )


def site(fact):
    return (fact.site.scenario, fact.site.step, fact.site.tool, fact.site.path)


def compared(answers, offers=(), similarity=0.5):
    """A comparison that holds each fact in its scenario."""
    scenarios = [
        story(
            *(one for one in answers if one.site.scenario == stem), stem=stem, similarity=similarity
        )
        for stem in STEMS
    ]
    return comparison(*scenarios, surface=offers)


answers = st.lists(answered_otherwise(), max_size=6, unique_by=site)
offers = st.lists(offered_otherwise(), max_size=3, unique_by=site)
likeness = st.floats(0.0, 1.0)


def severity(judged):
    return SEVERITY.index(judged.status)


def essence(judged):
    """A verdict without the numbers its findings happen to have."""
    by_id = {one.id: _mark(one) for one in judged.findings}
    roots = {frozenset(by_id[name] for name in root.findings) for root in judged.roots}
    return judged.status, judged.score, judged.lanes, set(by_id.values()), roots


def _mark(one):
    return one.rule, one.tool, one.path, one.status, one.marks, frozenset(one.scenarios)


@given(answers, offers, likeness)
def test_a_score_is_always_inside_the_band_of_its_status(facts, surface, similarity):
    judged = judge(compared(facts, surface, similarity))
    for one in (judged, *judged.scenarios):
        low, high = BANDS[one.status]
        assert low <= one.score <= (1.0 if one.score == 1.0 else high - 0.01)


@given(answers, offers, likeness)
def test_only_what_has_nothing_to_say_is_1(facts, surface, similarity):
    judged = judge(compared(facts, surface, similarity))
    assert (judged.score == 1.0) is (not judged.findings and not facts and not surface)


@given(answers, offers, answered_otherwise())
def test_one_more_difference_of_an_answer_never_improves_the_status(facts, surface, more):
    if site(more) in map(site, facts):
        return
    before, after = judge(compared(facts, surface)), judge(compared([*facts, more], surface))
    assert severity(after) <= severity(before)


@given(answers, offers, offered_otherwise())
def test_one_more_difference_of_the_surface_never_improves_the_status(facts, surface, more):
    if site(more) in map(site, surface):
        return
    before, after = judge(compared(facts, surface)), judge(compared(facts, [*surface, more]))
    assert severity(after) <= severity(before)


@given(answers, offers, answered_otherwise(tuple(NOTES)), likeness)
def test_a_note_never_lowers(facts, surface, note, similarity):
    if site(note) in map(site, facts):
        return
    before = judge(compared(facts, surface, similarity))
    after = judge(compared([*facts, note], surface, similarity))
    assert (after.status, after.lanes, after.passed) == (before.status, before.lanes, before.passed)
    # A scenario with nothing to say is 1, however alike it was said to be.
    first = all(one.site.scenario != note.site.scenario for one in facts)
    assert after.score == before.score or (first and 0.8 <= after.score < before.score)
    assert len(after.roots) == len(before.roots)


@given(answers, offers, st.randoms(use_true_random=False))
def test_the_order_of_differences_does_not_matter(facts, surface, chance):
    mixed, shuffled = list(facts), list(surface)
    chance.shuffle(mixed)
    chance.shuffle(shuffled)
    assert essence(judge(compared(facts, surface))) == essence(judge(compared(mixed, shuffled)))
    assert suspects(compared(facts, surface)) == suspects(compared(mixed, shuffled))


@given(answers, offers)
def test_the_status_is_that_of_the_worst_finding(facts, surface):
    judged = judge(compared(facts, surface))
    heavy = [one.status for one in judged.findings if one.status != "note"]
    worst = min(heavy, key=SEVERITY.index, default="good")
    assert judged.status == worst
    assert [root.status for root in judged.roots][:1] == ([worst] if heavy else [])


@given(answers, offers)
def test_every_finding_above_a_note_has_one_root_and_every_root_one_such_finding(facts, surface):
    judged = judge(compared(facts, surface))
    heavy = {one.id for one in judged.findings if one.status != "note"}
    named = [name for root in judged.roots for name in root.findings]
    assert len(named) == len(set(named))
    assert heavy <= set(named) <= {one.id for one in judged.findings}
    assert all(heavy & set(root.findings) for root in judged.roots)


@given(answers, offers)
def test_expecting_everything_that_was_found_leaves_nothing_to_lower(facts, surface):
    facts_ = compared(facts, surface)
    found = {f"{one.rule}@{one.tool}:{one.path}" for one in judge(facts_).findings}
    entries = tuple(Expectation(finding=name, reason="known") for name in sorted(found))
    judged = judge(facts_, Policy(expect=entries))
    assert judged.status == "good"
    assert judged.score >= 0.8


@given(answers, offers, st.floats(0.0, 1.0))
def test_a_higher_threshold_never_lets_more_pass(facts, surface, threshold):
    facts_ = compared(facts, surface)
    strict, plain = judge(facts_, Policy(threshold=threshold)), judge(facts_)
    assert (strict.status, strict.score) == (plain.status, plain.score)
    assert plain.passed or not strict.passed


@given(answers, offers)
def test_judging_again_what_was_stored_says_the_same(facts, surface):
    facts_ = compared(facts, surface)
    report = Report.of(judge(facts_), facts_)
    assert rejudged(report, Policy()) == report
