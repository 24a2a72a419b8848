#!/usr/bin/env bash
# Mojolicious and weborf answer a request for the last 100 bytes of a file with its first 101 bytes.
#
# One would guess: "Range: bytes=-100" of a file of 1000 bytes gives "Content-Range: bytes 900-999/1000" (RFC 9110 section
# 14.1.2), or 200 and the complete file from a server that does not support it.
# Seen: 206 with "bytes 0-100/1000" from both. They read the empty first position as 0. A client that asks for the index at the
# end of an archive and does not look at Content-Range, such as curl -r -100, gets other bytes and no error.
# Version: Mojolicious 9.31 and weborf 0.19 of Debian 12, curl 7.88.1. Source: serve_asset in lib/Mojolicious/Static.pm
# ("$1 // 0"), bytes_to_send in instance.c of weborf (strtoll).
set -euo pipefail
folder=$(mktemp -d)
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download libmojolicious-perl weborf &&
    for package in *.deb; do dpkg -x "$package" .; done)
find "$folder/usr/share/perl5" -type l -delete # They point to packages of JavaScript that are not installed.
free() { python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'; }
mojolicious=$(free) weborf=$(free)
mkdir "$folder/root"
python3 -c 'import sys; sys.stdout.write("".join(f"{number:03} " for number in range(250)))' >"$folder/root/file"
timeout 100 perl -I "$folder/usr/share/perl5" - "$mojolicious" "$folder/root" >/dev/null 2>&1 <<'PERL' &
use Mojolicious::Lite;
app->static->paths([$ARGV[1]]);
app->start("daemon", "-l", "http://127.0.0.1:$ARGV[0]");
PERL
running+=($!)
timeout 100 "$folder/usr/bin/weborf" -i 127.0.0.1 -p "$weborf" -b "$folder/root" >/dev/null 2>&1 &
running+=($!)
for port in "$mojolicious" "$weborf"; do
    for ((attempt = 0; attempt < 200; attempt++)); do
        curl -q -s -m 5 -o /dev/null "http://127.0.0.1:$port/file" && break
        sleep 0.1
    done
done
get() {
    curl -q -s -m 10 -r "$2" -o "$folder/part" -D - "http://127.0.0.1:$1/file" | tr -d '\r' |
        sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p; s/^Content-Range: //Ip' | tr '\n' ' '
    echo "$(head -c 3 "$folder/part")…, $(stat -c %s "$folder/part") bytes"
}
suffix=$(get "$mojolicious" -100) other_suffix=$(get "$weborf" -100)
part=$(get "$mojolicious" 900-999) other_part=$(get "$weborf" 900-999)
echo "Mojolicious, -100: $suffix; 900-999: $part"
echo "weborf, -100: $other_suffix; 900-999: $other_part"
first="206 bytes 0-100/1000 000…, 101 bytes" last="206 bytes 900-999/1000 225…, 100 bytes"
[[ "$suffix;$other_suffix;$part;$other_part" = "$first;$first;$last;$last" ]] || { echo "this has changed" >&2; exit 1; }
