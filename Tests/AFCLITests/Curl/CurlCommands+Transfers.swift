/// Commands about the output, the connection and failures.
let curlTransfers = #"""
    # Output
    curl -o out.txt URL/text.txt
    curl --output out.txt URL/text.txt
    curl URL/text.txt -o out.txt
    curl -O URL/text.txt
    curl --remote-name URL/dir/name.txt
    curl -O URL/name.txt?query=1
    curl -OL URL/text.txt
    curl -LO URL/text.txt
    curl -sSLO URL/text.txt
    curl -o a.txt -o b.txt URL/one URL/two
    curl -O URL/first.txt -O URL/second.txt
    curl --remote-name-all URL/first.txt URL/second.txt
    curl -o out.txt URL/one URL/two
    curl --create-dirs -o new/dir/out.txt URL/text.txt
    curl --output-dir sub -o out.txt URL/text.txt
    curl --output-dir sub -O URL/text.txt
    curl --output-dir '~' -O URL/text.txt
    curl -o '~/out' URL/text.txt
    curl -O URL/-
    curl -o '#1' 'URL/{-,z}'
    curl -d @~/headers URL/post
    curl --data-binary '@~/headers' URL/post
    curl --data-urlencode 'a@~/headers' URL/post
    curl -H '@~/headers' URL/get
    curl -F a=@~/headers URL/upload
    curl -F 'a=<"~/headers"' URL/upload
    curl -T '~/headers' -H Expect: URL/put
    curl --netrc-file '~/netrc' URL/get
    curl -w '@~/headers' URL/get
    curl -O -J URL/disposition
    curl -OJ URL/disposition
    curl -R -o dated.txt URL/text.txt
    curl -o '#1.txt' 'URL/{one,two}'
    curl -o 'f_#1_#2.txt' 'URL/{a,b}/[1-2]'
    curl -o - URL/text.txt
    curl URL/text.txt --no-clobber -o fresh.txt
    curl -f -o out.txt URL/text.txt
    curl --fail-with-body -o out.txt URL/text.txt
    curl --max-filesize 1M -o out.txt URL/text.txt
    curl --limit-rate 1M -o out.txt URL/text.txt
    curl -C - -o half.bin URL/file.bin
    curl -C 500 -o half.bin URL/file.bin
    curl -C 4 -T text.txt -H Expect: URL/put
    curl -C 99 -T text.txt URL/put
    curl -C 700 -o half.bin URL/file.bin
    curl -C 0 -o half.bin URL/file.bin
    curl -C 700 URL/file.bin
    curl -C 5 -o half.bin URL/get
    curl -C 5 URL/get
    curl -sf -C 5 -o half.bin URL/missing
    # Globbing
    curl 'URL/[1-3]'
    curl 'URL/[01-03]'
    curl 'URL/[1-9:4]'
    curl 'URL/[a-c]'
    curl 'URL/{one,two,three}'
    curl 'URL/{a,b}/[1-2]'
    curl 'URL/file[8-11].txt'
    curl -s 'URL/{x}'
    curl 'URL/\{literal\}'
    curl 'URL/get?ids[]=1&ids[]=2'
    curl 'URL/x[][1-2]'
    curl 'URL/{}'
    curl 'URL/a]b'
    curl 'URL/x[0]'
    curl 'URL/[9-7]'
    curl 'URL/{open'
    # Errors and redirects
    curl -sf URL/missing
    curl -fsSL URL/missing
    curl --fail-with-body URL/missing
    curl URL/missing
    curl -o out.txt URL/one URL/missing
    curl -sf -o out.txt URL/missing
    curl -iL URL/redirect
    curl -IL URL/redirect
    # Several
    curl URL/one URL/two
    curl URL/one --next URL/two
    curl URL/one -: URL/two
    curl -d a=1 URL/one --next -X DELETE URL/two
    curl -H 'X-A: 1' URL/one --next URL/two
    curl -d a=1 URL/one URL/two
    curl --fail-early URL/one URL/two
    # Retries
    curl --retry 1 --retry-delay 0 --retry-max-time 0 URL/get
    curl --retry 3 URL/get
    curl --retry 2 --retry-delay 1 URL/flaky
    curl --retry 2 --retry-delay 1 --retry-max-time 30 URL/get
    curl --retry 5 --retry-connrefused --retry-all-errors URL/get
    curl -s -L --max-redirs 1 --retry 1 --retry-delay 1 --retry-all-errors URL/loop
    curl -s -L --max-redirs 1 --retry 1 --retry-delay 1 URL/loop
    curl -s --compressed --retry 1 --retry-delay 1 --retry-all-errors URL/bad-gzip
    curl -s -o f --max-filesize 2 --retry 1 --retry-delay 1 --retry-all-errors URL/text.txt
    curl -s --retry 1 --retry-delay 1 http://nothing.invalid/
    curl -s -r 3-5 -d abcdef URL/post
    curl -s -r 3 --data-binary @text.txt URL/post
    curl -s -w '%{exitcode} %{errormsg}\n' URL/missing
    curl -s -w '%{exitcode} %{http_code}\n' -T no-such-file URL/put
    curl -s -w '%{exitcode} %{http_code}\n' --cacert no-such-file SECURE/get
    curl -s -G -d '' URL/get
    curl --retry 2 --retry-delay 1 -d a=1 URL/flaky
    # Connections
    curl --resolve example.test:PORT:127.0.0.1 http://example.test:PORT/get
    curl --resolve '+example.test:PORT:127.0.0.1' http://example.test:PORT/get
    curl --connect-to example.test:80:127.0.0.1:PORT http://example.test/get
    curl --connect-to ::127.0.0.1:PORT http://example.test/get
    curl -x http://HOST http://example.test/through-proxy
    curl --proxy HOST http://example.test/through-proxy
    curl -x HOST -U puser:ppass http://example.test/through-proxy
    curl --proxy-user 'p u:p@ss' --proxy http://HOST http://example.test/through-proxy
    curl -x http://HOST --noproxy '*' URL/get
    curl -s -x http://HOST --noproxy '*,h' http://example.test/through-proxy
    curl -s -x http://HOST --noproxy 'h *' http://example.test/through-proxy
    echo; export no_proxy='h,*' http_proxy=http://HOST; curl -s http://example.test/through-proxy
    curl -x HOST --proxy-header 'X-Proxy: 1' --proxy-header 'X-Empty;' http://example.test/through-proxy
    curl -x HOST -U a:b --proxy-basic http://example.test/through-proxy
    curl --proxy1.0 HOST http://example.test/through-proxy
    curl --request-target '*' -X OPTIONS URL
    curl --request-target /other URL/get
    curl -0 URL/get
    curl --http1.0 -d a=1 URL/post
    curl --tr-encoding URL/get
    curl --raw URL/get
    curl --tls13-ciphers TLS_AES_128_GCM_SHA256 URL/get
    curl --noproxy '*' URL/get
    curl -x '' URL/get
    curl --interface lo URL/get
    curl --http2 URL/get
    curl --tcp-nodelay --keepalive-time 60 URL/get
    curl --no-keepalive URL/get
    curl --happy-eyeballs-timeout-ms 100 URL/get
    curl --proto '=http' URL/get
    curl --proto '=https' URL/get
    curl --proto-default http HOST/get
    curl --proto '=http,https' --tlsv1.2 -sSf URL/install.sh
    curl HOST/get
    curl -Y 100 -y 5 URL/get
    # Configuration files and variables
    curl --disallow-username-in-url http://u@HOST/get
    curl -sS --stderr log.txt URL/get
    curl -K config.txt
    curl -K config.txt -H 'X-Typed: 1'
    curl --config config.txt URL/second
    curl -q URL/get
    curl -q -K config.txt
    # Behavior that fails
    curl
    curl -X
    curl --no-such-option URL/get
    curl -d a=1 -F b=2 URL/post
    curl -d @no-such-file URL/post
    curl -F file=@no-such-file URL/upload
    curl -T no-such-file URL/put
    curl --data-urlencode name@no-such-file URL/post
    curl -I -d a=1 URL/post
    curl ftp://127.0.0.1:1/file
    curl http://127.0.0.1:1/refused
    curl URL/truncated
    curl --max-filesize 5 URL/text.txt
    curl -m 1 URL/slow
    curl -L --max-redirs 2 URL/loop
    curl 'http://:bad:url'
    curl -o /no/such/dir/x URL/text.txt
    curl --cacert no-such.pem URL/get
    # Redirects with bodies
    curl -L -d a=1 URL/redirect
    curl -L -d a=1 URL/redirect/307
    curl -L --post302 -d a=1 URL/redirect
    curl -L -d a=1 URL/redirect/303
    curl -L -X POST URL/redirect/308
    curl -L -T text.txt URL/redirect/307
    curl -L -u user:pass URL/redirect
    curl -L -H 'Authorization: Bearer x' URL/redirect
    curl -L -b a=1 URL/redirect
    # As APIs write them
    curl -X POST URL/v1/chat/completions -H "Authorization: Bearer key" -H "Content-Type: application/json" -d '{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
    curl URL/v1/charges -u sk_test_4eC39: -d amount=2000 -d currency=usd -d source=tok_visa -d "description=My First Charge"
    curl -H "X-Vault-Token: t" -X LIST URL/v1/secret/metadata
    curl -X POST -H 'Content-type: application/json' --data '{"text":"Deploy done :rocket:"}' URL/services/T0/B0/X
    curl -X POST URL/oauth/token -d grant_type=client_credentials -d client_id=a -d client_secret=b
    curl -X PUT "URL/index/_doc/1?pretty" -H 'Content-Type: application/json' -d'{"user":"kim"}'
    curl -X GET "URL/_search?pretty" -H 'Content-Type: application/json' -d'{"query":{"match_all":{}}}'
    curl -sXPOST URL/job/build --user admin:token --data-urlencode json='{"parameter": [{"name":"id", "value":"1"}]}'
    curl -XPUT --data-binary @text.txt -H "Content-Type: application/octet-stream" URL/bucket/key
    curl -H "Accept: application/vnd.docker.distribution.manifest.v2+json" URL/v2/library/alpine/manifests/latest
    curl --request POST --url 'URL/v3/mail/send' --header 'authorization: Bearer k' --header 'content-type: application/json' --data '{"to":[{"email":"a@example.org"}]}'
    curl -X PATCH 'URL/api/v2/tickets/1.json' -H 'Content-Type: application/json' -d '{"ticket":{"status":"solved"}}' -v -u 'a@example.org/token:x'
    curl -sS -X POST --fail --data-urlencode "payload={\"text\": \"hi\"}" URL/hook
    curl -i -X POST -H 'Accept: application/json' -H 'Content-Type: application/json; charset=utf-8' URL/graphql --data '{"query":"{ a }"}'
    curl -v URL/get
    # Typed fields in the place of an option's
    curl -s --compressed -H 'Accept-Encoding: gzip, deflate, br' URL/get
    curl -s --compressed -H 'accept-encoding: gzip' URL/get
    curl -s --compressed -H 'Accept-Encoding:' URL/get
    curl -s -G --json 1 URL/get
    curl -s -G --json 1 -H 'Accept: text/plain' URL/get
    curl -s --netrc-optional --netrc-file no-such-file URL/get
    curl -s --netrc-optional --netrc-file netrc URL/get
    # Redirects and lengths that are unusual
    curl -sL URL/redirect/300
    curl -s URL/redirect/300
    curl -sL -w '%{http_code} %{num_redirects}' URL/redirect/dead
    curl -s URL/both
    curl -s -w '%{url}' HOST/a
    curl -s -w '%{url}' URL
    curl -s -w '%{http_version}' URL/get
    # The status of a proxy
    curl -s -f -p -x HOST http://refused.example/x
    curl -s -p -x HOST http://refused.example/x
    curl -s -w '%{http_connect}' -f -p -x HOST http://refused.example/x
    # A limit for each attempt
    curl -s --max-time 1 --retry 1 --retry-delay 1 -o out.txt URL/slow
    """#
