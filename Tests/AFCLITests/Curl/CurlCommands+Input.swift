/// Commands with unusual input, which curl takes or rejects in its own way.
let curlInput = #"""
    # Files beside the output that are those of other programs
    echo x > out.txt.part; curl -s -o out.txt URL/get
    echo x > out.txt.part; curl -s -o out.txt URL/missing
    echo x > out.txt.part; curl -s -f -o out.txt URL/missing
    echo x > out.txt.part; curl -s --fail-with-body -o out.txt URL/missing
    echo x > text.txt.part; curl -s -o text.txt URL/get
    echo x > text.txt.part; curl -s -f -o text.txt URL/missing
    echo x > name.txt.part; curl -s -O URL/name.txt
    echo x > name.txt.part; curl -s -R -O URL/name.txt
    echo x > sub/name.txt.part; curl -s --output-dir sub -O URL/name.txt
    echo x > out.txt.part; curl -s -w '%{filename_effective} %{size_download}' -o out.txt URL/get
    echo x > out.txt.part; curl -s -C - -o out.txt URL/get
    echo x > out.txt.part; curl -s -r 0-9 -o out.txt URL/file.bin
    echo x > out.txt.part; curl -s -d a=1 -o out.txt URL/post
    echo x > out.txt.part; curl -s --digest -u user:pass -o out.txt URL/digest
    echo x > out.txt.part; curl -s --retry 1 --retry-delay 1 -o out.txt URL/error
    echo x > out.txt.part; curl -s --max-filesize 3 -o out.txt URL/get
    echo x > out.txt.part.json; curl -s -o out.txt URL/get
    echo x > out.txt.part; curl -sL -o out.txt URL/redirect
    echo x > out.txt.part; curl -s -o out.txt URL/empty
    echo x > text.txt.part; curl -s -o text.txt URL/204
    echo x > text.txt.part; curl -s --no-clobber -o text.txt URL/get
    mkfifo out.txt.part; curl -s -o out.txt URL/get
    echo x > a.part; curl -s -o a -o b URL/one URL/two
    echo x > out.txt.part; curl -s -D head.txt -o out.txt URL/get
    echo new > sub/text.txt; chmod 500 sub; curl -s -o sub/text.txt URL/get; chmod 700 sub
    # Lines of configuration files with errors
    echo bogus > .curlrc; curl -s URL/get
    echo bogus > .curlrc; curl -q -s URL/get
    echo 'silent extra words' > .curlrc; curl URL/get
    echo header > .curlrc; curl -s URL/get
    echo 'user-agent = my agent' > .curlrc; curl -s URL/get
    echo 'header = X-A:1 # a comment' > .curlrc; curl -s URL/get
    echo --bogus > .curlrc; echo 'header = "X-A: 1"' >> .curlrc; curl -s URL/get
    echo 'no-silent = x' > .curlrc; curl -s URL/get
    echo bogus > config; curl -K config URL/get
    # Variables of --write-out
    curl -s -L -e ';auto' -w '%{referer}' URL/redirect
    curl -s -L -e 'http://a/;auto' -w '%{referer}' URL/hops
    curl -s -e 'http://a/;auto' -w '%{referer}' URL/redirect
    curl -s -L -e http://a/ -w '%{referer}' URL/redirect
    curl -s -w '%{nope}%{http_code}' URL/get
    curl -s -w '%{scheme}' http://127.0.0.1:1/
    curl -s -w '%{url_effective}' 'URL/get#part'
    curl -sL -w '%{url_effective}' 'URL/redirect#part'
    # Lengths that are ignored
    curl -s --ignore-content-length -o out.txt URL/truncated
    curl -s --ignore-content-length URL/truncated
    curl -s --ignore-content-length -O URL/truncated
    curl -s --ignore-content-length -i -o out.txt URL/truncated
    curl -s --ignore-content-length -w '%{size_download}' -o text.txt URL/truncated
    # Codings of files
    curl -s --compressed URL/coded
    curl -s --compressed -o out.txt URL/coded
    curl -s --compressed -o out.gz URL/coded
    curl -s --compressed -O URL/coded.tar.gz
    curl -s --compressed -OJ URL/coded.tar.gz
    curl -s -O URL/coded.tar.gz
    # Attributes of forms
    curl -s -F 'a=;' URL/upload
    curl -s -F 'a=b;' URL/upload
    curl -s -F 'a=b;c' URL/upload
    curl -s -F 'a=b;c=d' URL/upload
    curl -s -F 'a=b;c=d;type=text/plain' URL/upload
    curl -s -F 'a=b; type=text/plain;c=d' URL/upload
    curl -s -F 'a=b;type=text/plain;c=d;filename=e' URL/upload
    curl -s -F 'a=@text.txt;' URL/upload
    curl -s -F 'a=@text.txt;c=d;type=x/y' URL/upload
    curl -s -F 'a=<text.txt;c' URL/upload
    curl -s -F 'a="b";c' URL/upload
    curl -s -F 'a="b' URL/upload
    curl -s -F 'a="b;c' URL/upload
    curl -s -F 'a="b"c' URL/upload
    curl -s -F 'a="b"c;type=text/plain' URL/upload
    curl -s -F 'a=b"c"' URL/upload
    curl -s -F 'a=@text.txt;filename="b' URL/upload
    curl -s -F 'a=b;encoder=base64;c=d' URL/upload
    curl -s -F 'a=b;headers="X-A: 1";c' URL/upload
    # Offsets of data, and of complete files
    curl -s -d abc -C 2 URL/post
    curl -s -d x -C 2 URL/post
    curl -s --json 1 -C 1 URL/post
    curl -s -F a=b -C 2 URL/post
    curl -s -d x -C - -o half.bin URL/post
    curl -s -d x -C 0 URL/post
    curl -s -d x -C - URL/post
    curl -s -d x -C - -o out.txt URL/post
    curl -s -G -d a=1 -C 10 URL/file.bin
    curl -s -C 1000 -o out.txt URL/file.bin
    curl -s -C 9 -o text.txt URL/get
    curl -s -C 9 -o out.txt URL/get
    curl -s -C 9 URL/get
    curl -s -C 8 URL/get
    curl -s -C 7 -o out.txt URL/missing
    curl -s -C 9 -w '%{http_code}' URL/get
    # Options without an effect on this transfer
    curl -s --tls13-ciphers NONE URL/get
    curl -s --ciphers NONE URL/get
    curl -s --curves NONE URL/get
    curl -s --socks5 127.0.0.1:1/path URL/get
    curl -s --socks5-hostname 127.0.0.1:1/path URL/get
    curl -s -x socks5://127.0.0.1:1/path URL/get
    curl -s -x socks4a://u@127.0.0.1:1/path URL/get
    # Numbers of errors
    echo x | curl -s -0 -T - URL/put
    echo x | curl -s --http1.0 -T . URL/put
    curl -s ' URL/get'
    curl -s URL/101
    curl -s -i URL/101
    # Arguments that are not UTF-8
    curl -s -d "$(printf 'a=\351')" URL/post
    curl -s --data-raw "$(printf '\377')" URL/post
    curl -s -H "$(printf 'X-A: \351')" URL/get
    curl -s -A "$(printf '\351')" URL/get
    curl -s -b "$(printf 'a=\351')" URL/get
    echo "$(printf 'X-A: \351')" > head.txt; curl -s -H @head.txt URL/get
    curl -s "URL/$(printf '\351')"
    # Ranges of URLs
    curl -s 'URL/[1-3:2]'
    curl -s 'URL/[1-3:3]'
    curl -s 'URL/[1-3:9]'
    curl -s 'URL/[1-3:0]'
    curl -s 'URL/[1-3:-1]'
    curl -s 'URL/[1-3:+1]'
    curl -s 'URL/[1-3:x]'
    curl -s 'URL/[1-3:]'
    curl -s 'URL/[1-1]'
    curl -s 'URL/[1-1:1]'
    curl -s 'URL/[1-1:2]'
    curl -s 'URL/[3-1]'
    curl -s 'URL/[a-d:3]'
    curl -s 'URL/[a-d:4]'
    curl -s 'URL/[a-a]'
    curl -s 'URL/[a-a:1]'
    curl -s 'URL/[A-C]'
    curl -s 'URL/[A-c]'
    curl -s 'URL/[a-C]'
    curl -s 'URL/[c-a]'
    curl -s 'URL/[a-1]'
    curl -s 'URL/[a-]'
    curl -s 'URL/[1 - 3]'
    curl -s 'URL/[1-3' URL/two
    curl -s URL/one 'URL/[3-1]' URL/two
    curl -s URL/one 'URL/{a' URL/two
    curl -s -o '#1.txt' 'URL/{a,b}' 'URL/[b-a]'
    curl -s 'URL/[3-1]' --next -s URL/two
    curl -s URL/one --next -s 'URL/[3-1]'
    curl -s -T '{text.txt' URL/put
    """#
