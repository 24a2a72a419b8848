/// Commands about details of requests and responses.
let curlDetails = #"""
    # Locations
    curl -L URL/location/query
    curl -L URL/location/letters
    curl -L URL/location/empty
    curl -s -w '%{redirect_url}' URL/location/fragment
    curl -s -w '%{redirect_url}' URL/location/empty
    curl -L -w '%{url_effective}' URL/location/fragment
    # Fields about a body that a redirect drops
    curl -L -d a=1 -H 'Content-Type: text/x' URL/redirect
    curl -L -d a=1 -H 'Content-Language: de' URL/redirect
    curl -L --json '{}' URL/redirect
    curl -L --json '{}' URL/redirect/303
    # Cookies without a path
    curl -s -c jar.txt URL/deep/er/cookie
    curl -s -c jar.txt URL/deep/cookie URL/deep/x URL/deep URL/deeper
    curl -s -c jar.txt URL/deep/cookie; curl -s -b jar.txt URL/deep/x URL/deep URL/deeper
    curl -s -c jar.txt URL/deep/cookie; curl -s -b jar.txt -c jar.txt URL/deep/cookie URL/deep/x
    curl -s -c - URL/deep/cookie
    # Bodies of unknown length, and authentication that was not needed
    echo in | curl -s -T - URL/put
    echo in | curl -s -T . URL/put
    echo in | curl -s --digest -u a:b -T - URL/digest
    curl -s --digest -u a:b -T - URL/digest < /dev/null
    curl -s --ntlm -u a:b -d x URL/post
    curl -sk --ntlm -u a:b -d x SECURE/post
    curl -sk --ntlm --http1.1 -u a:b -d x SECURE/post
    curl -s --ntlm -u a:b -F a=b URL/post
    curl -s --ntlm -u a:b -T text.txt -H Expect: URL/put
    curl -s --ntlm -u a:b URL/get URL/two
    curl -s --digest -u a:b -F a=b -F c=@text.txt URL/digest
    # Bytes that are not UTF-8
    curl -s -u "$(printf 'u\351:p')" URL/get
    curl -s -u "$(printf 'u:p\377')" URL/get
    curl -s -F "a=$(printf '\351')" URL/post
    curl -s -F "$(printf '\351')=b" -F c=@text.txt URL/post
    curl -s --form-string "a=$(printf '\351')" URL/post
    curl -s --data-urlencode "a=$(printf '\351 b')" URL/post
    curl -s --data-urlencode "$(printf '\351')" URL/post
    curl -s "URL/$(printf '\303\274')"
    # Queries
    curl -s --url-query 'a=b/c d' URL/get
    curl -s --url-query a@text.txt URL/get
    curl -s --url-query '+a=%2F' URL/get
    # Typed and translated fields
    curl -s -r 0-3 -H 'Range: bytes=1-2' URL/file.bin
    echo > blank.txt; curl -s --etag-compare blank.txt URL/tag
    echo | head -c 0 > empty.txt; curl -s --etag-compare empty.txt URL/tag
    curl -s -F 'a= @text.txt' URL/post
    curl -s -F 'a= <text.txt' URL/post
    curl -s -w '%{content_type}' -o out.txt URL/types
    curl -s --max-filesize 0 URL/get
    curl -s -C 5 URL/wrong-range
    # Files of others
    echo theirs > named.txt.part; curl -s -OJ URL/disposition
    echo theirs > get.part; curl -s -OJ URL/get
    echo theirs > named.txt.part; curl -s -OJ URL/disposition URL/get
    # Errors of the URL
    curl -s -w '%{exitcode} %{http_code}' xyz://HOST/get
    curl -s -w '%{exitcode}' --disallow-username-in-url http://u@HOST/get
    curl -s -w '%{exitcode}' --proto =https URL/get
    curl -s -w '%{exitcode} %{urlnum}\n' --proto =https URL/get URL/two
    curl -s -w '%{exitcode}' 'http://[zz]/'
    # Options that end a command line
    curl -s -f --fail-with-body URL/missing
    curl -s --fail-with-body URL/get --next -f URL/two
    echo "$(printf 'header = "X-A: 1"\r')" > c; echo "$(printf 'url = URL/get\r')" >> c; curl -s -K c
    echo 'retry = abc' > .curlrc; echo 'header = "X-A: 1"' >> .curlrc; curl -s URL/get
    echo 'retry = abc' > c; curl -K c URL/get
    curl -s --retry abc URL/get
    # Several transfers
    curl -s --rate 50/s URL/one URL/two
    curl -s -o '#1.txt' 'URL/[1-4]'
    curl -s -O URL/one URL/missing -O URL/three
    curl -s URL/one --next
    curl -s URL/one --next -d a=1
    curl -s -o a -D a URL/get
    curl -s -i -o a -D a URL/get
    curl -s -i -o out.txt --retry 2 --retry-delay 1 URL/flaky
    curl -s -iL -o out.txt --retry 2 --retry-delay 1 URL/flaky
    curl -s -w '%{url_effective} %{exitcode}' http:HOST
    curl -s -w '%{url_effective}' 'URL/get#'
    curl -s ://HOST
    # Servers of HTTP/1.0
    curl -sL URL/redirect/1.0
    curl -sL -d a=1 URL/redirect/1.0
    curl -s --digest -u user:pass URL/digest/1.0
    curl -s -w '%{num_connects} %{http_code}\n' --digest -u user:pass URL/digest/1.0
    curl -s --anyauth -u user:pass -d a=1 URL/digest/1.0
    # Redirects that are unusual, or not followed
    curl -sL 'URL/location/no-query?a=b'
    curl -sL URL/location/empty-query
    curl -s -w '%{redirect_url}' URL/location/query
    curl -s -w '%{redirect_url}' URL/location/letters
    curl -sL -w '%{num_redirects} %{redirect_url}' URL/location/mail
    curl -sL URL/redirect/304
    curl -s URL/redirect/304
    # Headers that end early, and bodies that are not read
    curl -s -i URL/bad-field
    curl -s -i URL/bad-length
    curl -s -i URL/early-end
    curl -sI URL/transfer-coding
    curl -s --raw URL/transfer-coding
    # Header lines as they are typed
    curl -s -H 'X-A:b' -H 'X-B:  c  ' -H 'x:y:z' URL/get
    curl -s -H ': x' -H ':' URL/get
    echo 'X-A:b  ' > head.txt; curl -s -H @head.txt URL/get
    curl -s -x HOST --proxy-header @headers.txt http://example.test/x
    # Names and files of --data-urlencode
    curl -s --data-urlencode 'a@b=c' URL/post
    echo | head -c 0 > empty.txt; curl -s --data-urlencode x@empty.txt URL/post
    curl -s -G -d '' 'URL/get?a=b'
    curl -s -F 'a=b;headers=<headers.txt' URL/upload
    curl -s -b sub URL/get
    # Passwords of netrc files, and of proxies
    curl -s --netrc-file netrc http://netuser@HOST/get
    curl -s --netrc-file netrc http://netuser:own@HOST/get
    curl -s --netrc-optional --netrc-file netrc http://netuser:own@HOST/get
    echo; export http_proxy=HOST; curl -s -U a:b http://example.test/x
    curl -s -x HOST:x URL/get
    """#
