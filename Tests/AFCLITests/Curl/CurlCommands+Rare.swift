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
    # Transfer codings, upgrades, ignored lengths, and headers without their body
    curl -s --tr-encoding URL/gzip-transfer
    curl -si -N -H 'Connection: Upgrade' -H 'Upgrade: x' URL/upgraded
    curl -s -H 'Connection: Upgrade' -H 'Upgrade: x' URL/101
    curl -s --ignore-content-length -d a=b URL/more
    curl -s --ignore-content-length -F a=b -o f URL/more
    curl -s --ignore-content-length URL/more
    curl -s -I -X GET URL/short
    curl -s --head --request GET -o f -w '%{http_code}' URL/short
    curl -s -I -X POST URL/get
    curl -sL -I -X GET URL/redirect
    curl -s -I -X GET URL/get URL/one
    curl -s -X DELETE -C 500 -o half.bin URL/wrong-part
    curl -s -X DELETE -C 500 URL/wrong-part
    # Proxies that are bypassed, and options with empty arguments
    curl -s -x HOST --noproxy example.test:80 http://example.test/get
    curl -s -x HOST --noproxy 'example.test:80,other.test' http://example.test/get
    echo; export no_proxy=example.test:80; curl -s -x HOST http://example.test/get
    echo; export NO_PROXY=example.test; curl -s -x HOST http://other.test/get
    curl -s --socks5 '' URL/get
    curl -s --socks4a '' --preproxy '' --interface '' --connect-to '' URL/get
    curl -s --netrc-file '' --doh-url '' --aws-sigv4 '' --proxy-header '' URL/get
    curl -s --aws-sigv4 '' -u KEY:SECRET URL/get
    curl -s -n --netrc-file '' URL/get
    curl -s --netrc-file netrc --netrc-file '' URL/get
    curl -s --interface nope --interface '' URL/get
    curl -s --doh-url https://h.invalid/ --doh-url '' URL/get
    curl -s -x HOST --socks5 '' URL/get
    echo; export http_proxy=http://127.0.0.1:1; curl -s --socks5 '' URL/get
    echo; export http_proxy=http://127.0.0.1:1; curl -s --preproxy '' URL/get
    curl -s -I -X GET -C 5 URL/get
    curl -s -I -X GET -C 5 URL/wrong-part
    curl -s -I -X GET --compressed URL/coding
    # Schemes without credentials, and beside a token
    curl -s -n --anyauth URL/get
    curl -s -n --digest URL/get
    curl -s --netrc-optional --ntlm URL/get
    curl -s -n --anyauth URL/get URL/one
    curl -s --digest -u user:pass --oauth2-bearer t URL/digest
    curl -s --oauth2-bearer t --basic URL/get
    curl -s --oauth2-bearer t -u user:pass URL/get
    # Fields and attributes of parts
    curl -s -F 'a=@text.txt;headers="Content-Type: x/y"' URL/upload
    curl -s -F 'a=@text.txt;type=a/b;headers="Content-Type: x/y"' URL/upload
    curl -s -F 'a=b;headers="content-disposition: form-data; name=z"' URL/upload
    curl -s -F 'a=b;encoder=base64;headers="Content-Transfer-Encoding: q"' URL/upload
    curl -s -F 'a=@text.txt;encoder=8bit;headers="content-type: x/y"' URL/upload
    curl -s -F 'a=b;TYPE=x/y' -F 'c=@text.txt;FileName=q;Type=a/b' URL/upload
    echo in | curl -s -F 'f=@-;filename=x.log' URL/upload
    echo in | curl -s -F 'f=@-;filename=x.png' URL/upload
    echo in | curl -s -F 'f=@-' -F 'g=b;encoder=8bit' URL/upload
    """#
