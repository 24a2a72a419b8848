/// Commands as in the documentation of APIs. `URL` is the server, `HOST` its host and port, `PORT` its port, `SECURE` the
/// same over TLS, `PLAIN` a server of another protocol, and `DEAD` a port without a server.
///
/// A command starts with `curl`, `echo` or `mkfifo` in the first column and may have several lines.
let curlCommands = [
    curlRequests, curlTransfers, curlFiles, curlOptions, curlSeveral, curlInput, curlDetails, curlNames, curlRare,
]
.joined(separator: "\n")

/// Commands about the request.
private let curlRequests = #"""
    # Plain requests
    curl URL/get
    curl 'URL/get?a=1&b=2'
    curl "URL/search?q=swift%20http&sort=desc"
    curl -X GET URL/users
    curl -XGET URL/users
    curl --request GET URL/users
    curl --request GET --url URL/users
    curl --url URL/users
    curl -s URL/users
    curl -sS URL/users
    curl -sSL URL/users
    curl -fsSL URL/install.sh
    curl -fsS URL/health
    curl --silent --show-error --fail URL/health
    curl -s -o /dev/null URL/health
    curl -s -o /dev/null -w "%{http_code}" URL/health
    curl -s -o /dev/null -w '%{http_code}\n' URL/health
    curl --silent --output /dev/null --write-out '%{http_code} %{content_type}\n' URL/health
    curl -w '\n%{http_code}' URL/get
    curl -w '%{method} %{url}\n' URL/get
    curl -w '%{size_download}\n' URL/get
    curl -w '%{num_redirects} %{redirect_url}\n' URL/redirect
    curl -w '%{header_json}' -o /dev/null URL/health
    curl -w '%{stderr}x' URL/get
    curl -s -w '%{exitcode}' URL/get
    curl -s -w '%{http_connect}' URL/get
    curl -s -w '%{exitcode} %{onerror}failed' -f URL/missing
    curl -I URL/users
    curl --head URL/users
    curl -I -X GET URL/users
    curl -i URL/users
    curl --include URL/users
    curl -i -s URL/users
    curl -D - -o /dev/null -s URL/users
    curl -s -D - -o out.txt URL/get
    curl -D head.txt URL/get
    curl --dump-header head.txt -o out.txt URL/text.txt
    curl -sL -D head.txt URL/redirect
    curl -D head.txt URL/one URL/two
    curl -D head.txt URL/one --next -D head2.txt URL/two
    curl -s -D /dev/null URL/get
    curl -i -o out.txt URL/get
    curl -iL -o out.txt URL/redirect
    curl -I -o out.txt URL/get
    curl -IL -o out.txt URL/redirect
    curl -sI -o /dev/null -w '%{http_code}\n' URL/get
    curl -s -i -o out.txt URL/missing
    curl -i --digest -u user:pass URL/digest
    curl -i -O URL/name.txt
    curl -i --create-dirs -o new/out.txt URL/get
    curl -G URL/search
    curl -L URL/redirect
    curl -L --max-redirs 5 URL/redirect
    curl --location URL/redirect
    curl --location --request GET 'URL/users'
    curl --location-trusted URL/redirect
    curl URL/redirect
    curl -k URL/get
    curl --insecure URL/get
    curl -4 URL/get
    curl -m 10 URL/get
    curl --max-time 10 --connect-timeout 5 URL/get
    curl --connect-timeout 2.5 URL/get
    curl --http1.1 URL/get
    curl --compressed URL/get
    curl --compressed -H 'Accept: application/json' URL/get
    curl --no-compressed URL/get
    curl -# -o out.bin URL/file.bin
    curl --progress-bar URL/file.bin -o out.bin
    curl --no-progress-meter URL/get
    curl -N URL/get
    curl --no-buffer URL/get
    curl -g 'URL/get?filter[name]=a'
    curl --globoff 'URL/get?filter[name]=a&x={1}'
    curl URL
    curl URL/
    curl URL/a/../b
    curl --path-as-is URL/a/../b
    curl URL/a/./b
    curl 'URL/a%20b'
    curl 'URL/caf%C3%A9'
    curl 'URL/get?x=%2F%3D'
    curl 'URL/get?a=b#fragment'
    curl 'URL/get?'
    curl 'URL/get?empty='
    curl 'URL/a;b=c/d'
    curl 'URL/get?a=1+2'
    curl 'URL/get?q="x"'
    curl 'URL/get?a|b'
    curl "URL/it's"
    curl 'URL/~user/(x)/*'
    curl 'URL//double//slash'
    curl 'URL/get?redirect=http://example.org/x?y=z'
    # Headers
    curl -H 'Accept: application/json' URL/get
    curl -H "Accept: application/json" -H "X-Api-Key: abc" URL/get
    curl -H 'Authorization: Bearer abc.def' URL/get
    curl --header 'Authorization: Bearer abc' --header 'Content-Type: application/json' URL/get
    curl -H 'Accept:' URL/get
    curl -H 'User-Agent:' URL/get
    curl -H 'X-Empty;' URL/get
    curl -H 'X-A: 1' -H 'X-A: 2' URL/get
    curl -H 'x-lower: v' URL/get
    curl -H 'Host: example.org' URL/get
    curl -H 'Connection: close' URL/get
    curl -H 'Cache-Control: no-cache' -H 'Pragma: no-cache' URL/get
    curl -H 'Accept-Language: de-DE,de;q=0.9,en;q=0.8' URL/get
    curl -H 'If-None-Match: "abc"' URL/get
    curl -H 'If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT' URL/get
    curl -H 'X-Json: {"a": "b"}' URL/get
    curl -H 'X-Spaces:    padded   ' URL/get
    curl -H 'X-Colon: a:b:c' URL/get
    curl -H 'X-Unicode: café' URL/get
    curl -H @headers.txt URL/get
    curl -H 'Accept: application/vnd.github+json' -H 'X-GitHub-Api-Version: 2022-11-28' URL/repos/o/r
    curl -H 'Accept: application/vnd.api+json; version=2' URL/get
    curl -A 'Mozilla/5.0 (X11; Linux x86_64)' URL/get
    curl --user-agent 'my app' URL/get
    curl -A '' URL/get
    curl -e http://example.org/from URL/get
    curl --referer 'http://example.org/;auto' URL/get
    curl -H 'Referer: http://a/' -e http://b/ URL/get
    curl -H 'User-Agent: one' -A two URL/get
    curl -z 'Sun, 06 Nov 1994 08:49:37 GMT' URL/get
    curl -z '-Sun, 06 Nov 1994 08:49:37 GMT' URL/get
    curl -z text.txt -o new.txt URL/get
    curl -z 'dec 12 1980' URL/get
    curl -z 19801212 URL/get
    curl -z '-12 dec 2030 11:00:00' URL/file.bin
    curl -z '=dec 12 1980' URL/file.bin
    curl -z unknown URL/get
    curl -r 0-99 URL/file.bin
    curl -r 100- URL/file.bin
    curl -r -500 URL/file.bin
    curl --range 0-9 URL/file.bin
    curl -r 100 URL/file.bin
    curl -r abc URL/get
    curl -H 'Range: bytes=0-9' URL/file.bin
    curl -H 'Content-Type: application/json' URL/get
    curl --etag-compare etag.txt URL/get
    curl --etag-save new-tag.txt URL/file.bin -o out.bin
    curl --etag-save etag.txt --etag-compare etag.txt URL/file.bin -o out.bin
    curl --etag-save new-tag.txt URL/get
    # Data
    curl -d 'a=1' URL/post
    curl -d a=1 -d b=2 URL/post
    curl -d 'a=1&b=2' URL/post
    curl --data 'name=Daniel&tool=curl' URL/post
    curl --data-ascii 'a=1' URL/post
    curl --data-raw 'a=1' URL/post
    curl --data-raw '@literal' URL/post
    curl --data-binary 'a=1' URL/post
    curl --data-binary @body.bin URL/post
    curl --data-binary @text.txt URL/post
    curl --data-binary '@text.txt' -H 'Content-Type: text/plain' URL/post
    curl -d @text.txt URL/post
    curl -d @body.bin URL/post
    curl -d @text.txt -d more=1 URL/post
    curl -d one -d @text.txt --data-binary @text.txt URL/post
    curl -d '' URL/post
    curl --data '' -X PUT URL/put
    curl -X POST URL/post
    curl -X POST -d '' URL/post
    curl --request POST --data '{"a":1}' URL/post
    curl -X POST -H 'Content-Type: application/json' -d '{"a":1}' URL/post
    curl -X POST URL/post -H 'Content-Type: application/json' -d '{"name": "x", "n": [1, 2]}'
    curl URL/post -H "Content-Type: application/json" -d "{\"a\": \"b\"}"
    curl -X PUT -d 'a=1' URL/put
    curl -X PUT URL/put -H 'Content-Type: application/json' --data '{"id":1}'
    curl -X PATCH URL/patch -d '{"op":"replace"}' -H 'Content-Type: application/json-patch+json'
    curl -X DELETE URL/items/1
    curl -X DELETE URL/items/1 -H 'Authorization: Bearer t'
    curl -X DELETE -d '{"ids":[1,2]}' -H 'Content-Type: application/json' URL/items
    curl -X OPTIONS URL/items
    curl -X OPTIONS -H 'Origin: http://a.example' -H 'Access-Control-Request-Method: PUT' URL/items
    curl -X TRACE URL/items
    curl -X PURGE URL/cache
    curl -X propfind URL/dav
    curl -d '{"text":"Hello, World!"}' -H 'Content-type: application/json' URL/hook
    curl -H 'Content-Type:' -d 'raw' URL/post
    curl -H 'Content-Type: text/plain; charset=utf-8' -d 'grüße' URL/post
    curl -H 'Content-Length: 3' -d 'abc' URL/post
    curl -H 'Transfer-Encoding: chunked' -d 'abc' URL/post
    curl -H 'Expect:' -d 'abc' URL/post
    curl -d 'multi
    line' URL/post
    curl -d '{
      "query": "{ viewer { login } }"
    }' -H 'Content-Type: application/json' URL/graphql
    curl --json '{"a":1}' URL/post
    curl --json '{"a":' --json '1}' URL/post
    curl --json @data.json URL/post
    curl --json '{"a":1}' -H 'Accept: text/plain' URL/post
    curl --json '{"a":1}' -X PUT URL/put
    curl --json '[]' -H 'Content-Type: application/x-custom' URL/post
    # Encoded data, in all five forms
    curl --data-urlencode 'a b&c' URL/post
    curl --data-urlencode '=a=b' URL/post
    curl --data-urlencode 'name=a b&c=d' URL/post
    curl --data-urlencode '@text.txt' URL/post
    curl --data-urlencode 'name@text.txt' URL/post
    curl --data-urlencode 'name=100% sure' URL/post
    curl --data-urlencode 'name=grüße' URL/post
    curl --data-urlencode 'q=a+b/c?d' --data-urlencode 'n=~x-._' URL/post
    curl -G --data-urlencode 'q=a b' URL/search
    curl -G --data-urlencode 'q=a b' -d page=2 URL/search
    curl -G -d 'q=kitties' -d 'count=20' URL/search
    curl --get --data 'a=1' 'URL/search?b=2'
    curl -G -d a=1 'URL/search#top'
    curl -G -X DELETE -d id=1 URL/items
    curl -G -I -d a=1 URL/search
    curl -G URL/search -d 'limit=10' -H 'Accept: application/json'
    curl --url-query 'a=b c' URL/search
    curl --url-query 'a=1' --url-query '+raw=%20' 'URL/search?x'
    curl --url-query 'a=1' -d body=1 URL/post
    # Multipart
    curl -F name=value URL/upload
    curl -F 'name=value' -F 'other=x y' URL/upload
    curl -F file=@text.txt URL/upload
    curl -F 'file=@text.txt' -F 'description=a text' URL/upload
    curl --form 'file=@"text.txt"' URL/upload
    curl -F 'file=@photo.jpg' URL/upload
    curl -F 'file=@body.bin' URL/upload
    curl -F 'file=@page.html' URL/upload
    curl -F 'file=@data.json' URL/upload
    curl -F 'file=@data.json;type=application/json' URL/upload
    curl -F 'file=@text.txt;type=text/csv;filename=report.csv' URL/upload
    curl -F 'file=@text.txt;filename=other.txt' URL/upload
    curl -F 'text=<text.txt' URL/upload
    curl -F 'text=<text.txt;type=text/markdown' URL/upload
    curl -F 'json={"a":1};type=application/json' URL/upload
    curl -F 'a="x;y"' URL/upload
    curl -F 'a=x;type=text/plain' URL/upload
    curl --form-string 'a=@literal;type=x' URL/upload
    curl -F 'a=1;headers="X-Part: yes"' URL/upload
    curl -F 'sub/dir=@text.txt' URL/upload
    curl -F "name=quote\"d" URL/upload
    curl -F 'file=@text.txt;filename="a\"b.txt"' URL/upload
    curl -X PUT -F file=@text.txt URL/upload
    curl -F 'empty=' URL/upload
    curl -F '=nameless' URL/upload
    curl -F 'a=text;encoder=base64' -F 'b=@body.bin;encoder=base64' URL/upload
    curl -F 'a=text;encoder=8bit;type=text/plain' URL/upload
    curl -F 'a=x;encoder=unknown' URL/upload
    curl --form-escape -F 'a"b\c=v' URL/upload
    curl -F a=1 -H 'Authorization: Bearer t' URL/upload
    curl -F 'grüße=wörld' URL/upload
    # Uploads
    curl -T text.txt URL/put
    curl -T text.txt URL/dir/
    curl --upload-file body.bin URL/put
    curl -T text.txt -X POST URL/post
    curl -T text.txt -H 'Content-Type: text/plain' URL/put
    curl -T text.txt -H 'Transfer-Encoding: chunked' URL/put
    curl -T '{text.txt,body.bin}' URL/dir/
    # Credentials
    curl -u user:pass URL/get
    curl --user user:pass URL/get
    curl -u 'user:p:a:ss' URL/get
    curl -u user: URL/get
    curl -u :token URL/get
    curl -u 'sk_test_123:' -d amount=100 URL/charges
    curl -u '@user:x' URL/get
    curl -u 'env:HOME' URL/get
    curl --basic -u user:pass URL/get
    curl --oauth2-bearer abc URL/get
    curl http://user:pass@HOST/get
    curl http://user@HOST/get
    curl http://us%40er:p%3Ass@HOST/get
    curl -u a:b http://c:d@HOST/get
    curl --digest -u user:pass URL/digest
    curl --anyauth -u user:pass URL/digest
    curl --anyauth -u user:pass -d a=1 URL/digest
    curl --digest --basic -u user:pass URL/digest
    curl --anyauth http://user:pass@HOST/digest
    curl --anyauth -u user:pass URL/get
    curl -n URL/get
    curl --netrc-file netrc URL/get
    curl --netrc-file netrc -u user:own URL/get
    curl -u a:b -H 'Authorization: Bearer z' URL/get
    # Cookies
    curl -b 'a=1' URL/get
    curl -b 'a=1; b=2' URL/get
    curl --cookie 'session=abc' URL/get
    curl -b a=1 -b b=2 URL/get
    curl -b cookies.txt URL/get
    curl -b missing-cookies.txt URL/get
    curl -b cookies.txt -H 'X-A: 1' URL/get
    curl -b a=1 -b cookies.txt URL/get
    curl -b cookies.txt -b more-cookies.txt URL/get
    curl -j -b more-cookies.txt URL/get
    curl -b dumped.txt URL/get
    curl -c new-jar.txt URL/cookies
    curl -b cookies.txt -c new-jar2.txt URL/get
    curl -L -b '' URL/cookies/redirect
    curl -H 'Cookie: a=1' URL/get
    """#
