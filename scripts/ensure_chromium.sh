#!/bin/sh
# The browser tests drive Debian's Chromium, with a font that has Chinese characters.
set -eu

missing() {
    command -v chromium >/dev/null 2>&1 || echo chromium
    fc-list :lang=zh 2>/dev/null | grep -q . || echo fonts-noto-cjk
}

[ -n "$(missing)" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing $(missing | tr '\n' ' ')for the browser tests (once) …"
    apt-get -qq update </dev/null
    # shellcheck disable=SC2046
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends fontconfig $(missing) </dev/null >/dev/null
fi
command -v chromium >/dev/null 2>&1 && exit 0
echo "The browser tests need Chromium: sudo apt-get install chromium fonts-noto-cjk" >&2
exit 1
