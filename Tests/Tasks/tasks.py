"""The tasks: what a user wants, the command, and what it must write. The variables are those of servers.py."""

import dataclasses


@dataclasses.dataclass
class Task:
    number: str
    title: str
    command: str | None
    """A bash command; None if the tool has no way to do it."""
    output: str = ""
    """A regular expression that the output contains."""
    status: int = 0
    errors: str = ""
    """A regular expression that the messages contain."""
    needs: str = ""
    """An option, or a word of `--help=all`, without which the task is pending."""
    reason: str = ""
    """Why the task is impossible."""


REQUESTS = [
    Task("1", "GET JSON, pretty, in a pipe", "afcli --pretty format $API/health | cat", r'\n    "status": "up"'),
    Task("2", "POST JSON", "afcli $API/people name=Ada born:=1815", r'"born": ?1815'),
    Task("3", "POST nested JSON", "afcli $API/echo user[name]=Ada user[tags][]=x user[tags][]=y --filter body",
         r'"tags": ?\[\s*"x",\s*"y"'),
    Task("4", "PUT JSON from a file", "afcli put $API/people/1 @p.json", '"Edith"'),
    Task("5", "Merge patch: set one member, delete one",
         "afcli patch $API/people/2 Content-Type:application/merge-patch+json born:=null city=London",
         r'\{"city":"London","id":2,"name":"Edith"\}'),
    Task("6", "JSON Patch: an array as the body",
         """afcli patch $API/people/3 Content-Type:application/json-patch+json \\
  --raw '[{"op":"remove","path":"/born"}]'""",
         r'\{"id":3,"name":"Joan"\}'),
    Task("7", "Status code only, for a script", "afcli -qqw '%{http_code}' $API/people/999", r"^404$", status=4),
    Task("8", "Query with spaces, repeated, in Unicode", "afcli $API/echo q=='a b&ü' tag==x tag==y --filter args",
         r'"a b&(ü|\\u00fc)".*"x",\s*"y"'),
    Task("9", "Bearer token from the environment", "export TOKEN=t0ps3cret; afcli $API/secret -A bearer -a env:TOKEN",
         '"ok":true'),
    Task("10", "Digest login", "afcli -A digest -a ada:pw $API/digest", '"authenticated":true'),
    Task("11", "Form POST", "afcli -f $API/echo a=1 b='x y' --filter body", r'"x y"'),
    Task("12", "Created resource: its Location, then GET it",
         "L=$(afcli $API/people name=Zoe -qqw '%header{location}'); afcli $API$L", '"name":"Zoe"'),
    Task("13", "Two values of one response (id and Location)",
         r"{ read id; read loc; } < <(afcli $API/people name=Zoe --filter id -w '%header{location}\n'); echo $id $loc",
         r"^(\d+) /people/\1$"),
    Task("14", "Table of id and name from an array",
         "afcli $API/people --filter '[].{id,name}' --raw-output | sed -n 5p", r"^5\tAda$"),
    Task("15", "Elements that meet a condition", "afcli $API/people --filter '[?id==25].name' --raw-output", "^Ada$"),
    Task("16", "Token login, then a call", """\
T=$(afcli $API/login.json user=ada password=pw --filter token --raw-output)
afcli $API/me -A bearer -a $T""", '"name":"Ada"'),
    Task("17", "Login with a wrong password: why?",
         "afcli $API/login.json user=ada password=no --filter token --raw-output", "^$", status=4,
         errors="wrong password"),
    Task("18", "OAuth 2 client credentials",
         "afcli $API/me -A oauth2 -a app:s3cret --token-url http://127.0.0.1$API/oauth/token", '"name":"Ada"'),
    Task("19", "Login form with CSRF token and cookies", """\
t=$(afcli --session ./s.json $API/login --filter-text '/name="csrf_token" value="([^"]+)"/')
afcli -L --session ./s.json -f $API/login csrf_token=$t user=ada password=pw""", "hello ada"),
    Task("20", "Registry: bearer challenge, token, manifest, blob with digest", """\
U=$API/v2/app/manifests/latest
c=$(afcli -qq --expect-status 401 -w '%header{www-authenticate}' $U)
g() { sed -n "s/.*$1=\\"\\([^\\"]*\\)\\".*/\\1/p" <<<$c; }
export T=$(afcli $(g realm) service==$(g service) scope==$(g scope) --filter token --raw-output)
d=$(afcli $U -A bearer -a env:T --filter 'layers[0].digest' --raw-output)
afcli $API/v2/app/blobs/$d -A bearer -a env:T -qo layer --checksum $d && cat layer""", "a layer of an image"),
    Task("21", "Webhook with an HMAC signature of the body", """\
s=$(afcli --offline -p B $API/hook a=push r=main | openssl dgst -sha256 -hmac topsecret -r)
afcli $API/hook a=push r=main X-Hub-Signature-256:sha256=${s%% *}""", '"valid":true'),
    Task("22", "Presigned URL: ask, upload, show the ETag", """\
afcli put "$(afcli $API/presign name=p.jpg type=image/jpeg --filter url --raw-output)" @photo.jpg \
-qqw '%header{etag}\\n'""", r'^"[0-9a-f]{32}"$'),
    Task("23", "S3: bucket, object, list", """\
s='-A aws-sigv4 -a ::us-east-1:s3'
afcli put $S3/one $s; afcli put $S3/one/x @photo.jpg $s; afcli $S3/one $s --filter-text '/<Key>[^<]*/'""", "<Key>x"),
    Task("24", "S3: an upload in parts of 6 MB", """\
s='-A aws-sigv4 -a ::us-east-1:s3'; U=$S3/two/big; afcli -q put $S3/two $s
i=$(afcli post "$U?uploads" $s --filter-text '/<UploadId>([^<]*)/'); split -b 6M up.bin part.; n=1; x=
for p in part.*; do
  e=$(afcli put $U partNumber==$n uploadId==$i @$p $s -qqw '%header{etag}')
  x+="<Part><PartNumber>$n</PartNumber><ETag>$e</ETag></Part>"; n=$((n+1))
done
afcli -q post $U uploadId==$i $s Content-Type:text/xml --raw "<CompleteMultipartUpload>$x</CompleteMultipartUpload>"
afcli $U $s | cmp - up.bin && echo same""", "same"),
    Task("25", "Upload in parts, offset from HEAD", """\
l=$API$(afcli post $API/uploads -qqw '%header{location}'); o=0
while [ $o -lt 12032000 ]; do
  tail -c +$((o+1)) up.bin | head -c 5000000 |
    afcli patch $l Content-Type:application/offset+octet-stream Upload-Offset:$o @- -q
  o=$(afcli head $l -qqw '%header{upload-offset}')
done; [ $(afcli $l) = $(sha256sum up.bin | cut -d ' ' -f 1) ] && echo same""", "same"),
    Task("26", "Optimistic locking: GET, edit, PUT with If-Match, conflict", """\
e=$(afcli $API/doc -qo d.json -w '%header{etag}')
jq '.title="New"' d.json | afcli put $API/doc If-Match:$e @- && afcli put $API/doc If-Match:$e @d.json""",
         '"title":"New".*"the document changed"', status=4),
    Task("27", "Download only if changed (ETag)", "afcli -qc $API/doc -o c.json; afcli -c $API/doc -o c.json",
         errors="complete|not modified|unchanged|already"),
    Task("28", "Multipart: JSON part and file part",
         "afcli $API/parts -F 'meta={\"n\":1};type=application/json' -F file=@photo.jpg",
         '"file":"image/jpeg".*"json":true'),
    Task("29", "CSV body from a file", "afcli $API/bulk @d.csv", '"lines":3,"type":"text/csv"'),
    Task("30", "NDJSON body from a pipe", "cat d.ndjson | afcli post $API/bulk @- Content-Type:application/x-ndjson",
         '"lines":2,"type":"application/x-ndjson"'),
    Task("31", "Protobuf body, and the response to a file",
         "afcli -q $API/binary @d.pb Content-Type:application/x-protobuf -o o.pb && xxd -p o.pb || od -An -tx1 o.pb",
         "01 ?96 ?08"),
    Task("32", "Compressed request body (gzip)",
         "gzip -c d.csv | afcli post $API/bulk @- Content-Type:text/csv Content-Encoding:gzip", '"lines":3'),
    Task("33", "SOAP, response formatted",
         "afcli $API/soap --raw '<a/>' Content-Type:text/xml SOAPAction:Add --pretty format", r"\n +<sum>3</sum>"),
    Task("34", "GraphQL query from a file, with variables",
         "afcli $API/graphql query=@q.graphql variables[id]:=4", '"name":"Radia"'),
    Task("35", "GraphQL: fail if there are errors", """\
afcli -q $API/graphql query='{person(id:4){name}}' --expect-json 'absent errors' && echo good
afcli -q $API/graphql query='{person(id:999){name}}' --expect-json 'absent errors'""", "good", status=14),
    Task("36", "JSON-RPC: the result, or its error",
         "afcli $API/rpc jsonrpc=2.0 id:=1 method=add params:='[1,2]' --filter result,error", "^3$"),
]

