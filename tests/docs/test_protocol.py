"""`docs/protocol.md` says what the server does: its generated sections, its errors and its settings."""

import json
import re
from importlib import import_module
from typing import Any, get_args, get_type_hints

import pytest

from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.server import desk, errors, wire
from edit_assist_ls.server.front import OWN_REQUESTS
from edit_assist_ls.settings import Layer, Settings, resolve
from tests.docs import example_session, generate_protocol, wire_shapes
from tests.docs.marked import CHECKOUT, names, rewritten

jsonschema: Any = import_module("jsonschema")  # it carries no types
DOCUMENT = generate_protocol.DOCUMENT.read_text("utf-8")
README = (CHECKOUT / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def session() -> list[example_session.Step]:
    return example_session.play()


def test_the_document_is_what_the_wire_types_and_the_server_make_it() -> None:
    assert names(DOCUMENT) == ["types", "session", "schema"]
    assert rewritten(DOCUMENT, generate_protocol.sections()) == DOCUMENT, "`make docs` rewrites it"


def test_a_change_of_the_wire_types_would_be_seen() -> None:
    sections = {"types": "other", "session": "other", "schema": "other"}
    assert rewritten(DOCUMENT, sections) != DOCUMENT
    assert DOCUMENT.count("editIndex: number;") == 1


def test_every_request_has_its_row() -> None:
    rows = re.findall(r"^\| `(editAssist/\w+)` \|", DOCUMENT, re.MULTILINE)
    assert rows == list(wire.REQUESTS)
    assert set(rows) == {hook.method for hook in desk.HOOKS} | OWN_REQUESTS


def test_the_session_plays_every_request_and_an_error(session: list[example_session.Step]) -> None:
    sent = [step.message for step in session if step.sender == "client" and step.message]
    asked = {message["method"] for message in sent}
    assert set(wire.REQUESTS) <= asked
    answers = [step.message for step in session if step.sender == "server" and step.message]
    assert [answer["id"] for answer in answers] == [message["id"] for message in sent if "id" in message]
    assert sum("error" in answer for answer in answers) == 1
    assert session[-1].text.endswith("exit status 0.")


def _schema_of(name: str) -> dict[str, Any]:
    document = json.loads(wire_shapes.schema_text())
    return {**document, "$ref": f"#/$defs/{name}"}


def test_the_messages_of_the_session_fit_the_schema(session: list[example_session.Step]) -> None:
    messages = [step.message for step in session if step.message]
    answers = {message["id"]: message for message in messages if "method" not in message}
    checked = 0
    for message in messages:
        if message.get("method") not in wire.REQUESTS:
            continue
        asked, answered = wire.REQUESTS[message["method"]]
        answer = answers[message["id"]]
        if "error" in answer:
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(message["params"], _schema_of(asked.__name__))
            continue
        jsonschema.validate(message["params"], _schema_of(asked.__name__))
        jsonschema.validate(answer["result"], _schema_of(answered.__name__))
        assert answer["result"].keys() <= wire_shapes.schemas()[answered.__name__].get("properties", {}).keys()
        checked += 1
    assert checked == len(wire.REQUESTS) + 2


def test_the_schema_accepts_null_in_params_and_not_in_results() -> None:
    jsonschema.validate({"cwd": "/x", "host": None}, _schema_of("SessionStartParams"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"corrections": [], "input": None}, _schema_of("ToolCallResult"))


@pytest.mark.parametrize(
    ("accepted", "params"),
    [
        (True, {"cwd": "/x", "sessionId": None, "surprise": 1}),
        (False, {"sessionId": "s"}),
        (False, {"cwd": "/x", "projectTrusted": "yes"}),
    ],
)
def test_the_schema_accepts_what_the_server_accepts(accepted: bool, params: dict[str, Any]) -> None:
    try:
        wire.params_of(params, wire.SessionStartParams)
        taken = True
    except errors.InvalidParamsError:
        taken = False
    valid = jsonschema.Draft202012Validator(_schema_of("SessionStartParams")).is_valid(params)
    assert (taken, valid) == (accepted, accepted)


def test_every_error_code_has_its_row() -> None:
    rows = {-int(digits) for digits in re.findall(r"^\| −(\d+) \|", DOCUMENT, re.MULTILINE)}
    assert rows == {value for name, value in vars(errors).items() if name.isupper()}


def _rows(document: str) -> dict[str, tuple[list[str], str]]:
    """The settings table of a document: by key, the values that it lists and the default."""
    found = re.findall(r"^\| `(\w+)` \| (`[^|]*`) \| `([^|]*)` \| [^|]+ \|$", document, re.MULTILINE)
    return {key: (re.findall(r"`([^`]+)`", values), default) for key, values, default in found}


@pytest.mark.parametrize("document", [DOCUMENT, README], ids=["docs/protocol.md", "README.md"])
def test_the_settings_are_as_they_are_said_to_be(document: str) -> None:
    rows = _rows(document)
    assert [*rows, "guards"] == ["enabled", "correction", "arguments", "profile", "ledger", "guards"]
    hints = get_type_hints(Settings)
    for key, (values, default) in rows.items():
        assert json.loads(default) == getattr(Settings(), key)
        choices = get_args(hints[key]) or (True, False)
        assert [json.loads(value) for value in values] == list(choices)
        for value in values:
            assert resolve([Layer("a file", {key: json.loads(value)})])[1] == ()


@pytest.mark.parametrize("document", [DOCUMENT, README], ids=["docs/protocol.md", "README.md"])
def test_every_guard_has_its_row(document: str) -> None:
    assert re.findall(r"^\| `(\w+)` \| (?:not run|remarked on) \|", document, re.MULTILINE) == list(GUARDS)
