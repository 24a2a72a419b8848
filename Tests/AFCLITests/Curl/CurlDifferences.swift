/// The commands of the corpus for which afcli differs from curl on purpose, each with the reason.
///
/// The manual lists the reasons under "curl commands".
let curlDifferences: [String: String] = [
    "curl -w '%{header_json}' -o /dev/null URL/health": "the JSON is on one line",
    "curl -b cookies.txt -b more-cookies.txt URL/get": "cookies of a path are in the order of their files",
    "curl --globoff 'URL/get?filter[name]=a&x={1}'": encodes,
    "curl 'URL/get?q=\"x\"'": encodes,
    "curl 'URL/get?a|b'": encodes,
    #"curl 'URL/\{literal\}'"#: encodes,
    "curl -z 'Sun, 06 Nov 1994 08:49:37 GMT' URL/get": condition,
    "curl -z '-Sun, 06 Nov 1994 08:49:37 GMT' URL/get": condition,
    "curl -z text.txt -o new.txt URL/get": condition,
    "curl -X POST URL/post": lengthZero,
    "curl -L -X POST URL/redirect/308": lengthZero,
    "curl -C - -o half.bin URL/file.bin": "the end of the file is downloaded again and compared",
    "curl --retry 2 --retry-delay 1 URL/flaky": retried,
    "curl --retry 2 --retry-delay 1 -d a=1 URL/flaky": retried,
    "curl -o /no/such/dir/x URL/text.txt": destination,
    "curl -s -o /no/such/dir/x -o y URL/one URL/two": destination,
    "curl -s -o y -o /no/such/dir/x URL/one URL/two": destination,
    "curl -s --fail-early -o sub/ -o y URL/one URL/two": destination,
    "curl -s -o sub/ URL/get": destination,
    "curl -s -o sub URL/get": destination,
    "curl -s -o subdir URL/get": destination,
    "curl -s -o /dev/fd/9 URL/get": destination,
    "curl --cacert no-such.pem URL/get": missing,
    "curl ftp://127.0.0.1:1/file": "the scheme is not http or https",
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
]

/// The differences from curl 8.14 only.
let curl8Differences: [String: String] = [
    "curl -c new-jar.txt URL/cookies": "curl 8.14 limits the lifetime of a cookie to 400 days",
    "curl 'URL/get?'": "curl 8.14 drops an empty query",
]

private let encodes = "characters that RFC 3986 excludes from a URL are percent-encoded"
private let condition = "a response that ignores the condition is shown"
private let lengthZero = "a POST, PUT or PATCH without a body has Content-Length: 0 (RFC 9110 section 8.6)"
private let expectation = "Expect: 100-continue is sent for more than 1 MB only"
private let destination = "the destination is checked before the request"
private let retried = "the body of a response that a retry replaces is not shown"
private let missing = "a missing file is an error before the request"
