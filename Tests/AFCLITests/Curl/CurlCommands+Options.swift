/// Commands about rare options, variables of the output and exit numbers.
let curlOptions = #"""
    # Referers and redirects
    curl -L -e ';auto' URL/redirect
    curl -L -e 'http://example.org/from;auto' URL/redirect
    curl -L -e ';auto' URL/hops
    curl -L -e ';auto' 'http://u:p@HOST/redirect?a=b'
    curl -L -H 'Referer: http://a/' -e ';auto' URL/redirect
    curl -e ';auto' URL/one URL/two
    curl -L -e 'http://example.org/' URL/redirect
    # Logs
    curl -sv URL/get
    curl -v -o out.txt URL/get
    curl -vI URL/get
    curl -sv -d a=1 URL/post
    curl --trace-time -v URL/get
    curl --trace /no/such/log URL/get
    curl --stderr /no/such/log URL/get
    curl -s --trace-ascii log.txt URL/get && rm log.txt
    # Ports, proxies and protocols
    curl --local-port 20000-29999 URL/get
    curl --local-port x URL/get
    curl --local-port 9-8 URL/get
    curl --local-port 70000 URL/get
    curl --http0.9 URL/headless
    curl --http0.9 -o out.txt URL/headless
    curl URL/headless
    curl --preproxy socks5://127.0.0.1:DEAD -x HOST http://example.test/x
    curl --abstract-unix-socket no-such-name URL/get
    curl --unix-socket /no/such.sock http://localhost/x
    curl --proxy-cacert no-such.pem URL/get
    curl --interface no-such0 URL/get
    curl --keepalive-time 5 --tcp-fastopen URL/get
    curl --mptcp URL/get
    # Options of other protocols
    curl --ftp-pasv --ftp-create-dirs URL/get
    curl -P - -Q NOOP -l URL/get
    curl --mail-from a --mail-rcpt b --sasl-ir URL/get
    curl --create-file-mode 0600 -o out.txt URL/get
    curl -B -a URL/get
    curl --tftp-blksize 512 --krb private URL/get
    curl --ssl-reqd URL/get
    # Bodies
    curl -T '' URL/put
    curl -T '' -X DELETE URL/items
    curl -T text.txt -T '' -H Expect: URL/put URL/get
    curl -T '' -T text.txt -H Expect: URL/get URL/put
    curl -F 'f=@-' URL/upload < text.txt
    curl -F 'f=@-;filename=a.txt' URL/upload < text.txt
    curl -F 'f=@-;type=text/csv' URL/upload < text.txt
    curl -F a=1 -H 'Content-Type: multipart/related' URL/upload
    curl -F 'a=@text.txt' -H 'Content-Type: multipart/mixed' URL/upload
    curl -C - -T text.txt -H Expect: URL/put
    curl -H 'Content-Length: 2' -d abc URL/post
    curl -m 1 -H 'Content-Length: 5' -d abc URL/post
    curl -u user URL/get
    curl --data-urlencode '' URL/post
    curl -d @- URL/post < text.txt
    curl --json @- URL/post < data.json
    # Variables of --write-out
    curl -s -w '%{scheme} %{filename_effective}' -o /dev/null URL/get
    curl -s -w '%{filename_effective}' -o out.txt URL/get
    curl -s -w '%{num_certs}|%{certs}|' URL/get
    curl -s -w '%{header_json}' URL/fields
    curl -s -w '%header{x-multi}|%header{X-Multi}|%header{none}' URL/fields
    curl -s -w '%{proxy_ssl_verify_result}|%{ssl_verify_result}' URL/get
    curl -s -w '%{referer}|%{errormsg}|%{exitcode}' -e http://r/ URL/get
    curl -s -w '%{content_type}|%{http_version}|%{num_headers}|%{num_connects}' URL/get
    curl -s -w '%{onerror}x' URL/get
    curl -s -w '%{size_upload}|%{size_download}|%{http_connect}' -d abc URL/post
    curl -s -w '%{http_code' URL/get
    curl -s -w '%header{x' URL/get
    curl -s -w '%x %% %{' URL/get
    curl -s -w '%{urlnum} ' URL/one URL/two
    curl -s -w '%{nope}.' URL/get
    curl -s -w '%{redirect_url}|%{url_effective}' URL/redirect
    # Exit numbers
    curl --tls-max 1.0 SECURE/get
    curl -k --tls-max 1.2 -w '%{num_certs} %{scheme}' SECURE/get
    curl -k -w '%{certs}' -o /dev/null SECURE/get
    curl --tlsv1.3 --tls-max 1.2 SECURE/get
    curl http://
    curl 'http://[::1/x'
    curl http://127.0.0.1:99999/
    curl 'http://a b/'
    curl http://no-such-host.invalid/
    curl -x http://no-such-proxy.invalid URL/get
    curl -x https://PLAIN URL/get
    curl https://PLAIN/
    curl SECURE/get
    curl --cacert text.txt SECURE/get
    curl --cert text.txt SECURE/get
    curl --cert no-such.pem SECURE/get
    curl -k --key no-such.pem SECURE/get
    curl -k --ciphers NONE SECURE/get
    curl -k --tls13-ciphers NONE SECURE/get
    curl -k --curves NONE SECURE/get
    curl -k --curves X25519 SECURE/get
    curl --crlfile no-such.pem SECURE/get
    curl -k --pinnedpubkey sha256//AAAA SECURE/get
    curl -k --pinnedpubkey 'sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' SECURE/get
    curl -k --cert-status SECURE/get
    curl --resolve x URL/get
    curl --engine x SECURE/get
    curl URL/close
    curl URL/reset
    curl URL/cut-chunk
    curl URL/bad-chunk
    curl URL/bad-length
    curl URL/bad-field
    curl URL/bad-version
    curl --compressed URL/bad-gzip
    curl --compressed URL/coding
    curl --compressed --raw URL/coding
    curl URL/transfer-coding
    curl -L --max-redirs 0 URL/redirect
    curl -L URL/bad-location
    curl foo://HOST/get
    curl -m x URL/get
    curl --retry x URL/get
    curl -K /no/such/config URL/get
    curl --limit-rate x URL/get
    curl --continue-at 5 -o half.bin URL/get
    curl -s -G 'URL/get?a=1'
    curl -s -G -F a=b 'URL/upload?a=1'
    curl -s --retry-delay 1 URL/get
    curl -s --retry-max-time 5 URL/get
    curl -s --pass x URL/get
    curl -s --local-port 0 URL/get
    curl -s -F a=b -H 'Content-Type:' URL/upload
    curl -s http://@HOST/get
    curl -s -C 3 -I URL/get
    curl -s http://127.0.0.1:0/
    """#
