#!/usr/bin/env bash
# Runs the main features of afcli against the demo server: Demo/demo.sh PATH-OF-AFCLI
# Each step names its expected exit status; a different one fails the demo.
set -euo pipefail

if [[ $# -ne 1 || ! -x $1 ]]; then
    echo "usage: Demo/demo.sh PATH-OF-AFCLI" >&2
    exit 64
fi
afcli=$(realpath "$1")
server=$(realpath "$(dirname "$0")")/.build/debug/demo-server
scratch=$(mktemp -d)
requests=$(realpath "$(dirname "$0")")/requests
cd "$scratch"

finish() {
    if [[ -n ${server_pid:-} ]]; then
        kill "$server_pid" 2>/dev/null || true
        wait "$server_pid" 2>/dev/null || true
    fi
    rm -rf "$scratch"
}
trap finish EXIT

# The user's own settings and proxies have no place in a demo on loopback.
export AFCLI_CONFIG_DIR=$scratch/config no_proxy='*'

# The pipe of a coprocess is the server's standard input: the server ends with this script, however that ends.
coproc DEMO { exec "$server" --until-eof; }
server_pid=$DEMO_PID
if ! read -r -t 10 -u "${DEMO[0]}" greeting; then
    echo "demo: the server did not start: $server" >&2
    exit 1
fi
url=${greeting#listening on }

# Where a step's output is also read by the script, the tool cannot see the terminal for itself.
pretty=()
bold='' plain=''
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    pretty=(--pretty=all)
    bold=$'\e[1m' plain=$'\e[0m'
fi

title() {
    printf '\n%s%s%s\n' "$bold" "$1" "$plain"
}

# Prints the command line as one would type it.
show() {
    local word line='$ afcli'
    for word in "$@"; do
        [[ $word =~ ^[A-Za-z0-9_@%+=:,./~-]+$ ]] || word=${word@Q}
        line+=" $word"
    done
    printf '%s\n' "$line"
}

# run STATUS ARGUMENT...: shows and runs afcli, which must end with that status.
run() {
    local expected=$1 status=0
    shift
    show "$@"
    "$afcli" "$@" </dev/null || status=$?
    printf '\n'
    if [[ $status -ne $expected ]]; then
        echo "demo: exit status $status instead of $expected" >&2
        exit 1
    fi
}

title 'A GET with query items'
run 0 get "$url/get" q=='two words' page==2

title 'A JSON POST: = makes strings, := anything else'
run 0 post "$url/post" name=Ada born:=1815 tags:='["mathematics", "engines"]'

title 'A multipart upload of a file with -F, as with curl'
head -c 5000000 /dev/urandom >photo.raw
digest=$(sha256sum photo.raw | cut -d ' ' -f 1)
run 0 post "$url/upload" -F title='A photo' -F 'photo=@photo.raw;type=image/x-raw' "${pretty[@]}" |
    tee echo.json
grep -q "$digest" echo.json || { echo 'demo: the server received another file' >&2; exit 1; }

title 'A download that the server breaks off: status 13, nothing under the final name'
run 13 get "$url/cut?size=30000000&after=12000000" -o release.tar
[[ ! -e release.tar ]] || { echo 'demo: a half file under the final name' >&2; exit 1; }

title '... continued where it stopped'
run 0 get "$url/cut?size=30000000&after=12000000" -o release.tar --resume

title '... and byte for byte what the unbroken download gives'
run 0 get "$url/file?size=30000000" -o reference.tar
cmp release.tar reference.tar
sha256sum release.tar reference.tar

title 'A server that fails twice'
run 0 get "$url/flaky?key=demo&fails=2" --retry 3

title 'Where the time went'
run 0 get "$url/delay/0.25" --timing -b

title 'The whole exchange'
run 0 get "$url/json" -v

title 'A suite of Hurl files'
cp -r "$requests" requests
run 0 run --test --variable host="$url" requests

title 'All steps passed.'
