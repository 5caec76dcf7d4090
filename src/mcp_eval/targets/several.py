"""Several servers at once, as a plain `mcpServers` file names them: one target, a line to all."""

import asyncio
from collections.abc import Sequence

from mcp_eval.model.provenance import Build
from mcp_eval.ports import Channel, Environment, Target
from mcp_eval.tap.merged import Merged


class SeveralTarget:
    """A Target of targets; what holds of all of them holds of it."""

    def __init__(self, name: str, targets: Sequence[Target]) -> None:
        self._targets = targets
        self.name = name
        said = [each.resettable for each in targets]
        self.resettable = False if False in said else None if None in said else True
        self.serial = any(each.serial for each in targets)

    async def start(self) -> Environment:
        """All of them started; where one does not come up, none stays."""
        started: list[Environment] = []
        try:
            for target in self._targets:
                started.append(await target.start())  # noqa: PERF401 - what was started must be stopped
        except BaseException:
            await _stopped(started)
            raise
        return SeveralEnvironment(self.name, [each.name for each in self._targets], started)


class SeveralEnvironment:
    """One started instance of each."""

    def __init__(
        self, name: str, names: Sequence[str], environments: Sequence[Environment]
    ) -> None:
        self._names = names
        self._environments = environments
        # `${workdir}` is one folder: the first server's.
        self.workdir = environments[0].workdir
        self.fresh = all(each.fresh for each in environments)
        self.build = _together(name, [each.build for each in environments])

    async def connect(self) -> Channel:
        """A line to all of them."""
        channels: dict[str, Channel] = {}
        try:
            for name, environment in zip(self._names, self._environments, strict=True):
                channels[name] = await environment.connect()
        except BaseException:
            for channel in channels.values():
                await channel.close()
            raise
        return Merged(channels)

    async def post_mortem(self) -> str:
        """Of those that ended, how."""
        said = [
            (name, await environment.post_mortem())
            for name, environment in zip(self._names, self._environments, strict=True)
        ]
        return "\n".join(f"{name}: {text}" for name, text in said if text)

    async def restart(self) -> None:
        """All of them again."""
        for environment in self._environments:
            await environment.restart()

    async def stop(self) -> None:
        """End all of them."""
        await _stopped(self._environments)


async def _stopped(environments: Sequence[Environment]) -> None:
    await asyncio.gather(*(each.stop() for each in environments))


def _together(name: str, builds: Sequence[Build]) -> Build:
    """Which builds they are: each digest and version under its own name."""
    versions = {
        f"{build.target}: {package}": version
        for build in builds
        for package, version in build.dependencies.items()
    }
    digests = {f"{build.target}: program": build.digest for build in builds if build.digest}
    said = {f"{b.target}: {line}": text for b in builds for line, text in b.preflight.items()}
    return Build(target=name, dependencies=versions | digests, preflight=said)
