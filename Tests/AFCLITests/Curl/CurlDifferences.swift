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
    "curl --proxy-cacert no-such.pem URL/get": "missing files",
    "curl ftp://127.0.0.1:1/file": "other schemes",
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
]

/// The differences from curl 8.14 only.
let curl8Differences: [String: String] = [
    "curl -c new-jar.txt URL/cookies": "curl 8.14 limits the lifetime of a cookie to 400 days",
    "curl 'URL/get?'": "curl 8.14 drops an empty query",
]

private let expectation = "Expect: 100-continue is sent for more than 1 MB only"
private let missing = "a missing file is an error before the request"
