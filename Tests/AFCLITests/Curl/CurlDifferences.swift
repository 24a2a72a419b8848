/// The commands of the corpus for which afcli differs from curl on purpose, each with the subject of the difference.
///
/// The manual and `Documentation/curl.md` describe the differences; see `CurlDifference`.
let curlDifferences: [String: String] = [
    "curl -b cookies.txt -b more-cookies.txt URL/get": "order of cookies",
    "curl -b cookies.txt URL/one --next -b more-cookies.txt URL/two": "order of cookies",
    "curl -sf URL/missing URL/two": "connections of errors",
    "curl -sf URL/missing --next URL/two": "connections of errors",
    #"curl -w '%{num_connects}\n' -sf URL/missing URL/two"#: "connections of errors",
    "curl -H 'Cookie: a=1' -b cookies.txt URL/get": "one Cookie field",
    "curl -b cookies.txt -c jar.txt URL/delete/kept URL/get": "removed cookies",
    "curl -b dumped.txt -c jar.txt URL/get": "cookies of headers",
    "curl -b a=1 -L URL/elsewhere": "credentials after redirects",
    "curl --globoff 'URL/get?filter[name]=a&x={1}'": "percent-encoding",
    "curl 'URL/get?q=\"x\"'": "percent-encoding",
    "curl 'URL/get?a|b'": "percent-encoding",
    #"curl -s "URL/$(printf '\351')""#: "percent-encoding",
    #"curl 'URL/\{literal\}'"#: "percent-encoding",
    "curl -z 'Sun, 06 Nov 1994 08:49:37 GMT' URL/get": "ignored conditions",
    "curl -z '-Sun, 06 Nov 1994 08:49:37 GMT' URL/get": "ignored conditions",
    "curl -z text.txt -o new.txt URL/get": "ignored conditions",
    "curl -H 'Content-Length: 2' -d abc URL/post": "typed lengths",
    "curl -m 1 -H 'Content-Length: 5' -d abc URL/post": "typed lengths",
    "curl -X POST URL/post": "Content-Length: 0",
    "curl -L -X POST URL/redirect/308": "Content-Length: 0",
    "curl -C - -o half.bin URL/file.bin": "continued files",
    "curl --retry 2 --retry-delay 1 URL/flaky": "retried responses",
    "curl --retry 2 --retry-delay 1 -d a=1 URL/flaky": "retried responses",
    "curl -o /no/such/dir/x URL/text.txt": "missing files",
    "curl -s -o /no/such/dir/x -o y URL/one URL/two": "missing files",
    "curl -s -o y -o /no/such/dir/x URL/one URL/two": "missing files",
    "curl -s --fail-early -o sub/ -o y URL/one URL/two": "missing files",
    "curl -s -o sub/ URL/get": "missing files",
    "curl -s -o sub URL/get": "missing files",
    "curl -s -o subdir URL/get": "missing files",
    "curl -s -o /dev/fd/9 URL/get": "missing files",
    "curl --cacert no-such.pem URL/get": "missing files",
    "curl -s --ntlm -u a:b -F a=b URL/post": "type of no form",
    "curl --proxy-cacert no-such.pem URL/get": "missing files",
    "curl ftp://127.0.0.1:1/file": "other schemes",
    "curl -s -i URL/early-end": "incomplete headers",
    "curl -s URL/chunked-twice": "contradictory lengths",
    "curl -s -F 'a=b=c;encoder=quoted-printable' URL/upload": "length of forms",
    "curl -s -F a=b -H 'Content-Type: multipart/form-data; boundary=xyz' URL/upload": "typed boundaries",
    #"curl -s -b "a=$(head -c 9000 /dev/zero | tr '\0' x)" URL/get"#: "limits of cookies",
    "curl -s -F a=b -H 'Content-Type:' URL/upload": "forms without a type",
    "curl -s http://@HOST/get": "empty user names",
    "echo 'machine 127.0.0.1 login other password op' > n; curl -s --netrc-file n http://me@HOST/get": "other logins",
    "curl -sL -x HOST -U a:b --proxy-digest http://example.test/redirect": "challenges of proxies",
    "echo theirs > half.bin.part; curl -s -C - -o half.bin URL/file.bin": "continued files",
]

