import click
import pytest
from click.testing import CliRunner

from mcp_eval.cli import options
from mcp_eval.cli.options import Judging
from mcp_eval.errors import UsageError
from mcp_eval.formats.envelope import encode
from mcp_eval.model.policy import Policy


def test_groups_of_options_arrive_as_their_nouns():
    seen = {}

    @click.command()
    @options.taking("choice", "judging", "voice")
    @click.option("--own")
    def command(**given):
        seen.update(given)

    words = ["a.yaml", "-t", "x", "-t", "y", "--threshold", "0.5", "-v", "--own", "z"]
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 0, result.output
    assert set(seen) == {"choice", "judging", "voice", "own"}
    assert seen["choice"].tags == ("x", "y")
    assert seen["judging"].threshold == 0.5
    assert seen["voice"].verbose == 1


def test_what_the_command_line_does_not_say_stays_the_projects():
    base = Policy(scorer="formula", threshold=0.4, fail_on="broken")
    assert Judging().over(base) == base
    said = Judging(threshold=0.9, policy_name="seed").over(base)
    assert (said.threshold, said.scorer, said.name) == (0.9, "formula", "seed")


def test_a_policy_may_be_a_document(tmp_path):
    path = tmp_path / "strict.json"
    path.write_bytes(encode("policy", Policy(name="strict", fail_on="acceptable")))
    assert Judging(policy_name=str(path)).over(Policy()).fail_on == "acceptable"


def test_an_unknown_policy_says_which_there_are():
    with pytest.raises(UsageError, match="no policy 'lenient'"):
        Judging(policy_name="lenient").over(Policy())


@pytest.mark.parametrize(
    "words", [["--threshold", "2"], ["--scorer", "best"], ["--fail-on", "good"]]
)
def test_a_choice_that_does_not_exist_is_refused(words):
    command = click.command()(options.taking("judging")(lambda judging: None))
    assert CliRunner().invoke(command, words).exit_code == 2
