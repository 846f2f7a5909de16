#!/bin/sh
# Make the virtual environment $1 with the Python in $PYTHON, or say in one sentence what is missing.
set -eu
venv=$1
python=${PYTHON:-python3}

fail() {
    echo "$1" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 ||
    fail "Xiajiao needs Python 3.11 or newer, and there is no $python. Install it, or name yours: make run PYTHON=/path/to/python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "Xiajiao needs Python 3.11 or newer, and $python is $("$python" -V 2>&1). Name a newer one: make run PYTHON=python3.12"

make_venv() {
    "$python" -m venv "$venv" >/dev/null 2>&1 && "$venv/bin/python" -m pip --version >/dev/null 2>&1
}

make_venv && exit 0
rm -rf "$venv"
# Debian and Ubuntu keep the module that makes environments in a package of its own.
package=$("$python" -c 'import sys; print(f"python{sys.version_info[0]}.{sys.version_info[1]}-venv")')
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing $package …"
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "$package"; } </dev/null >/dev/null || true
    make_venv && exit 0
    rm -rf "$venv"
fi
fail "Python can't make a virtual environment here. On Debian or Ubuntu: sudo apt-get install $package, then try again."
