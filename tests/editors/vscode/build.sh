#!/bin/sh
# build.sh PYTHON: checks the extension's types, runs its unit tests, and packs clients/vscode/edit-assist.vsix.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
extension=$(cd "$here/../../../clients/vscode" && pwd -P)
cache=$(sh "$here/setup.sh" "${1:?the Python whose pip fetches Node}")

export PATH="$cache/node/bin:$PATH" npm_config_nodedir="$cache/node" npm_config_audit=false npm_config_fund=false
export npm_config_loglevel=error npm_config_update_notifier=false

cd "$extension"
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
	npm ci --ignore-scripts >&2
	touch node_modules/.package-lock.json
fi
npm run --silent check
npm run --silent test >&2
npm run --silent build
cp ../../LICENSE LICENSE
npm run --silent package -- --out edit-assist.vsix >&2
