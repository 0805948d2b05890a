"""Which commands pass a heredoc to python, and which scripts are patch scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.health.shell import is_patch_script, python_scripts

SCRIPTS = [
    ("python3 - <<'EOF'\nprint(1)\nEOF", ["print(1)"]),
    ("cd /x && python3 <<EOF\nprint('<<X')\nEOF\necho done", ["print('<<X')"]),
    ("cat <<'E' | python3 -\nx\nE", ["x"]),
    ("FOO=1 uv run python - <<PY\nPY", [""]),
    ("python3 - <<'A' && python3 - <<'B'\na\nA\nb\nB", ["a", "b"]),
    ("if true; then python3 - <<'E'\nx\nE\nfi", ["x"]),
    ("x=$(python3 - <<'E'\nprint(1)\nE\n)", ["print(1)"]),
    ("for f in a; do python3 - $f <<E\n1\nE\ndone", ["1"]),
    ('python3 - a b <<-"E O"\n\tfoo\n\tE O\n', ["foo"]),
    ("/usr/bin/python3.11 - 2>&1 <<E | tail -5\nq\nE", ["q"]),
    ("python3 - \\\n  <<E\nq\nE", ["q"]),
    ("python3 - <<E\nnever ended", ["never ended"]),
    ("echo $((1<<2)) && python3 - <<E\nq\nE", ["q"]),
    ('echo "python3 <<EOF"', []),
    ("cat > a.py <<'EOF'\nimport python3\nEOF\npython3 a.py", []),
    ("node - <<E\npython3 - <<F\nF\nE", []),
    ("python3 -c 'print(1<<3)'", []),
    ("python3 <<< 'print(1)'", []),
    ("# python3 <<E\nls", []),
    ("grep python3 <<E\nx\nE", []),
]


@pytest.mark.parametrize(("command", "scripts"), SCRIPTS)
def test_python_scripts(command: str, scripts: list[str]) -> None:
    assert python_scripts(command) == scripts


PATCHES = [
    "s = open('x').read()\ns = s.replace('a', 'b')\nopen('x', 'w').write(s)",
    "p = Path('x'); p.write_text(p.read_text().replace(f('a'), 'b'))",
    "import re\nt = open(f).read()\nt = re.sub(r'a', 'b', t, count=1)\nwith open(f, 'w') as o: o.write(t)",
    "print 'python 2'\ns = open('x').read().replace('a', 'b')\nopen('x', 'w').write(s)",
]
NO_PATCHES = [
    "print(open('x').read().replace('a', 'b'))",
    "import os, sys\ns = open('x').read()\nos.replace('a', 'b')\nopen('y', 'w').write(s)",
    "import sys\nsys.stdout.write(open('x').read().replace('a', 'b'))",
    "s = open('x').read()\n# s.replace('a', 'b')\nopen('x', 'w').write(s)",
    "s = open('x').read()\nopen('x', 'w').write(s + '.replace(1, 2)')",
    "open('x', 'w').write('a'.replace('a', 'b'))",
]


@pytest.mark.parametrize("script", PATCHES)
def test_patch_scripts(script: str) -> None:
    assert is_patch_script(script)


@pytest.mark.parametrize("script", NO_PATCHES)
def test_scripts_that_patch_nothing(script: str) -> None:
    assert not is_patch_script(script)


@given(st.text("python3 <-'\"\\\n|&;(){}`$#EOF=\t", max_size=80))
def test_any_command_is_read_to_its_end(command: str) -> None:
    assert all(script in command for script in python_scripts("python3 -;" + command) if "\t" not in command)
