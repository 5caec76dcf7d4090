"""Lines that lenient clients read and strict ones do not: NaN, lone surrogates, broken UTF-8."""

import json


def mend(line: bytes) -> bytes:
    """The line as strict JSON, b"" where nothing can read it; NaN becomes the string "NaN"."""
    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_constant=str, strict=False)
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        return b""
    return text.encode("utf-8", "replace")
