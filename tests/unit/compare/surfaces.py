"""Small surfaces for tests, and the schemas hypothesis makes of them."""

import copy

from hypothesis import strategies as st

from mcp_eval.compare.surface import surface_differences
from mcp_eval.model.recording import RecordedRequest
from mcp_eval.model.surface import Surface, Tool


def schema(required=(), closed=False, **properties):
    made = {"type": "object", "properties": properties}
    if required:
        made["required"] = list(required)
    if closed:
        made["additionalProperties"] = False
    return made


def tool(name="search", input_schema=None, description="Find things by words.", **facts):
    return Tool(
        name=name,
        description=description,
        input_schema=schema() if input_schema is None else input_schema,
        **facts,
    )


def offering(*tools, **facts):
    return Surface(tools=tools, **facts)


def sent(name="search", *, scenario="s", step=0, method="tools/call", answered=True, **arguments):
    return RecordedRequest(
        scenario=scenario,
        step=step,
        name=name,
        method=method,
        arguments=arguments,
        answered=answered,
    )


def found(before, after, *requests):
    """The differences of two tools or two surfaces, without the size of the catalogue."""
    sides = [each if isinstance(each, Surface) else offering(each) for each in (before, after)]
    differences = surface_differences(*sides, requests)
    return [one for one in differences if one.change != "catalogue-grown"]


def only(before, after, *requests):
    """The one difference there is."""
    (one,) = found(before, after, *requests)
    return one


def changes(before, after, *requests):
    """What changed where: enough for most tests."""
    return {(one.change, one.site.path) for one in found(before, after, *requests)}


def schema_changes(before, after, *requests):
    """The same for two input schemas of one tool."""
    return changes(tool(input_schema=before), tool(input_schema=after), *requests)


NAMES = st.sampled_from(["a", "b", "query", "limit", "kind"])
TEXTS = st.sampled_from(["text", "x", "xy", "", "A", "B", "C", "10"])
SCALARS = TEXTS | st.integers(-2, 12) | st.booleans() | st.none() | st.sampled_from([0.5, 1.5, 2.0])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
ARGUMENTS = st.dictionaries(NAMES, VALUES, max_size=4)


def _with(kind, **optional):
    return st.builds(
        lambda name, more: {"type": name, **more},
        kind,
        st.fixed_dictionaries({}, optional=optional),
    )


LEAVES = st.one_of(
    _with(
        st.just("string"),
        minLength=st.integers(0, 3),
        maxLength=st.integers(2, 6),
        enum=st.lists(TEXTS, min_size=1, max_size=3, unique=True),
        pattern=st.sampled_from(["^[a-z]+$", "^[A-Z]", "x"]),
        default=TEXTS,
    ),
    _with(
        st.sampled_from(["integer", "number"]),
        minimum=st.integers(-2, 5),
        maximum=st.integers(3, 12),
        exclusiveMinimum=st.integers(-2, 5),
        multipleOf=st.sampled_from([1, 2, 5]),
        default=st.integers(0, 3),
    ),
    st.sampled_from(
        [
            {},
            {"type": "boolean"},
            {"type": "null"},
            {"type": ["string", "null"]},
            {"type": ["integer", "string"]},
        ]
    ),
    st.lists(SCALARS, min_size=1, max_size=3, unique_by=repr).map(lambda values: {"enum": values}),
    SCALARS.map(lambda value: {"const": value}),
)


def objects(inner, extra):
    def built(properties, required, rest, sizes):
        made = {"type": "object", "properties": properties, **sizes}
        wanted = sorted({name for name in required if name in properties})
        if wanted:
            made["required"] = wanted
        if rest is not None:
            made["additionalProperties"] = rest
        return made

    return st.builds(
        built,
        st.dictionaries(NAMES, inner, max_size=4),
        st.lists(NAMES, max_size=2),
        extra,
        st.fixed_dictionaries({}, optional={"maxProperties": st.integers(2, 4)}),
    )


