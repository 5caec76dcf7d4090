"""Every word list behind a judgement about names and texts, in one place."""

import re
from functools import lru_cache

from mcp_eval.compare.paths import leaf


@lru_cache(maxsize=16384)
def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of an identifier: `serverId`, `server_id` and `server-id` alike."""
    return tuple(part.lower() for part in _WORD.findall(name))


_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def named(path: str, vocabulary: frozenset[str]) -> bool:
    """Whether the last name on a path ends in, or is, one of these words."""
    last, whole = _ending(path)
    return last in vocabulary or whole in vocabulary


@lru_cache(maxsize=16384)
def _ending(path: str) -> tuple[str, str]:
    """The last word of the last name on a path, and that name with its words joined."""
    parts = words_of(leaf(path))
    return (parts[-1], "_".join(parts)) if parts else ("", "")


SCORES = frozenset(
    "score scores rank ranking relevance similarity distance confidence weight".split()
)
COUNTS = frozenset(
    "count counts total totals size length num number_of n len results_count hits matches found"
    " returned remaining pages items_count total_count pool_size".split()
)
STATUSES = frozenset(
    "status state phase progress ready done pending percent percentage stage completed complete"
    " finished running loading health healthy connected indexed".split()
)
MESSAGES = frozenset(
    "message msg description text note notes summary detail details hint reason explanation"
    " comment body info content title instructions warning output stdout stderr log logs"
    " help recommendation suggestion usage_instructions reply answer greeting".split()
)
ERRORS = frozenset("error errors exception failure err error_message errormessage".split())
FLAGS = frozenset("success ok okay is_error iserror error_flag".split())
# Under these names one word says how it went.
VERDICTS = frozenset("status type result outcome state level kind".split())
FAILED = ERRORS | frozenset("failed fatal".split())
WRAPPERS = frozenset("result response output data content text".split())
IDS = frozenset(
    "id ids uuid guid key cursor token handle ref sha hash oid number index slug code uri url"
    " path name session page_token next_cursor".split()
)
IDENTITIES = (
    "id uuid key name slug uri url path full_name qualified_name tool tool_name server server_name"
    " title number code sha symbol label email username login"
).split()
DURATIONS = frozenset(
    "ms millis milliseconds us micros microseconds ns nanos nanoseconds duration elapsed took"
    " latency uptime runtime elapsed_time execution_time response_time processing_time".split()
)
TRACES = frozenset(
    "request_id trace_id traceid span_id correlation_id transaction_id session_id sessionid nonce"
    " etag x_request_id invocation_id execution_id pid process_id port run_id".split()
)
HASHES = frozenset("sha hash commit digest checksum oid revision rev etag md5 sha1 sha256".split())
TIMES = frozenset(
    "time timestamp ts created updated modified accessed at date datetime now mtime ctime atime"
    " birthtime created_at updated_at started_at finished_at last_seen expires".split()
)
GUARDS = frozenset(
    "quarantined quarantine approval approval_required requires_approval pending_approval blocked"
    " needs_confirmation confirmation_required requires_confirmation review_required".split()
)
GUARDED = frozenset(
    "quarantined blocked pending_approval approval_required awaiting_approval needs_approval"
    " denied refused forbidden".split()
)
# Where an answer says why it is none.
SAID = frozenset("message msg error reason detail details errors error_message explanation".split())
# Told about the answer, beside it: never the answer itself.
NOTICES = frozenset(
    "message msg note hint reason explanation warning help recommendation suggestion"
    " usage_instructions instructions detail details info summary query search".split()
)
# Beside an error: what to do about it, not what was asked for.
HINTS = frozenset(
    "hint hints suggestion suggestions available available_tools available_servers allowed"
    " options details detail data context help usage arguments args params request".split()
)
ERROR_CODE = re.compile(
    r"(?:error|code|status)[\s:=#(]*(-?\d{3,6})\b|\b(E[A-Z]{4,})\b|\"code\":\s*\"?(-?\w+)"
)
LIMITS = frozenset("limit top_k k max_results max page_size per_page count n size first".split())

# Said of a request that was no good: a schema refuses, no policy does.
_SCHEMA_SAYS = r"(?<!properties are )(?<!inputs are )(?<!fields )(?<!fields are )"
_REFUSALS = (
    r"permission denied",
    r"access (?:to .{0,80} )?(?:is |was )?denied",
    r"access (?:is )?(?:forbidden|not allowed)",
    r"forbidden",
    rf"{_SCHEMA_SAYS}not (?:allowed|permitted|authori[sz]ed)",
    r"unauthori[sz]ed",
    r"operation (?:is )?(?:blocked|refused|denied)",
    r"(?:is|are|was|were|been|has been) (?:currently )?(?:blocked|refused|denied|quarantined|in quarantine|rejected by policy)",
    r"security block",
    r"blocked by",
    r"(?:requires?|needs?|awaiting|pending) (?:\w+ )?(?:approval|confirmation|consent)",
    r"approval (?:is )?required",
    r"outside (?:of )?(?:the )?(?:allowed|permitted)",
    r"path traversal",
    r"refus(?:ed|es|ing) to",
    r"read[- ]only mode",
    r"policy (?:violation|forbids|prohibits)",
    r"(?:http|status|error|code)\W{0,3}40[13]\b",
)
# Anywhere in what is known to be an error.
REFUSAL = re.compile("|".join(_REFUSALS), re.IGNORECASE)
# In an ordinary text: a refusal comes first and is the point; a document merely mentions one.
REFUSED = re.compile(
    r"^\W*(?:(?:mcp |tool |api )?error\W{1,3}|sorry\W{1,3})?(?:"
    r"(?:permission|access (?:to \S+ )?(?:is |was )?)\s?denied(?![\"'’]|s?[ -](?:errors?|messages?|logs?|pages?|requests?|is|means|when)\b)"
    r"|access (?:to \S+ )?(?:is |was )?(?:forbidden|not allowed)"
    r"|(?:forbidden|unauthori[sz]ed)(?=\W*$|\s*[:.,;(–-]|\s+(?:access|request|by|to)\b)"
    rf"|{_SCHEMA_SAYS}not (?:allowed|permitted|authori[sz]ed)\b"
    r"|(?:operation|request|action|(?:tool )?call) (?:is |was |has been )?(?:not permitted|blocked|refused|denied|rejected)\b"
    r"|security block\b|blocked by\b|refus(?:ed|ing) to\b|path traversal\b|policy (?:violation|forbids|prohibits)"
    r"|(?:\w+ )?(?:approval|confirmation|consent) (?:is )?required\b"
    r"|[^\n]{0,100}?\b(?:is|are|was|were|has been|have been) (?:currently )?"
    rf"(?:blocked|refused|denied|quarantined|in quarantine|(?:{_SCHEMA_SAYS}not (?:allowed|permitted|authori[sz]ed))|rejected by policy)\b"
    r"|[^\n]{0,100}?\b(?:requires|needs|awaiting|pending) (?:\w+ )?(?:approval|confirmation|consent)\b"
    r"|[^\n]{0,100}?\boutside (?:of )?(?:the )?(?:allowed|permitted)\b"
    r")",
    re.IGNORECASE,
)
# A guard that a text mentions beside what it carries.
GUARD_SAID = re.compile(
    r"quarantin\w+|(?:requires?|needs?|awaiting|pending) (?:\w+ )?(?:approval|confirmation|review)"
    r"|approval (?:is )?required",
    re.IGNORECASE,
)

_EMPTY_SUBJECT = r"[\w\s,'\"`/:.*@#()\[\]{}<>+=&%$!?-]{0,80}?"
EMPTY = re.compile(
    r"^\W*(?:"
    r"(?:found |there (?:are|is|were|was) )?(?:no|0|zero) (?!such\b)(?:\w+[ -]){0,4}?(?:results?|match(?:es)?|items?|entries|records?|rows?|data|files?|tools?|"
    r"servers?|nodes?|hits?|documents?|entities|output|content|changes?|logs?|messages?|issues?|"
    r"commits?|branches|prompts?|resources?|registries)\b"
    rf"{_EMPTY_SUBJECT}(?:found|available|returned|exists?|matched|to (?:show|display|commit))?"
    r"|nothing (?:found|to (?:show|display|report)|matched|here)"
    r"|(?:empty|none|null|n/a)"
    r"|the (?:list|result|directory|folder|graph|table) is empty"
    r")\W*$",
    re.IGNORECASE,
)

_COUNTED_NONE = r"(?!\W*(?:errors?|fail\w*|exceptions?)\W{1,3}(?:0|none|null|no|false)\b)"
_DOING = r"(?!(?:handling|reporting|logging|tracking|correcting|checking|monitoring)\b)\w+ing\b"
# How a text begins that says nothing but that something went wrong.
ERROR_LEAD = re.compile(
    rf"^{_COUNTED_NONE}\W*(?:"
    r"(?:(?:an?|the|this|unexpected|internal|fatal|mcp|tool|validation|invalid|unknown|api|http"
    r"|request|execution|runtime|server|connection|network|parse|parsing|type|value|key|syntax) |\w+\.)*"
    r"(?:error|exception|failure)(?=\W*$|\s*[:!(\[#=]|\s+[-–—]|\s+(?:code\W*)?-?\d"
    rf"|\s+(?:an?|the|while|when|during|in|from|at|occurred|with|of|type|to|was)\b|\s+['\"`]|\s+{_DOING})"
    r"|traceback \(most recent|traceback:"
    r"|(?:\w+ ){0,3}?failed (?:to|with|because|:)"
    r"|failed:"
    r"|(?:i |we )?could ?n[o']t\b|cannot\b|unable to\b|can't\b"
    r"|\w*(?:error|exception):"
    r"|unknown (?:tool|method|prompt|resource|operation|parameter|argument)\b"
    r"|(?:invalid|missing|unexpected|unsupported) (?:\w+ )?(?:arguments?|parameters?|params?|input|request|value"
    r"|required|type|tool|operation|field|key)\b"
    r"|(?:invalid|missing|unexpected|unsupported) (?:[\w-]+ ){0,2}[\w-]+(?=\W*$|: )"
    r"|input validation error|connection (?:refused|failed|reset|closed|timed out)"
    r"|time ?out(?=\W*$|:|\s+(?:error|after|while|exceeded|waiting|reached|of)\b)"
    r"|enoent\b|eacces\b|econnrefused\b|bad request\b|internal server error"
    r"|http (?:error )?[45]\d\d\b|[45]\d\d (?:client|server) error"
    r"|[45]\d\d (?:bad request|unauthorized|forbidden|not found|conflict|too many requests|internal server error"
    r"|bad gateway|service unavailable|gateway timeout)"
    r"|rate[ -]limit(?:ed|s)?(?: was| is)?(?: exceeded| reached)?\b|too many requests\b|quota exceeded"
    r")",
    re.IGNORECASE,
)
# A short sentence that says so at its end: `Branch x does not exist`.
ERROR_SENTENCE = re.compile(
    r"^(?!\W*(?:no|nothing|0|zero)\b)[^\n]{0,160}?\b(?:not found|does ?n[o']t exist|timed out|no such \w+)\b"
    r"(?:\W*$|[:,.(][^\n]{0,160}$| (?:in|at|for|on|with|after|while|within|when)\b[^\n]{0,160}$)"
    r"|^\W*no such \w+",
    re.IGNORECASE,
)
NETWORK = re.compile(
    r"connection (?:refused|reset|timed out|error|failed|aborted)|econn\w+|enotfound|etimedout|getaddrinfo"
    r"|name (?:or service not known|resolution)|network (?:is )?(?:unreachable|error)|fetch failed"
    r"|could not connect|failed to connect|connection error|dns|socket hang up"
    r"|unauthori[sz]ed|invalid (?:api[ _-]?key|token|credentials)|authentication (?:failed|required|error)"
    r"|(?:token|session|credentials?) (?:has |have )?expired|\b401\b|not logged in|login required"
    r"|api[ _-]?key (?:is )?(?:missing|required|invalid)|proxy error|bad gateway|service unavailable"
    r"|\b50[234]\b",
    re.IGNORECASE,
)
RATE = re.compile(r"\b429\b|rate[ -]?limit|too many requests|quota exceeded", re.IGNORECASE)
ALREADY = re.compile(
    r"already (?:exists?|added|registered|present|created|in use|installed|configured|running)"
    r"|duplicate (?:key|entry|name)|unique constraint|\bEEXIST\b|file exists",
    re.IGNORECASE,
)
MISSING = re.compile(
    r"not found|does ?n[o']t exist|no such|unknown|not (?:present|registered|configured)|\bENOENT\b",
    re.IGNORECASE,
)
NO_SUCH_TOOL = re.compile(
    r"(?:unknown|invalid|no such) tool|tool\b.{0,80}?\b(?:not found|not available|does ?n[o']t exist|unknown)"
    r"|method not found|-32601",
    re.IGNORECASE | re.DOTALL,
)

WRITING = frozenset(
    "add append approve archive assign attach ban block book buy cancel change charge clear close"
    " commit connect copy create cut delete deploy destroy disable disconnect drop edit enable exec"
    " execute fill fork grant import init initialize insert install invite kill launch lock make"
    " mark merge mkdir modify move open order patch pay post press provision publish purge push"
    " put register reject remove rename reopen replace reply reserve reset resize resolve restart"
    " restore resume retry revert revoke rm rollback run save schedule send set setup share start"
    " stage stop submit subscribe suspend swap tag terminate toggle transfer truncate type"
    " unblock unassign uninstall unlock unpublish unregister unsubscribe update upgrade upload"
    " upsert use write wipe withdraw refund exchange click drag".split()
)
READING = frozenset(
    "browse calculate check compare compute convert count describe diff display download echo"
    " enumerate estimate evaluate examine explain explore export fetch filter find get grep head"
    " hello help info inspect introspect list load log logs lookup look match monitor open ping"
    " preview print query read recall retrieve scan search select show snapshot sort stat stats"
    " status sum summarize tail test think tree validate verify view wait watch whoami".split()
)
# Whoever hands the conversation to a person changes nothing in the target.
PEOPLE = frozenset("human humans person people operator operators representative staff".split())
UNDOING = frozenset(
    "delete remove drop destroy uninstall unregister cancel revoke rm purge disconnect".split()
)
SETTING_UP = frozenset("add create connect initialize setup".split())
DISCRIMINATORS = "operation action command method op mode subcommand verb task type kind".split()
WRAPPED = frozenset("name tool tool_name toolname tool_id target_tool".split())
WRAPPED_ARGUMENTS = frozenset(
    "args arguments args_json arguments_json params parameters input tool_args tool_arguments"
    " tool_input".split()
)
