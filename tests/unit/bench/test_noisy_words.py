"""The noisy agent's lexicon knows nothing of the scorers', nor they of it."""

import inspect
import re

from bench import noisy_words
from mcp_eval.compare import lexicon, thesaurus


def test_it_shares_no_word_with_the_scorers():
    theirs = re.findall(
        r"[a-z]+", (inspect.getsource(lexicon) + inspect.getsource(thesaurus)).lower()
    )
    said = (
        *noisy_words.OPENINGS,
        *noisy_words.CLOSINGS,
        *noisy_words.REWORDED,
        *noisy_words.REWORDED.values(),
    )
    mine = {word for text in said for word in re.findall(r"[a-z]+", text.lower())}
    assert len(mine) > 20
    assert mine & set(theirs) == set()
