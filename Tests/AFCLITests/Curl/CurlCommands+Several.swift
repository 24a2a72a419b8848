/// Commands with several transfers: cookies, connections, exit numbers and parallel transfers.
let curlSeveral = #"""
    # The cookies of a command
    curl -b '' URL/set/a/1 URL/get
    curl -c jar.txt URL/set/a/1 URL/get
    curl -c jar.txt URL/set/a/1 URL/keep/b/2
    curl -b '' 'URL/{set/a/1,get}'
    curl -b '' 'URL/set/a/[1-3]' URL/get
    curl -b '' URL/set/a/1 --next -b '' URL/get
    curl -b '' URL/set/a/1 --next URL/get
    curl URL/set/a/1 --next -b '' URL/get
    curl URL/set/a/1 URL/get
    curl -L URL/cookies/redirect
    curl -L -c jar.txt URL/cookies/redirect
    curl -b cookies.txt URL/set/kept/no URL/get
    curl -b cookies.txt -c jar.txt URL/set/kept/no URL/get
    curl -b cookies.txt -c jar.txt URL/keep/new/1
    curl -b cookies.txt URL/delete/kept URL/get
    curl -b cookies.txt -c jar.txt URL/delete/kept
    curl -b cookies.txt -c jar.txt URL/delete/kept URL/get
    curl -b missing.txt -c jar.txt URL/set/a/1 URL/delete/a URL/get
    curl -c cookies.txt URL/set/a/1
    curl -c cookies.txt URL/get
    curl -b cookies.txt -c cookies.txt URL/keep/new/1
    curl -b cookies.txt -c cookies.txt URL/delete/kept
    curl -b cookies.txt -c cookies.txt URL/set/kept/2 URL/get
    curl -b cookies.txt -c cookies.txt -j URL/set/a/1
    curl -j -b more-cookies.txt -c jar.txt URL/get
    curl -b cookies.txt --next -b more-cookies.txt URL/get
    curl -b cookies.txt URL/one --next -b more-cookies.txt URL/two
    curl -c - URL/keep/a/1
    curl -s -c - URL/set/a/1 URL/keep/b/2
    curl -s -c - -o out.txt -w '%{http_code}\n' URL/set/a/1
    curl -s -c - -b cookies.txt -I URL/get
    curl -c jar.txt URL/set/a/1 --next -c jar2.txt URL/set/b/2
    curl -c jar.txt URL/set/a/1 --next URL/set/b/2 --next -c jar2.txt URL/set/c/3
    curl -c jar.txt -b jar.txt URL/set/a/1 --next -b jar.txt URL/get
    curl -c jar.txt URL/set/a/1 && curl -b jar.txt URL/get
    curl -c jar.txt URL/keep/a/1 && curl -b jar.txt -c jar.txt URL/delete/a && curl -b jar.txt URL/get
    curl -c jar.txt URL/missing
    curl -sf -c jar.txt URL/missing
    curl -c jar.txt http://127.0.0.1:1/
    curl -b cookies.txt -c jar.txt http://127.0.0.1:1/
    curl -c /dev/null URL/set/a/1 URL/get
    curl -b /dev/null URL/set/a/1 URL/get
    curl -c '' URL/set/a/1 URL/get
    curl -s -c /no/such/dir/jar URL/set/a/1 URL/get
    curl -s -c sub URL/set/a/1
    curl -b - URL/get < cookies.txt
    curl -b - -c jar.txt URL/get URL/set/a/1 < cookies.txt
    curl -b dumped.txt -c jar.txt URL/get
    curl -b a=1 -c jar.txt URL/set/b/2 URL/get
    curl -b a=1 -b '' URL/set/b/2 URL/get
    curl -b a=1 URL/set/b/2 URL/get
    curl -b a=1 -b cookies.txt URL/one URL/two
    curl -H 'Cookie: a=1' URL/set/b/2 URL/get
    curl -H 'Cookie: a=1' -b b=2 URL/get
    curl -H 'Cookie: a=1' -b cookies.txt URL/get
    curl -I -c jar.txt URL/set/a/1
    curl -d a=1 -c jar.txt URL/set/a/1
    curl -sf --retry 1 --retry-delay 1 -c jar.txt URL/set/a/1
    curl -O -c jar.txt URL/keep/a/name.txt
    curl -c jar.txt -K config.txt
    curl -b cookies.txt -H 'Host: example.org' URL/get
    curl -b cookies.txt -x HOST http://example.test/get
    curl -c jar.txt -x HOST http://example.test/set/a/1 http://example.test/get http://other.test/get
    curl -b '' URL/set/a/1 http://localhost:PORT/get
    curl -b '' -L URL/set/a/1 URL/elsewhere
    curl -b cookies.txt -L URL/elsewhere
    curl -b a=1 -L URL/elsewhere
    # The connections of a command
    curl -w '%{num_connects}\n' URL/one URL/two
    curl -s -w '%{num_connects} %{http_code}\n' 'URL/[1-5]'
    curl -w '%{num_connects}\n' URL/one --next -w '%{num_connects}\n' URL/two
    curl -w '%{num_connects}\n' URL/closing URL/two
    curl -w '%{num_connects} %{num_redirects}\n' -L URL/redirect URL/redirect
    curl -w '%{num_connects}\n' --http1.0 URL/closing URL/two
    curl -w '%{num_connects}\n' -d a=1 URL/one URL/two
    curl -w '%{num_connects}\n' -x HOST http://example.test/a http://other.test/b
    curl -w '%{num_connects}\n' -u a:b URL/one --next -w '%{num_connects}\n' -u c:d URL/two
    curl -w '%{num_connects}\n' --digest -u user:pass URL/digest URL/digest
    curl -w '%{num_connects}\n' --anyauth -u user:pass URL/digest URL/digest
    curl -L -w '%{num_connects}\n' --digest -u user:pass URL/digest/redirect
    curl -L -w '%{num_connects}\n' --anyauth -u user:pass URL/digest/redirect URL/digest
    curl -w '%{num_connects}\n' URL/missing URL/two
    curl -w '%{num_connects}\n' -sf URL/missing URL/two
    curl -w '%{num_connects}\n' -I URL/one URL/two
    curl -w '%{num_connects}\n' -o a.txt -o b.txt URL/one URL/two
    curl -w '%{num_connects}\n' -T '{text.txt,body.bin}' -H Expect: URL/dir/
    curl -w '%{num_connects} %{remote_port}\n' -b '' URL/set/a/1 URL/get -o /dev/null
    curl --no-sessionid URL/one URL/two
    curl URL/keepalive
    curl --keepalive-time 30 URL/keepalive
    curl --keepalive-time 0 URL/keepalive
    curl --no-keepalive URL/keepalive
    curl --no-keepalive --keepalive-time 30 URL/keepalive
    curl --keepalive-time 30 URL/keepalive --next --no-keepalive URL/keepalive
    curl --keepalive-time x URL/keepalive
    curl --limit-rate 1M -o a.bin -o b.bin URL/file.bin URL/file.bin
    curl --rate 100/s URL/one URL/two
    curl --rate 6000/m 'URL/[1-3]'
    curl --rate 0/s URL/one
    curl --rate 1/w URL/one
    curl --rate x URL/one
    curl --retry 1 --retry-delay 1 URL/one URL/two
    # The exit number of a command
    curl -s http://127.0.0.1:1/ URL/two
    curl -s URL/one http://127.0.0.1:1/
    curl -s --fail-early http://127.0.0.1:1/ URL/two
    curl -s --fail-early http://127.0.0.1:1/ --next URL/two
    curl -s http://127.0.0.1:1/ --next -s --fail-early URL/two
    curl -sf URL/missing URL/two
    curl -sf URL/one URL/missing
    curl -sf --fail-early URL/missing URL/two
    curl -sf URL/missing --next URL/two
    curl -s URL/one --next -sf URL/missing
    # Parallel transfers
    curl -Z URL/one
    curl -Z URL/one URL/two
    curl -Z -o '#1.txt' 'URL/{a,b,c}'
    curl --parallel --parallel-max 2 'URL/[1-6]'
    curl -Z --parallel-max 1 -w '%{num_connects}\n' 'URL/[1-3]'
    curl -Z --parallel-max 0 'URL/[1-3]'
    curl -Z --parallel-max 1000 'URL/[1-3]'
    curl -Z --parallel-max x URL/one
    curl -Z --parallel-immediate 'URL/[1-3]'
    curl -Z --parallel-immediate -w '%{url}\n' 'URL/[1-3]'
    curl -Z -O URL/one.txt -O URL/two.txt
    curl -Z --remote-name-all 'URL/[1-20].txt'
    curl -Z -b cookies.txt URL/one URL/two
    curl -Z -b '' --parallel-max 1 URL/set/a/1 URL/get
    curl -Z -d a=1 URL/one URL/two
    curl -Z -d @- URL/one URL/two < text.txt
    curl -Z URL/one --next -X DELETE URL/two
    curl URL/one --next -Z URL/two
    curl -Z -L URL/redirect URL/redirect
    curl -Z -D head.txt --parallel-max 1 URL/one URL/two
    curl -sZ http://127.0.0.1:1/ URL/two
    curl -sZ URL/one http://127.0.0.1:1/ URL/two
    curl -sfZ URL/missing URL/two
    curl -sfZ --parallel-max 1 --fail-early URL/missing URL/two
    curl -sZ -o '#1.txt' 'URL/{one,two}' --next -s http://127.0.0.1:1/
    curl -Z -T '{text.txt,body.bin}' -H Expect: URL/dir/
    curl -Z -u user:pass URL/one URL/two
    curl -s URL/one --remote-name-all URL/two.txt URL/three.txt
    curl -s --remote-name-all URL/one.txt --no-remote-name-all URL/two.txt
    curl -s URL/one.txt URL/two.txt --remote-name-all
    curl -s --remote-name-all URL/one.txt -o x URL/two.txt
    curl -s --tr-encoding URL/one --next -s URL/two
    # Transfers that differ in more than the URL
    curl -s URL/one http://user:pass@HOST/two URL/three
    curl -s http://user:pass@HOST/one URL/two
    curl -s URL/one http://localhost:PORT/two URL/three
    curl -s --netrc-file netrc http://localhost:PORT/one URL/two http://localhost:PORT/three
    curl -s -L URL/one URL/redirect URL/three
    curl -s --path-as-is URL/a/../b URL/c/./d
    curl -s URL/a/../b URL/e%2Ff?g#h
    curl -s -d a=1 URL/one 'URL/two?b=2'
    curl -s -o one.txt URL/one URL/two -o /dev/null URL/three -o four.txt URL/four
    curl -s -o /dev/null -w '%{url} %{http_code} %{filename_effective}\n' 'URL/[1-3]' URL/missing
    curl -s -o '#1.txt' -w '%{filename_effective}\n' 'URL/{one,two}' URL/three
    curl -s -i -o '#1.txt' 'URL/[1-2]'
    curl -s -D heads.txt -o '#1.txt' 'URL/[1-3]'
    curl -s -r 0-2 'URL/[1-2]' URL/range
    curl -s -o '#1.txt' 'URL/{one,missing,three}'
    curl -s -m 20 --no-clobber -o text.txt URL/one -o new.txt URL/two
    curl -s -r 0-2 -H Expect: -T text.txt URL/put URL/range
    curl -s -C 2 -H Expect: -T text.txt URL/put URL/range
    curl -s -r 0-2 -H Expect: -T text.txt URL/put -o new.txt URL/range
    curl -s http://127.0.0.1:1/ 'URL/{a'
    curl -s http://127.0.0.1:1/ URL/one 'URL/{a'
    curl -sf URL/missing 'URL/{a'
    curl -s -Z -o a.txt URL/one -o b.txt 'URL/{a' -o c.txt URL/two
    curl -s URL/one --next -s -o o.txt URL/two --next -s -d a=1 URL/three | true
    """#
