"""The wire types as JSON Schema and as TypeScript, as the documents show them.

Params are shown as they are accepted (an optional field may be absent or null), results as they are sent (an optional
field is absent, never null; every other field is there).
"""

import inspect
import json
import re
from typing import Any

import msgspec

from edit_assist_ls.server import wire

Schema = dict[str, Any]

_REF = "#/$defs/"
_TYPES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def schemas() -> dict[str, Schema]:
    """The JSON Schema of each wire type by its name, those of the params first met first."""
    params = [pair[0] for pair in wire.REQUESTS.values()]
    results = [pair[1] for pair in wire.REQUESTS.values()]
    _, accepted = msgspec.json.schema_components(params, ref_template=_REF + "{name}")
    _, sent = msgspec.json.schema_components(results, ref_template=_REF + "{name}")
    assert not accepted.keys() & sent.keys(), "a type cannot be both accepted and sent: its optional fields differ"
    return {name: _described(schema) for name, schema in (accepted | {k: _as_sent(v) for k, v in sent.items()}).items()}


def _described(schema: Schema) -> Schema:
    return {**schema, "description": on_the_wire(schema["description"])}


def _as_sent(schema: Schema) -> Schema:
    properties: dict[str, Schema] = {}
    required = list(schema["required"])
    for name, field in schema["properties"].items():
        kept = {key: value for key, value in field.items() if key != "default"}
        if "default" in field and field["default"] is None:
            (kept,) = (choice for choice in field["anyOf"] if choice != {"type": "null"})
        elif "default" in field:
            required.append(name)
        properties[name] = kept
    return {**schema, "properties": properties, "required": required}


def on_the_wire(text: str) -> str:
    """A docstring with the names of fields as they are on the wire."""
    return re.sub(r"`([a-z]+(?:_[a-z]+)+)`", lambda match: f"`{_camel(match[1])}`", text)


def _camel(name: str) -> str:
    return re.sub(r"_(.)", lambda match: match[1].upper(), name)


def schema_text() -> str:
    """One JSON Schema document that holds all types, a line a field."""
    lines = ['{ "$schema": "https://json-schema.org/draft/2020-12/schema",', '  "$defs": {']
    types = schemas()
    for at, (name, schema) in enumerate(types.items()):
        lines.append(f'    "{name}": {{')
        lines.append(f'      "description": {json.dumps(schema["description"])},')
        lines.append('      "type": "object",')
        fields = [f'        "{field}": {json.dumps(shape)}' for field, shape in schema["properties"].items()]
        lines += ['      "properties": {', ",\n".join(fields), "      },"] if fields else []
        lines.append(f'      "required": {json.dumps(schema["required"])}')
        lines.append("    }" + ("," if at + 1 < len(types) else ""))
    return "\n".join([*lines, "  }", "}"])


def typescript() -> str:
    """The types as TypeScript interfaces, and last a map from each request to its params and result."""
    params = [pair[0] for pair in wire.REQUESTS.values()]
    bases = dict.fromkeys(base for kind in params for base in reversed(kind.__mro__) if _is_base(base, params))
    known = {base.__name__: base for base in bases} | {kind.__name__: kind for kind in params}
    _, based = msgspec.json.schema_components(list(bases), ref_template=_REF + "{name}")
    shapes = {name: _described(schema) for name, schema in based.items()} | schemas()
    blocks = [_interface(name, schema, known.get(name)) for name, schema in shapes.items()]
    table = [
        f'  "{method}": {{ params: {asked.__name__}; result: {answered.__name__} }};'
        for method, (asked, answered) in wire.REQUESTS.items()
    ]
    return "\n\n".join([*blocks, "\n".join(["interface Requests {", *table, "}"])])


def _is_base(kind: type, params: list[type[msgspec.Struct]]) -> bool:
    return kind not in params and issubclass(kind, msgspec.Struct) and bool(kind.__annotations__)


def _interface(name: str, schema: Schema, kind: type | None) -> str:
    parent = kind.__mro__[1] if kind is not None else object
    inherited = set(getattr(parent, "__struct_encode_fields__", ()))
    extends = f" extends {parent.__name__}" if inherited else ""
    lines = [_comment(inspect.cleandoc(schema["description"])), f"interface {name}{extends} {{"]
    for field, shape in schema["properties"].items():
        if field not in inherited:
            lines.append(f"  {field}{'' if field in schema['required'] else '?'}: {_type(shape)};")
    return (
        "\n".join([*lines, "}"]) if len(lines) > 2 else "\n".join([lines[0], f"type {name} = Record<string, never>;"])
    )


def _comment(text: str) -> str:
    lines = text.split("\n")
    if len(lines) == 1:
        return f"/** {text} */"
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in lines), " */"])


def _type(shape: Schema) -> str:
    if "$ref" in shape:
        return str(shape["$ref"]).removeprefix(_REF)
    if "anyOf" in shape:
        return " | ".join(_type(choice) for choice in shape["anyOf"])
    if "enum" in shape:
        return " | ".join(json.dumps(value) for value in shape["enum"])
    match shape.get("type"):
        case "array":
            return f"{_type(shape.get('items', {}))}[]"
        case "object":
            return f"Record<string, {_type(shape.get('additionalProperties', {}))}>"
        case None:
            return "unknown"
        case simple:
            return _TYPES[simple]
