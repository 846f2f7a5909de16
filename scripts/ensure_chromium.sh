#!/bin/sh
# The browser tests drive Debian's Chromium, with a font that has Chinese characters. Its headless shell is the same
# engine without the windows around it, and takes a third of the processor's time; where there is none, Chromium does.
set -eu

has_browser() {
    command -v chromium-headless-shell >/dev/null 2>&1 || command -v chromium >/dev/null 2>&1
}

has_font() {
    fc-list :lang=zh 2>/dev/null | grep -q .
}

install() {
    # shellcheck disable=SC2068
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $@ </dev/null >/dev/null 2>&1
}

command -v chromium-headless-shell >/dev/null 2>&1 && has_font && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium and a Chinese font for the browser tests (once) …"
    apt-get -qq update </dev/null || true
    has_font || install fontconfig fonts-noto-cjk || true
    install chromium-headless-shell || has_browser || install chromium || true
fi
has_browser && has_font && exit 0
echo "The browser tests need Chromium: sudo apt-get install chromium fonts-noto-cjk" >&2
exit 1
