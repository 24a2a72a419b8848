/// Commands with negated options, escapes of `--write-out`, and rare responses to ranges and proxies.
let curlRare = #"""
    # Negated options
    curl -s --no-anyauth -u user:pass URL/digest
    curl -s --anyauth --no-anyauth -u user:pass URL/digest
    curl -s --anyauth --no-digest -u user:pass URL/digest
    curl -s --digest --no-digest -u user:pass URL/get
    curl -s --basic --no-basic -u user:pass URL/get
    curl -s --ntlm --no-ntlm -u user:pass URL/get
    curl -s --location-trusted --no-location-trusted URL/redirect
    curl -s -L --no-location-trusted URL/redirect
    curl -s --location-trusted --no-location URL/redirect
    curl -s --netrc-optional --no-netrc-optional URL/get
    curl -s -n --no-netrc-optional URL/get
    curl -s --netrc-optional --no-netrc URL/get
    curl -s -x HOST -U a:b --proxy-digest --no-proxy-digest http://example.test/login
    curl -s -x HOST -U a:b --proxy-anyauth --no-proxy-anyauth http://example.test/login
    curl -s -x HOST -U a:b --proxy-anyauth --no-proxy-digest http://example.test/login
    curl -s -x HOST -U a:b --proxy-digest --proxy-basic http://example.test/login
    curl -s -x HOST -U a:b --proxy-digest --proxy-ntlm http://example.test/get
    curl -s --no-crlf --no-eprt --no-epsv --no-xattr --no-version URL/get
    curl -s --no-http1.1 URL/get
    curl -s --no-tlsv1.2 URL/get
    # Backslashes and percent signs of --write-out
    curl -s -w '[a\\nb]\%{http_code}\\%{http_code}' URL/get
    curl -s -w '%\n%%\n%\%{http_code}' URL/get
    curl -s -w '\%{nope}%{http_code}\' URL/get
    curl -s -w '%header{content-length}\\n\%header{x}%{http_code' URL/get
    # Forms with an empty type, and without the name of a file
    curl -s -F a=b -H 'Content-Type;' URL/upload
    curl -s -F a=b -F c=@text.txt -H 'content-type;' URL/upload
    curl -s -F a=b -F 'c=d;encoder=8bit' -H 'Content-Type;' URL/upload
    curl -s -F 'a=@' URL/upload
    curl -s -F 'a=<' URL/upload
    curl -s -F 'a=@text.txt,' URL/upload
    curl -s -F '=@;type=a/b' URL/one URL/two
    # Responses without the rest of a file
    curl -s -C 500 -o half.bin URL/204
    curl -s -C 500 URL/204
    curl -s -C 500 -o half.bin -H 'If-Modified-Since: x' URL/dated
    curl -s -C 500 -o new.bin -H 'If-Modified-Since: x' URL/dated
    curl -s -C 1000 -o half.bin URL/file.bin
    curl -s -C 2000 -o half.bin URL/file.bin
    curl -s -f -C 2000 -o half.bin URL/file.bin
    curl -s -C 5 -o half.bin URL/empty
    curl -s -C 5 -i -o half.bin URL/empty
    curl -s -I --max-filesize 2 URL/get
    curl -s -I --max-filesize 1M URL/get
    # Proxies that refuse or authenticate, and variables of proxies that are not used
    curl -s -f -p -x HOST http://redirecting.example/x
    curl -s -p -x HOST http://redirecting.example/x
    curl -s -w '%{num_connects} %{num_headers} %{remote_ip}:%{remote_port}' -p -x HOST http://refused.example/x
    curl -s -w '%{num_connects} %{num_redirects}' -x HOST -U a:b --proxy-digest http://example.test/login
    curl -s -x HOST -U a:b --proxy-digest --digest -u user:pass http://example.test/both
    curl -s -x HOST -U a:b --proxy-anyauth --anyauth -u user:pass -d a=1 http://example.test/both
    curl -sL -x HOST -U a:b --proxy-digest http://example.test/redirect
    echo in | curl -s -x HOST -U a:b --proxy-anyauth --digest -u user:pass -T - http://example.test/both
    curl -s -w '%{num_redirects}' --digest -u user:pass URL/digest
    curl -s -w '%{num_redirects}' --anyauth -u user:pass -d a=1 URL/digest
    curl -sL -w '%{num_redirects}' --digest -u user:pass URL/redirect/digest
    echo; export http_proxy=foo://x; curl -s --noproxy '*' URL/get
    echo; export http_proxy=foo://x; curl -s --noproxy 127.0.0.1 URL/get
    echo; export http_proxy=foo://x; curl -s --noproxy 127.0.0.2 URL/get
    echo; export http_proxy=foo://x no_proxy=127.0.0.1; curl -s URL/get
    echo; export http_proxy=HOST:99999; curl -sL --noproxy '*' URL/redirect
    curl -s -x foo://HOST --noproxy '*' URL/get
    """#
