"""The agent `script`: walks written steps, or a recording, without any model."""

import asyncio
from collections.abc import Iterable, Sequence

from mcp_eval.agents.patience import Sleep
from mcp_eval.agents.recorded import RecordedWalk
from mcp_eval.agents.walk import Pace, Walk
from mcp_eval.agents.written import WrittenWalk, read_script
from mcp_eval.clock import SystemClock
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Message, Run, Trajectory, Trouble
from mcp_eval.ports import Clock, Environment