/// The differences from curl 7.88 of Debian 12; curl 8.14 of Debian 13 does what afcli does.
let curl7Differences: [String: String] = [
    "curl -d @body.bin URL/post": "curl 7.88 ends the text at a zero byte",
    "curl -T text.txt URL/put": expectation,
    "curl -T text.txt URL/dir/": expectation,
    "curl --upload-file body.bin URL/put": expectation,
    "curl -T text.txt -X POST URL/post": expectation,
    "curl -T text.txt -H 'Content-Type: text/plain' URL/put": expectation,
    "curl -T text.txt -H 'Transfer-Encoding: chunked' URL/put": expectation,
    "curl -T '{text.txt,body.bin}' URL/dir/": expectation,
    "curl -L -T text.txt URL/redirect/307": expectation,
    "curl -d @no-such-file URL/post": missing,
    "curl --data-urlencode name@no-such-file URL/post": missing,
    "curl -b cookies.txt --next -b more-cookies.txt URL/get": "curl 7.88 ignores --next without a URL before it",
    "curl --mptcp URL/get": "curl 7.88 does not have the option",
    "curl -s -O URL": namelessURL,
    "curl -s -OJ URL/": namelessURL,
    "curl -s -O URL/dir/": namelessURL,
    "curl -s -O URL/dir/?a=b": namelessURL,
    "curl -s --no-remote-name -O URL/x.txt URL/y.txt": "for curl 7.88 --no-remote-name is the output of a URL",
    "curl -s --etag-compare none -o out.txt URL/tag": "for curl 7.88 a missing file of --etag-compare is an error",
    "curl -s -w '%{scheme} %{filename_effective}' -o /dev/null URL/get": scheme,
    "curl -k --tls-max 1.2 -w '%{num_certs} %{scheme}' SECURE/get": scheme,
    "curl -s -w '%{scheme}' http://127.0.0.1:1/": "curl 7.88 has no scheme without a connection",
    "echo bogus > config; curl -K config URL/get": "curl 7.88 ignores an invalid line of a typed file",
    "echo 'retry = abc' > c; curl -K c URL/get": "curl 7.88 ignores an invalid line of a typed file",
    "curl -s -d abc -C 2 URL/post": restOfData,
    "curl -s -d x -C 2 URL/post": restOfData,
    "curl -s --json 1 -C 1 URL/post": restOfData,
    "curl -s -F a=b -C 2 URL/post": restOfData,
    "curl -s -d x -C - -o half.bin URL/post": restOfData,
    "curl -s 'URL/[1-3:+1]'": "for curl 7.88 a step may have a sign",
    "curl -s -H @no-such-file URL/get": missing,
    "curl -s -w @no-such-file URL/get": missing,
    "curl -s http://127.0.0.1:1/ 'URL/{a'": "curl 7.88 ends with the failure before an invalid pattern",
    "curl -sf URL/missing 'URL/{a'": "curl 7.88 ends with the failure before an invalid pattern",
    "curl -s -I --max-filesize 2 URL/get": "curl 7.88 omits the end of a header with a length that it refuses",
]

