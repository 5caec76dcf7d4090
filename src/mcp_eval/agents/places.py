"""What differs from one machine and start to the next: the working folder, and secrets.

`${workdir}` and `${secret:NAME}` stand in what is stored; the real ones only in what is sent.
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from mcp_eval.model.base import Json
from mcp_eval.model.trajectory import Invocation, Outcome, ServerRequest
from mcp_eval.tap.redact import resolve

WORKDIR = "${workdir}"
_FEWEST_PARTS = 2  # `/` or `/tmp` stand in too many answers to be somebody's folder


class Places:
    """Puts the real folder and the real secrets in, and takes the folder out again."""

    def __init__(self, workdir: str, environ: Mapping[str, str]) -> None:
        self._workdir = workdir
        self._environ = environ
        folders = {workdir, os.path.realpath(workdir)} if _is_somebodys(workdir) else set()
        self._folders = sorted(folders, key=len, reverse=True)

    def missing(self, value: Json) -> tuple[str, ...]:
        """The secrets in a value that the environment does not hold."""
        return resolve(value, self._environ)[1]

    def real(self, value: Json) -> Json:
        """The value as it is sent."""
        return resolve(_mapped(value, self.placed), self._environ)[0]

    def stored(self, invocation: Invocation) -> Invocation:
        """The invocation with `${workdir}` where the folder stood."""
        if not self._folders:
            return invocation
        return replace(
            invocation,
            name=self._take_out(invocation.name),
            arguments=_mapped(invocation.arguments, self._take_out),
            outcome=self._outcome(invocation.outcome),
            nested=tuple(map(self._nested, invocation.nested)),
        )

    def placed(self, text: str) -> str:
        """Words with the real folder in them; secrets stay ours."""
        return text.replace(WORKDIR, self._workdir or WORKDIR)

    def text(self, text: str) -> str:
        """Words with `${workdir}` where the folder stood."""
        return self._take_out(text)

    def _take_out(self, text: str) -> str:
        for folder in self._folders:
            text = re.sub(rf"{re.escape(folder)}(?![\w-])", lambda _: WORKDIR, text)
        return text

    def _outcome(self, outcome: Outcome) -> Outcome:
        body = bytes(outcome.body)
        for folder in self._folders:
            for written in {json.dumps(folder)[1:-1], json.dumps(folder, ensure_ascii=False)[1:-1]}:
                pattern = re.escape(written.encode()) + rb"(?![\w-])"
                body = re.sub(pattern, WORKDIR.encode(), body)
        raw = outcome.body if body == bytes(outcome.body) else msgspec.Raw(body)
        return replace(outcome, body=raw, detail=self._take_out(outcome.detail))

    def _nested(self, asked: ServerRequest) -> ServerRequest:
        return replace(
            asked,
            params=_mapped(asked.params, self._take_out),
            answer=_mapped(asked.answer, self._take_out),
        )


def _is_somebodys(folder: str) -> bool:
    parts = [part for part in re.split(r"[/\\]", folder) if part]
    return Path(folder).is_absolute() and len(parts) >= _FEWEST_PARTS


def _mapped(value: Json, change: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    if isinstance(value, dict):
        return {name: _mapped(member, change) for name, member in value.items()}
    return value
