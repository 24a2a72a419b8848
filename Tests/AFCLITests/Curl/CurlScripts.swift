/// Scripts that use curl, as in installers and CI files. `$BASE` is the URL of the server.
enum CurlScript: String, CaseIterable, Sendable {
    /// Downloads a release with its checksums, verifies and installs it.
    case installer = #"""
        set -eu
        work=$(mktemp -d ./work.XXXXXX)
        trap 'rm -rf "$work"' EXIT
        fail() { echo "install: $*" >&2; exit 1; }
        fetch() { curl --proto '=http,https' --tlsv1.2 -fsSL --retry 2 --retry-delay 1 "$@"; }

        version=$(fetch "$BASE/releases/latest" | sed -n 's/.*"tag_name": *"\([^"]*\)".*/\1/p')
        [ -n "$version" ] || fail "no version"
        effective=$(fetch -I -o /dev/null -w '%{url_effective}' "$BASE/latest")
        [ "${effective##*/}" = "$version" ] || fail "unexpected redirect: $effective"

        fetch -o "$work/tool-$version" "$BASE/download/$version/tool"
        fetch "$BASE/download/$version/SHA256SUMS" -o "$work/SHA256SUMS"
        (cd "$work" && sha256sum -c SHA256SUMS)
        mkdir -p bin
        install -m 755 "$work/tool-$version" bin/tool
        ./bin/tool

        (cd bin && curl -fsSLO --remote-time "$BASE/download/$version/completions.sh")
        curl -fsSL "$BASE/download/$version/{LICENSE,README}" -o '#1.txt'
        if curl -fsSL -o bin/extra "$BASE/download/$version/extra" 2>errors; then fail "extra exists"; else status=$?; fi
        echo "extra: $status"
        [ ! -e bin/extra ] && [ -s errors ]
        rm errors

        fetch -o "$work/tool-$version" "$BASE/download/$version/damaged"
        if (cd "$work" && sha256sum --status -c SHA256SUMS); then fail "not damaged"; fi
        curl -fsS -o again "$BASE/truncated" 2>/dev/null || echo "truncated: $?"
        rm -f again*
        curl -sS "http://127.0.0.1:1/" 2>/dev/null || exit $?
        """#

    /// Calls an API: creates, polls, reads pages, retries.
    case interface = #"""
        set -u
        TOKEN=t0k
        api() { curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" -H 'Accept: application/json' "$@"; }
        value() { sed -n 's/.*"'"$1"'": *"\{0,1\}\([^",}]*\).*/\1/p'; }

        id=$(api -X POST "$BASE/jobs" -H 'Content-Type: application/json' -d '{"name": "build"}' | value id)
        echo "job $id"
        for attempt in 1 2 3 4 5; do
            state=$(api "$BASE/jobs/$id" | value state)
            echo "$attempt: $state"
            [ "$state" = done ] && break
        done

        next="$BASE/items?page=1"
        while [ -n "$next" ]; do
            api -D headers.txt -o page.json "$next" || break
            cat page.json >>items.json
            next=$(tr -d '\r' <headers.txt | sed -n 's/^[Ll]ink: <\([^>]*\)>; rel="next"$/\1/p')
        done
        rm headers.txt page.json

        curl -fsS --retry 3 --retry-delay 1 -o calm.txt "$BASE/flaky"
        echo "flaky: $?"
        code=$(curl -s -o denied.json -w '%{http_code}' "$BASE/denied")
        echo "denied: $code $(value error <denied.json)"
        api "$BASE/missing" >missing.json 2>/dev/null
        echo "missing: $?"
        api -G "$BASE/search" --data-urlencode 'q=a b&c' -d limit=2
        printf '{"a": 1}' | api -X PATCH "$BASE/items/1" --data-binary @- -H 'Content-Type: application/json'
        api -T items.json -H Expect: "$BASE/files/items.json" -w '%{http_code} %{size_upload}\n'
        api -o '#1.json' "$BASE/items/{1,2,3}" && cat 1.json 2.json 3.json
        api -X DELETE "$BASE/items/[1-3]" -w '%{method} %{http_code}\n'
        api "$BASE/items/1" --next -sf "$BASE/denied"
        """#

    /// Logs in with cookies, posts, and logs out.
    case login = #"""
        set -eu
        jar=jar.txt
        csrf=$(curl -s -c $jar "$BASE/login" | sed -n 's/.*name="csrf" value="\([^"]*\)".*/\1/p')
        curl -s -b $jar -c $jar -L -o home.html -w '%{http_code} %{num_redirects} %{num_connects}\n' \
            -d "csrf=$csrf" -d user=ada --data-urlencode 'password=o p&n' "$BASE/login"
        grep -c session $jar
        printf 'a note\n' >note.txt
        curl -sf -b $jar -F text=hello -F 'file=@note.txt' "$BASE/post"
        curl -sf -b $jar -c $jar -H "X-CSRF: $csrf" --data 'text=again' "$BASE/post" -o first.txt \
            --next -sf -b $jar -o second.txt "$BASE/posts"
        curl -s -b $jar -c $jar -o /dev/null -w '%{http_code}\n' "$BASE/rotate" "$BASE/posts" -o /dev/null
        cp $jar rotated.jar
        curl -s -b $jar -c $jar -o /dev/null "$BASE/logout"
        if grep session $jar; then exit 1; fi
        curl -s -o /dev/null -w '%{http_code}\n' -b $jar "$BASE/posts"

        # In one command
        curl -s -c all.jar -o /dev/null "$BASE/login" --next -s -b '' -L -o /dev/null -d "csrf=$csrf" -d user=ada \
            --data-urlencode 'password=o p&n' "$BASE/login" --next -s -b '' "$BASE/posts" \
            --next -s -c end.jar "$BASE/logout"
        curl -sf -b $jar "$BASE/posts"
        """#
}
