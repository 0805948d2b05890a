#!/bin/sh
# run.sh PYTHON [--pictures FOLDER]: the extension's tests in the real VS Code; with --pictures, the README's pictures alone.
# What tells why a test failed is left in .cache/vscode of the checkout.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
root=$(cd "$here/../../.." && pwd -P)
python=${1:?the Python that has edit-assist-ls beside it}
shift
case $python in /*) ;; *) python=$PWD/$python ;; esac
sh "$here/build.sh" "$python"
cache=$(sh "$here/setup.sh" "$python" editors)
exec "$cache/node/bin/node" "$here/run.mjs" --cache "$cache" --server "$(dirname "$python")/edit-assist-ls" \
	--extension "$root/clients/vscode" --out "$root/.cache/vscode" "$@"