def _holding(inner, extra):
    return st.one_of(
        objects(inner, extra if extra is not None else st.none() | st.just(False) | inner),
        st.builds(
            lambda items, sizes: {"type": "array", "items": items, **sizes},
            inner,
            st.fixed_dictionaries(
                {}, optional={"minItems": st.integers(0, 1), "maxItems": st.integers(1, 3)}
            ),
        ),
        st.lists(inner, min_size=1, max_size=3).map(lambda each: {"anyOf": each}),
        st.lists(inner, min_size=1, max_size=2).map(lambda each: {"allOf": each}),
    )


OPEN = st.recursive(LEAVES, lambda inner: _holding(inner, None), max_leaves=6)
CLOSED = st.recursive(LEAVES, lambda inner: _holding(inner, st.just(False)), max_leaves=6)
SCHEMAS = objects(OPEN, st.none() | st.just(False))
CLOSED_SCHEMAS = objects(CLOSED, st.just(False))


def _places(schema):
    yield schema
    inner = list(schema.get("properties", {}).values())
    inner += [schema[word] for word in ("items", "additionalProperties") if word in schema]
    inner += [each for word in ("anyOf", "allOf") for each in schema.get(word, ())]
    for each in inner:
        if isinstance(each, dict):
            yield from _places(each)


@st.composite
def released(draw, schemas=SCHEMAS, inner=OPEN):
    """A schema, and the same a release later: one or two things changed somewhere in it."""
    before = draw(schemas)
    after = copy.deepcopy(before)
    for _ in range(draw(st.integers(1, 2))):
        place = draw(st.sampled_from(list(_places(after))))
        _change(draw, place, draw(inner), top=place is after)
    return before, after


def _change(draw, place, other, *, top):
    change = draw(st.sampled_from(["replace", "drop", "require", "add", "close", "tighten"]))
    if change == "replace" and not top:
        place.clear()
        place.update(copy.deepcopy(other))
    elif change == "drop" and place.keys() - {"type"}:
        del place[draw(st.sampled_from(sorted(place.keys() - {"type"})))]
    elif change == "require" and "properties" in place:
        place["required"] = sorted({*place.get("required", ()), draw(NAMES)})
    elif change == "add" and "properties" in place:
        place["properties"][draw(NAMES)] = copy.deepcopy(other)
    elif change == "close" and place.get("type") == "object":
        place["additionalProperties"] = False
    elif change == "tighten" and place.get("type") == "string":
        place["minLength"] = draw(st.integers(0, 4))


@st.composite
def respelled(draw):
    """A schema, and another way to write it."""
    before = draw(SCHEMAS)
    definitions = {}
    after = _respelled(draw, before, definitions)
    return before, {**after, "$defs": definitions} if definitions else after


def _respelled(draw, schema, definitions):
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    for word, stated in schema.items():
        if word == "properties":
            made[word] = {
                name: _respelled(draw, each, definitions) for name, each in stated.items()
            }
        elif word in {"items", "additionalProperties"}:
            made[word] = _respelled(draw, stated, definitions)
        elif word in {"anyOf", "allOf"}:
            made[word] = [_respelled(draw, each, definitions) for each in stated]
    return draw(st.sampled_from(_SPELLINGS))(made, definitions)


def _referred(schema, definitions):
    name = f"Part{len(definitions)}"
    definitions[name] = schema
    return {"$ref": f"#/$defs/{name}"}


def _listed(schema, _definitions):
    if "const" in schema:
        return {**{w: s for w, s in schema.items() if w != "const"}, "enum": [schema["const"]]}
    if schema.keys() == {"enum"}:
        return {"anyOf": [{"const": value} for value in schema["enum"]]}
    return schema


def _typed_apart(schema, _definitions):
    types = schema.get("type")
    return {"anyOf": [{**schema, "type": t} for t in types]} if isinstance(types, list) else schema


_SPELLINGS = [
    lambda schema, _: schema,
    lambda schema, _: {"allOf": [schema]},
    lambda schema, _: {"anyOf": [schema]},
    lambda schema, _: dict(reversed(schema.items())),
    _referred,
    _listed,
    _typed_apart,
]
