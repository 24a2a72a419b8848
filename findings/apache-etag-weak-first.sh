#!/usr/bin/env bash
# Apache's ETag of a new file is weak at first and strong a moment later, although the file stays the same.
#
# One would guess: a file that does not change has one ETag, so that a download which began right after the file was written
# can be resumed with If-Range.
# Seen: within about a second of the modification the ETag is W/"6-…", later "6-…". A client that saw the weak one must not
# send it in If-Range (RFC 9110 section 13.1.5), so it cannot resume; If-None-Match works, as it compares weakly.
# Version: Apache 2.4.71 of Debian 12. Source: ap_make_etag_ex in server/util_etag.c, which compares the date of the file
# with the time of the request.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
apache=$(command -v apache2 || true)
if [[ -z $apache ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download apache2-bin && dpkg -x apache2-bin_*.deb .)
    apache=$folder/usr/sbin/apache2
fi
"$apache" -v | sed -n 1p
modules=$(dirname "$apache")/../lib/apache2/modules
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
mkdir "$folder/root"
chmod 755 "$folder" "$folder/root"
cat >"$folder/conf" <<FILE
ServerRoot $folder
PidFile $folder/pid
DefaultRuntimeDir $folder
Listen 127.0.0.1:$port
ServerName localhost
ErrorLog $folder/log
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
DocumentRoot $folder/root
User www-data
Group www-data
FILE
"$apache" -f "$folder/conf" -DFOREGROUND &
server=$!
etag() { curl -q -sS -m 10 -o /dev/null -D - "http://127.0.0.1:$port/file" | tr -d '\r' | sed -n 's/^ETag: //p'; }
for ((attempt = 0; attempt < 100; attempt++)); do
    curl -q -s -m 5 -o /dev/null "http://127.0.0.1:$port/" && break
    sleep 0.1
done
echo hello >"$folder/root/file"
first=$(etag)
sleep 2.2
second=$(etag)
echo "at once: $first, two seconds later: $second"
[[ -n $second && $first = W/"$second" ]] || { echo "this has changed" >&2; exit 1; }
