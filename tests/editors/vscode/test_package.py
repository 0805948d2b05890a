"""What package.json of the VS Code extension says, held against the server and the extension's own source."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from edit_assist_ls.server.greeting import GREETING
from edit_assist_ls.settings import Settings

EXTENSION = Path(__file__).resolve().parents[3] / "clients" / "vscode"
PACKAGE: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text())
CONTRIBUTES: dict[str, Any] = PACKAGE["contributes"]
PROPERTIES: dict[str, Any] = CONTRIBUTES["configuration"]["properties"]
OWN = {"editAssist.notifications", "editAssist.server.path", "editAssist.trace.server"}
"""Settings of the extension, which the server knows nothing of."""
COMMANDS = {command["command"] for command in CONTRIBUTES["commands"]}


def source() -> str:
    return "\n".join(file.read_text() for file in sorted((EXTENSION / "src").glob("*.ts")))


def schema_of(hint: Any, default: object) -> dict[str, Any]:
    """What the schema of a setting must say, by its type in `Settings`."""
    if hint is bool:
        return {"type": ["boolean", "null"]}
    if get_origin(hint) is Literal:
        return {"type": ["string", "null"], "enum": [*get_args(hint), None]}
    assert isinstance(default, dict), f"how is {hint} said in a schema?"
    names = {name: {"type": "boolean"} for name in default}
    return {"type": ["object", "null"], "additionalProperties": False, "properties": names}


def without_texts(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: without_texts(value) for key, value in schema.items() if key not in TEXTS}
    return schema


TEXTS = {"description", "enumDescriptions", "order", "scope", "default"}


def test_the_settings_are_the_servers() -> None:
    ours = {
        key.removeprefix("editAssist."): without_texts(value) for key, value in PROPERTIES.items() if key not in OWN
    }
    hints, settings = get_type_hints(Settings), Settings()
    theirs = {
        field.name: schema_of(hints[field.name], getattr(settings, field.name))
        for field in dataclasses.fields(Settings)
    }
    assert ours == theirs


def test_what_is_not_set_is_null() -> None:
    assert {PROPERTIES[key]["default"] for key in PROPERTIES.keys() - OWN} == {None}
    assert PROPERTIES["editAssist.server.path"]["default"] is None


@pytest.mark.parametrize("key", PROPERTIES)
def test_each_setting_is_described(key: str) -> None:
    setting = PROPERTIES[key]
    assert setting["description"].endswith(".")
    assert len(setting.get("enumDescriptions", [])) in (0, len(setting.get("enum", [])))
    assert key in OWN or re.search(r"\bUnset: ", setting["description"])
    assert (
        f"`{key}`" in (EXTENSION / "README.md").read_text()
        or f"`.{key.split('.')[1]}`" in (EXTENSION / "README.md").read_text()
    )


def test_a_workspace_cannot_name_the_server() -> None:
    assert PROPERTIES["editAssist.server.path"]["scope"] == "machine"
    untrusted = PACKAGE["capabilities"]["untrustedWorkspaces"]
    assert untrusted["supported"] == "limited"
    assert untrusted["restrictedConfigurations"] == ["editAssist.server.path"]
    assert PACKAGE["extensionKind"] == ["workspace"]
    assert PACKAGE["activationEvents"] == ["onStartupFinished"]


def test_no_command_has_an_id_of_the_servers() -> None:
    servers = set(GREETING["capabilities"]["executeCommandProvider"]["commands"])
    assert servers
    assert not COMMANDS & servers


def test_each_command_is_registered_and_in_its_category() -> None:
    text = source()
    registered = set(re.findall(r'(?:register|aboutCall)\("(editAssist\.\w+)"', text))
    difference = re.search(r'DIFFERENCE_COMMAND = "(editAssist\.\w+)"', text)
    assert difference
    assert registered | {difference[1]} == COMMANDS
    assert {command["category"] for command in CONTRIBUTES["commands"]} == {"Edit Assist"}


def test_menus_name_commands_and_rows_that_there_are() -> None:
    menus = [entry for entries in CONTRIBUTES["menus"].values() for entry in entries]
    assert {entry["command"] for entry in menus} <= COMMANDS
    words = {word for entry in menus for word in re.findall(r"\\b(\w+)\\b", entry["when"])}
    given = re.search(r"function contextOf.*?\n\}", (EXTENSION / "src" / "rows.ts").read_text(), re.DOTALL)
    assert given
    assert words == set(re.findall(r'"(\w+)" : ""', given[0]))


def test_icons_are_there_light_and_dark() -> None:
    icons: list[Any] = [
        PACKAGE["icon"],
        *(container["icon"] for container in CONTRIBUTES["viewsContainers"]["activitybar"]),
    ]
    icons += [command["icon"] for command in CONTRIBUTES["commands"]]
    files = [file for icon in icons for file in (icon.values() if isinstance(icon, dict) else [icon])]
    assert {"media/light/apply.svg", "media/dark/apply.svg"} <= set(files)
    assert all(file.startswith("$(") or (EXTENSION / file).is_file() for file in files)


def test_text_of_models_is_never_markdown() -> None:
    assert not re.search(r"MarkdownString|isTrusted|supportHtml", source())


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text())
    assert lock["packages"][""]["devDependencies"] == PACKAGE["devDependencies"]
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


def test_versions_are_exact() -> None:
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in PACKAGE["devDependencies"].values())
    assert PACKAGE["engines"]["vscode"] == "^" + PACKAGE["devDependencies"]["@types/vscode"]
