#!/usr/bin/env bash
# git's HTTP backend sends dates that are no HTTP dates.
#
# One would guess: Last-Modified, Date and Expires of an object or a pack end with "GMT" (RFC 9110, section 5.6.7), so
# that a client can resume a pack with If-Range, or ask with If-Modified-Since whether it has changed.
# Seen: they end with "+0000". A client that parses dates strictly has no validator, as there is no ETag either.
# Version: git 2.39.5 of Debian 12. Source: hdr_date in http-backend.c, which uses DATE_RFC2822.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v git >/dev/null || { echo "git is not installed" >&2; exit 2; }
git --version
git init --quiet --bare "$folder/example.git"
touch "$folder/example.git/git-daemon-export-ok"
object=$(echo content | git -C "$folder/example.git" hash-object -w --stdin)
# The backend is a CGI program: its standard output is the response.
response=$(timeout 20 env GIT_PROJECT_ROOT="$folder" PATH_INFO="/example.git/objects/${object:0:2}/${object:2}" \
    REQUEST_METHOD=GET git http-backend | sed '/^\r$/,$d' | tr -d '\r')
echo "$response"
count=$(grep -cE '^(Last-Modified|Date|Expires): .* \+0000$' <<<"$response") || true
[[ $count = 3 && $response != *GMT* && $response != *ETag* ]] || { echo "this has changed" >&2; exit 1; }