FLOWS = [
    Task("37", "SSE: the first 3 events, one member", "afcli $API/events --filter price | head -3", r"^100\n101\n102$"),
    Task("38", "Download with a checksum file",
         "afcli -q $FILES/sums -o sums; afcli -qd $FILES/big.bin --checksum @sums && ls",
         "big.bin"),
    Task("39", "30 files with checksums, in parallel", """\
afcli -q $FILES/many/SHA256SUMS -o sums; for i in {00..29}; do echo "$FILES/many/f$i.txt"; done >urls
afcli -q --input urls --output-dir dl --create-dirs --checksum @sums && ls dl | wc -l""", "^30$"),
    Task("40", "Mirror a directory", None, reason="directories are not read"),
    Task("41", "Interrupted download, resumed", """\
afcli -q $FILES/slow/big.bin -o r.bin --max-time 1; ls r.bin && exit 9
afcli -qc $FILES/slow/big.bin -o r.bin && afcli -q $FILES/sums -o sums && sed s/big/r/ sums | sha256sum -c""",
         "r.bin: OK"),
    Task("42", "Flaky server: retry", "afcli $API/flaky/$RANDOM --retry 3 --retry-delay 0.1", r"^\{\"ok\":true\}\s*$"),
    Task("43", "Flaky server: retry a POST",
         "afcli $API/flaky/p$RANDOM a=1 --retry 3 --retry-delay 0.1 --retry-unsafe", '"ok":true'),
    Task("44", "429 with Retry-After", "afcli $API/limited/$RANDOM --retry 1", '"ok":true'),
    Task("45", "Wait until a service is up",
         "afcli -q $API/starting/$RANDOM --wait 20s --expect-json status==up && echo up", "^up$"),
    Task("46", "All pages by the Link header", """\
u=$API/items; while [ $u ]; do
  u=$(afcli $u --filter [].id -w '%{stderr}%header{link}' 2>&1 >&3 | sed -n 's/.*<\\([^>]*\\)>; rel="next".*/\\1/p')
done 3>&1 | wc -l""", "^50$"),
    Task("47", "All pages by a cursor in the body", """\
c=0; while [ $c != null ]; do
  afcli $API/cursor cursor==$c -qo p.json; jq .data[].id p.json; c=$(jq -r .next p.json)
done | wc -l""", "^50$"),
    Task("46+", "All pages by the Link header, in one command",
         "afcli $API/items --follow-next --filter [].id | wc -l", "^50$"),
    Task("47+", "All pages by a cursor in the body, in one command",
         "afcli $API/cursor --next cursor==next --filter data[].id | wc -l", "^50$"),
    Task("48", "Async job: 202, poll, download", """\
l=$(afcli -qqw '%header{location}' post $API/jobs)
u=$(afcli $API$l --wait 20s --expect-json 'state=="done"' --filter result_url --raw-output)
afcli -qd $u && cat report*""",
         "1,Ada"),
    Task("49", "Async job that fails: stop at once", """\
SECONDS=0; afcli $API/jobs/failing --wait 20s --expect-json 'state=="done"' --fail-if 'state=="failed"'; s=$?
echo $((SECONDS < 5)); exit $s""", r"\n1$", status=14),
    Task("50", "20 checks with a JUnit report", """\
for i in {1..20}; do
  printf 'GET http://127.0.0.1%s/people/4\\nHTTP 200\\n[Asserts]\\njsonpath "$.id" == 4\\n' $API >c$i.hurl
done; afcli run --test --report-junit r.xml . && grep -c '<testcase' r.xml""", r"20$"),
    Task("51", "The same check against 3 environments", """\
mkdir -p .config/afcli; h='"url": "http://127.0.0.1'"$API"'"'
echo "{\\"hosts\\": {\\"dev\\": {$h}, \\"staging\\": {$h}, \\"prod\\": {$h}}}" >.config/afcli/config.json
for e in dev staging prod; do afcli -q $e/health --expect-json 'version=="1.4.2"' && echo $e; done""",
         "dev\nstaging\nprod"),
    Task("52", "Compare two responses",
         "diff <(afcli $API/people/4 --pretty format --sorted) <(afcli $API/people/5 --pretty format --sorted)",
         r'>     "id": 5', status=1),
    Task("53", "Create from the lines of a CSV file",
         "while IFS=, read n a; do afcli $API/people name=$n age:=$a --filter id </dev/null; done <rows.csv",
         r"^\d+\n\d+$"),
    Task("54", "Dead links among 50 URLs", """\
for i in {1..49}; do echo $API/status/200?$i; done >l; echo $API/status/404 >>l
afcli head --input l --parallel 8 -qqp '' -w '%{http_code} %{url}\\n' | grep -v ^200""", "^404 "),
    Task("55", "Latency: median of 50 requests", "afcli --repeat 50 $API/health", "^$",
         errors=r"50 requests in .*: 50 succeeded\n.*median [\d.]+ ms, 95th percentile [\d.]+ ms"),
    Task("55+", "Latency of 50 requests on one connection",
         "afcli -q --repeat 50 -w '%{time_total}\\n' $API/health | wc -l",
         r"^50$", errors="50 succeeded"),
    Task("56", "Paste 'Copy as cURL' from a browser", """\
cat >paste.txt <<END
curl 'http://127.0.0.1$API/echo?a=b' \\\\
  -H 'content-type: text/plain' \\\\
  --data-raw \\$'it\\\\'s' --compressed
END
afcli curl - <paste.txt""", '"it\'s"'),
    Task("57", "WebDAV: directory, put, move, list", """\
afcli -q mkcol $DAV/z; afcli -qT photo.jpg $DAV/z/
afcli -q move $DAV/z/photo.jpg Destination:http://localhost$DAV/z/b.jpg
afcli propfind $DAV/z/ Depth:1 --filter-text '/href>([^<]*)/'; afcli -q delete $DAV/z""", "/z/b.jpg"),
    Task("58", "Publish a wheel to an index, read it back", """\
f=demo_pkg-0.1-py3-none-any.whl; cp photo.jpg $f
afcli $INDEX/ -F :action=file_upload -F content=@$f -F name=demo-pkg -F version=0.1 -q
afcli $INDEX/simple/demo-pkg/ --filter-text '/href="([^"#]*)/'""", "demo_pkg-0.1"),
    Task("59", "TLS: private CA, other name, days left", """\
u="https://api.test$TLS/health --cacert $KEYS/ca.pem --resolve api.test$TLS:127.0.0.1"
afcli -q $u --expect-cert-days 1 && echo valid; afcli -qq $u --expect-cert-days 14""", "valid", status=14),
    Task("60", "Client certificate",
         """afcli --cacert $KEYS/ca.pem --cert $KEYS/client.pem --cert-key $KEYS/client.key \\
  https://localhost$CLIENT_TLS/health""", '"up"'),
    Task("61", "Unix socket", "afcli --unix-socket $SOCKET http://d/health", '"up"'),
    Task("62", "Header to one file, body to another",
         "afcli -q $API/health -o b.json -w '%{header_json}' >h.json; cat h.json b.json", r'"content-type".*"up"'),
    Task("62+", "Header to one file, body to another, as received",
         "afcli -q $API/health -o b.json --header-file h.txt; cat h.txt b.json", r'HTTP/1.1 200.*"up"'),
    Task("63", "Upload a directory of 9 files", """\
afcli -q mkcol $DAV/u; afcli -q $DAV/u/ $(printf -- ' -T %s' many/f*)
afcli propfind $DAV/u/ Depth:1 --filter-text '/href>(/u/f[^<]*)/' | wc -l""", "^9$"),
    Task("64", "CORS preflight", "afcli options $API/methods Origin:http://a.test Access-Control-Request-Method:PUT -h",
         "Access-Control-Allow-Methods: GET, PUT"),
    Task("65", "Redirect chain, one line for each hop", "afcli -Lh --all $API/redirects/3 | grep -cE '^HTTP'", "^5$"),
    Task("66", "JSON: a file and one other member", "jq '.n=2' meta.json | afcli $API/echo @- --filter body",
         r'"m": ?5,\s*"n": ?2'),
    Task("66+", "JSON: a file and one other member, in one command", "afcli $API/echo @meta.json n:=2 --filter body",
         r'"m": ?5,\s*"n": ?2|"n": ?2,\s*"m": ?5'),
    Task("67", "WebSocket: send a line, read the echo",
         "echo hi | afcli ws://127.0.0.1$API/ws --max-messages 1", "^hi$"),
    Task("68", "HAR for a colleague, with the body", """\
afcli -q $API/people/4 --har x.har --har-bodies 1000; jq -c '.log.entries[0].response.content.text' x.har""", "Radia"),
    Task("69", "Validate against a JSON schema", None, reason="schemas are not read"),
    Task("70", "Loop over piped ids with GET",
         r"printf '9\n10\n' | while read i; do afcli -I $API/people/$i --filter id; done", r"^9\n10$"),
    Task("71", "Loop over piped ids with GET, flag forgotten",
         r"printf '9\n10\n11\n' | while read i; do afcli $API/people/$i --filter id; done", "^$", status=4,
         errors="sending 6 bytes of standard input with POST; type get or -I to ignore it"),
]

TASKS = REQUESTS + FLOWS
