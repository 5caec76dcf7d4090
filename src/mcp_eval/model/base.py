"""What every noun shares: frozen, keyword-only, and the shape of its own document."""

from typing import Any, dataclass_transform

import msgspec

# JSON as it came: schemas and answers belong to other people, so they have no narrower type.
Json = Any
JsonObject = dict[str, Any]


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Noun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A word of the vocabulary; msgspec encodes it as it stands."""


class Stated(Noun, omit_defaults=False):
    """A noun whose every field stands in its document, defaults too: readers outside rely on it."""
