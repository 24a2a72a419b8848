#!/usr/bin/env bash
# WEBrick answers 304 to a range request whose If-Range matches, and 206 with the new bytes to one whose If-Range does not.
#
# One would guess: with the file's current date or ETag in If-Range, "bytes=500-" gives 206, and with that of an earlier version
# the complete file with 200 (RFC 9110 section 13.1.5; 304 is for If-None-Match and If-Modified-Since).
# Seen: the reverse. The current ETag (which WEBrick sends without quotation marks) and the current date, if the file's time is
# a whole second, give 304 without a body: a client that resumes an unchanged file never completes it, and `curl -C -` reports
# success for the half that it had. An older date or another ETag gives 206: a client that resumes a changed file joins two
# versions.
# Version: WEBrick 1.8.1 and Ruby 3.1 of Debian 12, curl 7.88.1. Source: DefaultFileHandler#not_modified? in
# lib/webrick/httpservlet/filehandler.rb, which reads If-Range like If-Modified-Since; pull request 173 of WEBrick.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
command -v ruby >/dev/null || { echo "ruby is missing: apt-get install ruby" >&2; exit 2; }
(cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download ruby-webrick && dpkg -x ruby-webrick_*.deb .)
libraries=("$folder"/usr/share/rubygems-integration/all/gems/webrick-*/lib)
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
mkdir "$folder/root"
head -c 1000 /dev/zero >"$folder/root/file"
touch -d "2010-01-01 00:00:00 UTC" "$folder/root/file"
timeout 100 ruby -I "${libraries[0]}" -r webrick - "$port" "$folder/root" <<'RUBY' &
puts "WEBrick #{WEBrick::VERSION}, Ruby #{RUBY_VERSION}"
$stdout.flush
WEBrick::HTTPServer.new(
  Port: ARGV[0], BindAddress: "127.0.0.1", DocumentRoot: ARGV[1], AccessLog: [], Logger: WEBrick::Log.new(File::NULL)
).start
RUBY
server=$!
url=http://127.0.0.1:$port/file
for ((attempt = 0; attempt < 200; attempt++)); do
    curl -q -s -m 5 -o /dev/null "$url" && break
    sleep 0.1
done
tag=$(curl -q -s -m 10 -I "$url" | tr -d '\r' | sed -n 's/^etag: //Ip')
get() { curl -q -s -m 10 -r 500- -H "If-Range: $1" -o /dev/null -w '%{http_code} with %{size_download} bytes' "$url"; }
same=$(get "Fri, 01 Jan 2010 00:00:00 GMT") same_tag=$(get "$tag")
older=$(get "Thu, 01 Jan 2009 00:00:00 GMT") other_tag=$(get '"1"')
echo "If-Range with the current date: $same, ETag: $same_tag; with an older date: $older, another ETag: $other_tag"
head -c 500 /dev/zero >"$folder/half"
curl -q -s -f -m 10 -C - -H "If-Range: Fri, 01 Jan 2010 00:00:00 GMT" -o "$folder/half" "$url" && status=0 || status=$?
size=$(stat -c %s "$folder/half")
echo "curl -C -: status $status, $size of 1000 bytes"
none="304 with 0 bytes" part="206 with 500 bytes"
[[ "$same,$same_tag,$older,$other_tag" = "$none,$none,$part,$part" && "$status $size" = "0 500" ]] ||
    { echo "this has changed" >&2; exit 1; }