/// The differences from curl 8.14 only; curl 7.88 does what afcli does.
let curl8Differences: [String: String] = [
    #"echo "$(printf '127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb')" > c; curl -s -b @c URL/get"#: cookieFile,
    #"echo "$(printf '127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb')" > c=d; curl -s -b @c=d URL/get"#: cookieFile,
    "curl -c new-jar.txt URL/cookies": lifetime,
    "curl -c jar.txt URL/set/a/1 URL/keep/b/2": lifetime,
    "curl -b cookies.txt -c jar.txt URL/keep/new/1": lifetime,
    "curl -b cookies.txt -c cookies.txt URL/keep/new/1": lifetime,
    "curl -c - URL/keep/a/1": lifetime,
    "curl -s -c - URL/set/a/1 URL/keep/b/2": lifetime,
    "curl -O -c jar.txt URL/keep/a/name.txt": lifetime,
    "curl 'URL/get?'": "curl 8.14 drops an empty query",
    "curl -s -OJ URL/disposition/missing": "curl 8.14 ignores the file name of an error",
    "curl -s -I -OJ URL/disposition": "curl 8.14 writes the header to the file of --remote-header-name",
    "curl -s -i -OJ URL/disposition": "curl 8.14 writes the header to the file of --remote-header-name",
    "curl -s --output-dir '' -O URL/x.txt": blank,
    "curl -c '' URL/set/a/1 URL/get": blank,
    "curl -s -T text.txt -H Expect: 'URL/dir/?a=b'": "curl 8.14 adds no file name to a URL with a query",
    "curl -s --etag-save etag.txt -o out.txt URL/get": "curl 8.14 keeps the tag of an older response",
    "curl -s --etag-save - URL/tag": "curl 8.14 cannot write a tag to standard output",
    #"echo 'retry = abc' > .curlrc; echo 'header = "X-A: 1"' >> .curlrc; curl -s URL/get"#:
        "curl 8.14 reads a file up to an invalid line",
    #"echo --bogus > .curlrc; echo 'header = "X-A: 1"' >> .curlrc; curl -s URL/get"#:
        "curl 8.14 reads a file up to an invalid line",
    "curl -s --socks5 '' URL/get": blank,
    "curl -s -x HOST --socks5 '' URL/get": blank,
    "echo; export http_proxy=http://127.0.0.1:1; curl -s --socks5 '' URL/get": blank,
    "echo; export http_proxy=http://127.0.0.1:1; curl -s --preproxy '' URL/get": blank,
    "curl -s --socks4a '' --preproxy '' --interface '' --connect-to '' URL/get": blank,
    "curl -s --interface nope --interface '' URL/get": blank,
    "curl -s --netrc-file '' --doh-url '' --aws-sigv4 '' --proxy-header '' URL/get": blank,
    "curl -s --netrc-file netrc --netrc-file '' URL/get": blank,
    "curl -s -n --netrc-file '' URL/get": blank,
    "curl -s --aws-sigv4 '' -u KEY:SECRET URL/get": blank,
    "curl -s --no-anyauth -u user:pass URL/digest": "curl 8.14 has no --no-anyauth",
    "curl -s --anyauth --no-anyauth -u user:pass URL/digest": "curl 8.14 has no --no-anyauth",
    "curl -s -C 500 URL/204": noRange,
    "curl -s -C 500 -o half.bin URL/204": noRange,
    "curl -s -C 5 -o half.bin URL/empty": noRange,
    "curl -s -C 5 -i -o half.bin URL/empty": noRange,
    "curl -s -C 500 -o half.bin -H 'If-Modified-Since: x' URL/dated": noRange,
    "curl -s -C 500 -o new.bin -H 'If-Modified-Since: x' URL/dated": noRange,
    "curl -s -f -C 2000 -o half.bin URL/file.bin": "for curl 8.14 a refused range of -f is the end of the file",
    "curl -s -w '%{HTTP_CODE} %{Size_Download}' URL/get": "curl 8.14 knows variables in lower case only",
    "curl -s -w '%{num_connects} %{num_headers} %{remote_ip}:%{remote_port}' -p -x HOST http://refused.example/x":
        "curl 8.14 has no address of a proxy that refused the tunnel",
    "curl -s -I -X GET URL/get URL/one": "curl 8.14 closes a connection whose body it does not read",
    "echo 'header = \"X-A: 1\"' > sub/.curlrc; export XDG_CONFIG_HOME=sub; curl -s URL/get":
        "curl 8.14 reads curlrc in XDG_CONFIG_HOME, and not .curlrc",
    #"echo 'machine 127.0.0.1 login u password p\0351' > n; curl -s --netrc-file n URL/get"#:
        "curl 8.14 ends a password at a byte that is not ASCII",
    #"echo "$(printf '  127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb')" > c; curl -s -b c URL/get"#: indentation,
    #"echo "$(printf '\t127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb')" > c; curl -s -b c URL/get"#: indentation,
    "curl -sZ http://127.0.0.1:1/ URL/two": orderOfEnds,
    "curl -sZ URL/one http://127.0.0.1:1/ URL/two": orderOfEnds,
    "curl -sfZ URL/missing URL/two": orderOfEnds,
    "curl -sZ -o '#1.txt' 'URL/{one,two}' --next -s http://127.0.0.1:1/": orderOfEnds,
]

/// Equal or not, by chance.
let orderOfEnds = "curl 8.14 ends with the status of the parallel transfer that ends last"

private let restOfData = "curl 7.88 sends other bytes of the data with -C, or none"
private let expectation = "Expect: 100-continue is sent for more than 1 MB only"
private let missing = "a missing file is an error before the request"
private let namelessURL = "curl 7.88 needs a file name at the end of the URL"
private let scheme = "curl 7.88 writes the scheme in capitals"
private let lifetime = "curl 8.14 limits the lifetime of a cookie to 400 days"
private let cookieFile = "curl 8.14 takes the at sign of -b for a part of the file's name, or of the cookie"
private let indentation = "curl 8.14 ignores cookies after blanks"
private let noRange = "for curl 8.14 a response without a body has not the range of -C"
private let blank = "for curl 8.14 an empty argument is an error"
