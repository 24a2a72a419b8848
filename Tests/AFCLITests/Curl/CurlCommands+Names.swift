/// Commands with a file by several names, numbers in unusual notation, and values of responses that end early.
let curlNames = #"""
    # A file by several names, or of several transfers
    curl -s -D ./f -o f URL/get
    curl -s -D link -o linked.txt URL/get
    curl -s -D linked.txt -o link URL/get
    curl -s -D subdir/x -o sub/x URL/get
    curl -s -D dangling -o nowhere.txt URL/get
    curl -s -D f -o f -f URL/missing
    curl -s -OJ -D ./get URL/get
    curl -s -D h -o f -o ./h URL/one URL/two
    curl -s -o f -o ./f URL/one URL/two
    curl -s -o f -o g -o f URL/one URL/two URL/three
    curl -s -o a -o link -o linked.txt URL/one URL/two URL/three
    curl -s --remote-name-all -w '%{filename_effective} %{num_connects} %{urlnum}\n' 'URL/[1-9].txt'
    curl -s --remote-name-all -w '%{http_code} %{size_download}\n' URL/one URL/missing URL/error URL/empty URL/two
    curl -s --fail-early --remote-name-all -f URL/one URL/missing URL/three
    curl -s --remote-name-all -w '%{exitcode}\n' URL/one http://127.0.0.1:1/x URL/three
    curl -s --remote-name-all -w '%{exitcode}\n' URL/one URL/three http://127.0.0.1:1/x
    curl -s -o a URL/one URL/two -o c URL/three
    curl -s -L --remote-name-all URL/redirect URL/hops URL/get
    curl -s --digest -u user:pass --remote-name-all URL/digest URL/get
    curl -s -o /dev/null -o b -o /dev/stdout URL/one URL/two URL/three
    curl -s --no-clobber -o text.txt -o text.txt -o new.txt URL/one URL/two URL/three
    curl -s -R --remote-name-all URL/one URL/two
    curl -s -r 0-9 --remote-name-all URL/file.bin URL/get
    curl -sk --remote-name-all SECURE/one SECURE/two SECURE/three
    # Numbers
    curl -s --max-redirs -2 -L URL/redirect
    curl -s --max-redirs x -L URL/redirect
    curl -s --max-redirs 1.5 -L URL/redirect
    curl -s --retry -1 URL/get
    curl -s --retry 1.5 URL/get
    curl -s --retry 1e3 URL/get
    curl -s --retry '' URL/get
    curl -s --retry 99999999999999999999 URL/get
    curl -s --retry-delay -1 URL/get
    curl -s --retry-max-time 1.5 URL/get
    curl -s --retry-max-time 1m URL/get
    curl -s -m -1 URL/get
    curl -s -m '' URL/get
    curl -s -m 2.5 URL/get
    curl -s --connect-timeout -1 URL/get
    curl -s --connect-timeout 2.5 URL/get
    curl -s --expect100-timeout -1 URL/get
    curl -s --max-filesize -1 URL/get
    curl -s --max-filesize 1.5k URL/get
    curl -s --max-filesize 1kb URL/get
    curl -s --max-filesize 1K URL/get
    curl -s --max-filesize 9223372036854775807 URL/get
    curl -s --max-filesize 9223372036854775808 URL/get
    curl -s --limit-rate -1 URL/get
    curl -s --limit-rate 1.5k URL/get
    curl -s --limit-rate k URL/get
    curl -s --limit-rate 10M URL/get
    curl -s -y -1 URL/get
    curl -s -y 1.5 URL/get
    curl -s -y 99999999999 URL/get
    curl -s -Y -1 URL/get
    curl -s -Y x URL/get
    curl -s --keepalive-time -1 URL/get
    curl -s --happy-eyeballs-timeout-ms x URL/get
    curl -s --happy-eyeballs-timeout-ms 200 URL/get
    curl -s --tftp-blksize x URL/get
    curl -s -C -2 URL/file.bin
    curl -s -C x URL/file.bin
    curl -s --rate 1/0s URL/get
    # Values of headers that end early, and of trailers
    curl -s -w '%{http_code} %{num_headers}' URL/bad-field
    curl -s -w '%{http_code} %{num_headers}' URL/bad-length
    curl -s -w '%{http_code} %{num_headers}' URL/trailers
    curl -s -w '%{http_code} %{num_headers}' URL/early
    curl -s -w '%{http_code} %{num_headers}' URL/close
    curl -sL -w '%{http_code} %{num_headers} %{num_redirects}' URL/redirect/dead
    curl -s URL/chunked-twice
    # Parts with an encoder
    curl -s -F 'a=b;encoder=BASE64' URL/upload
    curl -s -F 'a=b;encoder="base64"' URL/upload
    curl -s -F 'a=b;encoder= base64' URL/upload
    curl -s -F 'a="x;encoder=base64"' URL/upload
    curl -s -F 'a="x;encoder=base64";encoder=7bit' URL/upload
    curl -s -F 'a=b=c;encoder=quoted-printable' URL/upload
    curl -s -F a=b -H 'Content-Type: multipart/form-data; boundary=xyz' URL/upload
    # Files of header fields of parts, with folded lines
    echo "$(printf 'X-A: 1 \n  two\n\n# c\nX-B: 2\n\tthree')" > h; curl -s -F 'a=b;headers=@h' URL/upload
    echo "$(printf 'X-A: 1\r\n two\r\nX-B: 2')" > h; curl -s -F 'a=b;encoder=7bit;headers=@h' -F 'c=<h' URL/upload
    # Sizes of the bodies of errors
    curl -s -f -w '%{size_download} %{speed_download} %{size_header} %{http_code}' URL/missing
    curl -s --fail-with-body -w '%{size_download} %{http_code}' URL/missing
    # The directory of the configuration
    echo 'header = "X-A: 1"' > sub/.curlrc; export XDG_CONFIG_HOME=sub; curl -s URL/get
    # Failures before the request, with values
    curl -s -w '%{exitcode} %{http_code}' --resolve bad URL/get
    curl -s -w '%{exitcode} %{urlnum} ' --resolve bad URL/get URL/one
    curl -s -w '%{exitcode} %{http_code}' -C 99 -T text.txt URL/put
    curl -s -w '%{exitcode} %{http_code}' -k --pinnedpubkey 'sha256//x' SECURE/get
    curl -s -w '%{exitcode} %{http_code}' -x foo://a URL/get
    curl -s -w '%{HTTP_CODE} %{Size_Download}' URL/get
    # Typed fields in place of those of options
    curl -s -z '-dec 12 1999' -H 'If-Unmodified-Since: q' URL/get
    curl -s -z '-dec 12 1999' -H 'If-Unmodified-Since;' URL/get
    curl -s -C 3 -T text.txt -H Expect: -H 'Content-Range: q' URL/put
    curl -s -r 1-2 -T text.txt -H Expect: -H 'Content-Range: q' URL/put
    echo 'Set-Cookie: a=b' > ck; curl -s -b ck URL/get URL/x/y
    curl -s --post303 -L -T text.txt -H Expect: URL/redirect/303
    curl -sk --pinnedpubkey 'sha256//x;sha256//y' SECURE/get
    curl -s --url-query '' URL/get
    curl -s --url-query = 'URL/get'
    echo 'include = ""' > k; curl -s -K k URL/get
    curl -s -F "$(printf 'a\nb\rc')=d" -F 'e=f' URL/upload
    curl -s --trace-ascii t -v URL/get -o f 2> /dev/null
    curl -s --ignore-content-length URL/bad-length
    curl -s -I --ignore-content-length URL/bad-length
    # Cookie files
    echo "$(printf '  127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb')" > c; curl -s -b c URL/get
    echo "$(printf '\t127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb')" > c; curl -s -b c URL/get
    echo "$(printf ' Set-Cookie: a=b')" > c; curl -s -b c URL/get
    echo "$(printf '127.0.0.1\tFALSE\t/\tFALSE\t0\t__Secure-a\tb')" > c; curl -s -b c URL/get
    echo "$(printf '127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\tc')" > c; curl -s -b c URL/get
    echo "$(printf '127.0.0.1 FALSE / FALSE 0 a b')" > c; curl -s -b c URL/get
    echo "$(printf '127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb')" > c; curl -s -b @c URL/get
    echo "$(printf '127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb')" > c=d; curl -s -b @c=d URL/get
    echo "$(printf 'com\tTRUE\t/\tFALSE\t0\ta\tb')" > c; curl -s -b c --connect-to ::127.0.0.1:PORT http://x.h.com/get
    curl -s -b "a=$(head -c 9000 /dev/zero | tr '\0' x)" URL/get
    # Logins of netrc files
    echo '# caf\0351\nmachine 127.0.0.1 login u password p' > .netrc; curl -s -n URL/get
    echo 'machine 127.0.0.1 login u password p\0351' > n; curl -s --netrc-file n URL/get
    echo 'machine 127.0.0.1 login "a password b' > .netrc; curl -s -n URL/get
    echo 'machine 127.0.0.1 login other password op' > n; curl -s --netrc-file n http://me@HOST/get
    echo 'machine 127.0.0.1 login other password op' > n; curl -s --netrc-file n -u me:mp URL/get
    echo 'machine 127.0.0.1 login o password op machine 127.0.0.1 login me password mp' > n; curl -s --netrc-file n http://me@HOST/get
    echo 'default login d password dp' > n; curl -s --netrc-file n URL/get
    # Failures of proxies
    curl -s --fail-with-body -x HOST https://refused.example/
    curl -s -f -x HOST https://refused.example/
    curl -s -w '%{http_connect} %{http_code} %{exitcode}' -x HOST https://refused.example/
    curl -s --preproxy foo://a URL/get
    curl -s -x foo://HOST URL/get
    curl -s -x 'http://[::1' URL/get
    curl -s -x http:// URL/get
    echo; export http_proxy=foo://x; curl -s URL/get
    echo; export http_proxy=HOST:99999; curl -s URL/get
    curl -s --proxy1.0 foo://x URL/get
    # Missing files, and options that exclude each other
    curl -s -H @no-such-file URL/get
    curl -s -w @no-such-file URL/get
    curl -s -I -OJ URL/disposition
    echo theirs > half.bin.part; curl -s -C 500 -o half.bin URL/file.bin
    echo theirs > half.bin.part; curl -s -C - -o half.bin URL/file.bin
    """#
