#!/usr/bin/env bash
# curl --cert-status rejects a good OCSP response if the server does not send its root certificate.
#
# One would guess: curl accepts a stapled OCSP response with the status "good" for a certificate that it has verified. A server
# may omit its root (RFC 8446 section 4.4.2), and --cacert contains it.
# Seen: if the root issued the certificate of the server, curl ends with 91 and "Error computing OCSP ID", because it searches
# the issuer only in the chain that the server sent. If the server also sends the root, curl accepts the same response.
# `openssl s_client -status` and `openssl ocsp` report "good". A chain with an intermediate certificate works.
# Version: curl 7.88.1 and OpenSSL 3.0 of Debian 12. Source: verifystatus in lib/vtls/openssl.c of curl.
set -euo pipefail
folder=$(mktemp -d)
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
curl --version | sed -n 1p
openssl version
read -r alone chain < <(python3 -c '
import socket
servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(server.getsockname()[1] for server in servers))')
cd "$folder"
openssl req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 2 -subj /CN=root 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout key -out request -subj /CN=localhost 2>/dev/null
echo "subjectAltName=IP:127.0.0.1" >extensions
openssl x509 -req -in request -CA root.pem -CAkey root.key -set_serial 4096 -days 2 -extfile extensions -out cert 2>/dev/null
printf 'V\t991231235959Z\t\t1000\tunknown\t/CN=localhost\n' >index
openssl ocsp -index index -CA root.pem -rsigner root.pem -rkey root.key -issuer root.pem -cert cert -ndays 1 -respout response \
    >/dev/null 2>&1
timeout -k 5 100 openssl s_server -accept "127.0.0.1:$alone" -cert cert -key key -status_file response -www -quiet &
running+=($!)
timeout -k 5 100 openssl s_server -accept "127.0.0.1:$chain" -cert cert -key key -cert_chain root.pem \
    -status_file response -www -quiet &
running+=($!)
get() { curl -q -s -m 10 --cacert root.pem "${@:2}" -o /dev/null -w '%{exitcode} %{errormsg}' "https://127.0.0.1:$1/" || true; }
for port in "$alone" "$chain"; do
    for ((attempt = 0; attempt < 200; attempt++)); do
        [[ $(get "$port") = 0* ]] && break
        sleep 0.1
    done
done
plain=$(get "$alone") without=$(get "$alone" --cert-status) with=$(get "$chain" --cert-status)
status=$(timeout 10 openssl s_client -connect "127.0.0.1:$alone" -CAfile root.pem -verify_return_error -status </dev/null 2>&1 |
    sed -n 's/^ *Cert Status: //p' || true)
verified=$(openssl ocsp -respin response -CAfile root.pem -issuer root.pem -cert cert -no_nonce 2>&1 | sed -n 1,2p |
    tr '\n' ',')
echo "curl: $plain; --cert-status, root not sent: $without; root sent: $with"
echo "s_client: $status; openssl ocsp: $verified"
[[ $plain = "0 " && $without = 91*"OCSP ID" && $with = "0 " && $status = good && $verified = *"verify OK,cert: good,"* ]] ||
    { echo "this has changed" >&2; exit 1; }
