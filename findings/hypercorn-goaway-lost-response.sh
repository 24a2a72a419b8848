#!/usr/bin/env bash
# Hypercorn handles the last request of an HTTP/2 connection and drops its response.
#
# One would guess: keep_alive_max_requests = 2 ends a connection after the response to its last request, and GOAWAY names the
# last stream that gets a response, so that a client sends later requests on a new connection (RFC 9113 section 6.8).
# Seen: the third request reaches the application, GOAWAY with NO_ERROR names its stream as processed, and the connection
# ends without the response. A client must not repeat it, as it was processed. curl reports 18 or 56. With the default, this is
# the request after the thousandth of each connection.
# Version: Hypercorn 0.18.0 and h2 4.3.0, curl 7.88.1. Source: H2Protocol._handle_events in hypercorn/protocol/h2.py, which
# calls close_connection of h2 when it has just created the stream; h2 then refuses to send its response.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile hypercorn==0.18.0 h2==4.3.0
read -r plain secure < <(python3 -c '
import socket
servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(server.getsockname()[1] for server in servers))')
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key" -out "$folder/cert" -days 2 -subj /CN=localhost \
    -addext subjectAltName=IP:127.0.0.1 2>/dev/null
cat >"$folder/application.py" <<'PYTHON'
handled = []
async def application(scope, receive, send):
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    if scope["method"] == "POST":
        handled.append(scope["path"])
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": " ".join(handled).encode()})
PYTHON
cat >"$folder/config.toml" <<FILE
bind = ["127.0.0.1:$secure"]
insecure_bind = ["127.0.0.1:$plain"]
certfile = "cert"
keyfile = "key"
keep_alive_max_requests = 2
graceful_timeout = 1
FILE
(cd "$folder" && exec timeout 100 env/bin/hypercorn -c config.toml application:application) >/dev/null 2>&1 &
server=$!
for ((attempt = 0; attempt < 200; attempt++)); do
    curl -q -s -m 5 -o /dev/null "http://127.0.0.1:$plain/" && break
    sleep 0.1
done
timeout 60 "$folder/env/bin/python" - "$plain" <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import socket, sys
import h2.connection, h2.events
connection = h2.connection.H2Connection()
connection.initiate_connection()
stream = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10)
def post(path):
    """Sends a request and returns the events until the end of its response or of the connection."""
    number = connection.get_next_available_stream_id()
    fields = {":method": "POST", ":scheme": "http", ":authority": "127.0.0.1", ":path": path}
    connection.send_headers(number, list(fields.items()), end_stream=True)
    stream.sendall(connection.data_to_send())
    seen = []
    while data := stream.recv(65536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.ResponseReceived):
                seen.append(dict(event.headers)[b":status"].decode())
            elif isinstance(event, h2.events.ConnectionTerminated):
                seen.append(f"GOAWAY, last stream {event.last_stream_id}, code {int(event.error_code)}")
            elif isinstance(event, h2.events.StreamEnded):
                return number, seen
        stream.sendall(connection.data_to_send())
    return number, seen + ["end of the connection"]
results = [post(path) for path in ("/1", "/2", "/3")]
stream.close()
for number, seen in results:
    print(f"stream {number}:", "; ".join(seen))
sys.exit(results != [(1, ["200"]), (3, ["200"]), (5, ["GOAWAY, last stream 5, code 0", "end of the connection"])])
PYTHON
url=https://127.0.0.1:$secure
results=$(curl -q -sS -m 10 --cacert "$folder/cert" --http2 -d "" -o "$folder/#1" -w '%{http_code} ' "$url/{4,5,6}") &&
    status=0 || status=$?
handled=$(curl -q -s -m 10 "http://127.0.0.1:$plain/")
echo "curl: responses ${results% }, status $status; requests that the application handled: $handled"
[[ "$results$status $handled" =~ ^"200 200 000 "(18|56)" /1 /2 /3 /4 /5 /6"$ ]] || { echo "this has changed" >&2; exit 1; }
