#!/usr/bin/env bash
# wget gets 406 from Apache for a file that the server stores only compressed; curl gets the file.
#
# One would guess: wget without options gets every file that curl gets. Its default is "Accept-Encoding: identity", and RFC 9110
# section 12.5.3 says that a server without an acceptable coding "SHOULD send a response without any content coding".
# Seen: with MultiViews, doc.txt.gz and no doc.txt, Apache sends the gzip file for GET /doc.txt if the request has no
# Accept-Encoding (curl), and 406 for "identity" (wget). "identity, *;q=0.1" and "gzip" get 200, so a client that prefers
# identity, but can use gzip, should send a weight for the others.
# Version: Apache 2.4.71, wget 1.21.3 and curl 7.88.1 of Debian 12. Source: set_encoding_quality in
# modules/mappers/mod_negotiation.c of Apache, initialize_request in src/http.c of wget.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
apache=$(PATH=$PATH:/usr/sbin command -v apache2 || true)
wget=$(command -v wget || true)
if [[ -z $apache || -z $wget ]]; then
    apt-cache show apache2-bin >/dev/null 2>&1 || apt-get -qq update
    apt-get -qq -s --no-install-recommends install apache2-bin wget | awk '/^Inst/ { print $2 }' >"$folder/packages"
    (cd "$folder" && xargs apt-get -o APT::Sandbox::User=root -qq download <packages)
    for file in "$folder"/*.deb; do dpkg -x "$file" "$folder"; done
    LD_LIBRARY_PATH=$(printf '%s:' "$folder"/{usr/,}lib/*-linux-gnu*)
    export LD_LIBRARY_PATH
    apache=${apache:-$folder/usr/sbin/apache2} wget=${wget:-$folder/usr/bin/wget}
fi
"$apache" -v | sed -n 1p
"$wget" --version | sed -n 1p
curl --version | sed -n 1p
modules=$(dirname "$apache")/../lib/apache2/modules
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
mkdir "$folder/root"
chmod 755 "$folder" "$folder/root"
echo hello | gzip -n >"$folder/root/doc.txt.gz"
cat >"$folder/conf" <<FILE
ServerRoot $folder
PidFile $folder/pid
DefaultRuntimeDir $folder
Listen 127.0.0.1:$port
ServerName localhost
ErrorLog $folder/log
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule mime_module $modules/mod_mime.so
LoadModule negotiation_module $modules/mod_negotiation.so
TypesConfig /dev/null
AddType text/plain .txt
AddEncoding x-gzip .gz
DocumentRoot $folder/root
User www-data
Group www-data
<Directory $folder/root>
Options +MultiViews
</Directory>
FILE
timeout -k 5 100 "$apache" -f "$folder/conf" -DFOREGROUND &
server=$!
url=http://127.0.0.1:$port/doc.txt
for ((attempt = 0; attempt < 200; attempt++)); do
    curl -q -s -m 5 -o /dev/null "$url" && break
    sleep 0.1
done
get() { curl -q -s -m 10 -o /dev/null -w '%{http_code}' "$@" "$url" || true; }
download() { "$wget" --no-config -S -t 1 -T 10 -O "$folder/body" "$@" "$url" 2>&1 | sed -n 's,^ *HTTP/1.1 \([0-9]*\).*,\1,p'; }
default=$(get) identity=$(get -H "Accept-Encoding: identity") weighted=$(get -H "Accept-Encoding: identity, *;q=0.1")
wget_default=$(download) wget_weighted=$(download --header "Accept-Encoding: identity, *;q=0.1")
wget_gzip=$(download --compression=auto) body=$(<"$folder/body")
echo "curl: $default, with identity: $identity, with identity and *;q=0.1: $weighted"
echo "wget: $wget_default, with identity and *;q=0.1: $wget_weighted, with --compression=auto: $wget_gzip '$body'"
[[ "$default $identity $weighted" = "200 406 200" && "$wget_default $wget_weighted $wget_gzip $body" = "406 200 200 hello" ]] ||
    { echo "this has changed" >&2; exit 1; }
