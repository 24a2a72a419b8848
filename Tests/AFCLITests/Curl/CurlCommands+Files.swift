/// Commands about the destinations of headers and bodies.
let curlFiles = #"""
    # Bodies of errors
    curl -s -o out.txt URL/missing
    curl -s -o text.txt URL/missing
    curl -s -o out.txt -w '%{http_code} %{size_download} %{filename_effective}\n' URL/missing
    curl -s -f -o text.txt -w '%{http_code} %{filename_effective}\n' URL/missing
    curl -s --fail-with-body -o out.txt -w '%{http_code}' URL/missing
    curl -s --fail-with-body -o text.txt URL/missing
    curl -s -O URL/missing
    curl -s -o out.txt URL/redirect
    curl -sL -o out.txt URL/redirect/missing
    curl -s -o out.txt URL/empty
    curl -s -o text.txt URL/204
    curl -s -o out.txt -X DELETE URL/missing
    curl -s -R -o out.txt URL/missing
    curl -s -o text.txt --retry 1 --retry-delay 1 URL/error
    curl -s -o out.txt --digest -u user:pass URL/digest
    curl -s -o out.txt --digest -u user:pass URL/digest/never
    curl -s --max-filesize 3 -o text.txt URL/get
    # Names
    curl -s -OJ URL/text.txt
    curl -s -OJ URL/fresh.txt
    curl -s -OJ URL/disposition/text
    curl -s -OJ URL/disposition/missing
    curl -s -OJ --clobber URL/disposition/text
    curl -s -OJ --no-clobber URL/disposition/text
    curl -s -OJ --no-clobber URL/text.txt
    curl -s -OJ --output-dir sub URL/disposition
    curl -s -OJ --output-dir sub URL/text.txt
    curl -s -OJ -w '%{filename_effective}\n' URL/disposition
    curl -s -OJL URL/redirect/name
    curl -s -OL URL/redirect/name
    curl -s -OJ URL/
    curl -s -OJ URL/disposition/
    curl -s -O URL/dir/
    curl -s -O URL
    curl -s -O URL/dir/?a=b
    curl -s -O 'URL/a%20b.txt'
    curl -s -O 'URL/x.txt;type=a'
    curl -s -i -OJ URL/disposition
    curl -s -J -o out.txt URL/disposition
    curl -s -J URL/disposition
    curl -s -C - -OJ URL/disposition
    curl -s -O --no-remote-name URL/x.txt
    curl -s --no-remote-name -O URL/x.txt URL/y.txt
    curl -s -O 'URL/{one,two}.txt'
    curl -s --no-clobber -o text.txt URL/get
    curl -s --no-clobber -O URL/text.txt
    curl -s --no-clobber -o text.txt -o text.txt -o text.txt URL/one URL/two URL/three
    curl -s --no-clobber -i -o text.txt -o text.txt URL/one URL/two
    curl -s --no-clobber -o text.txt -w '%{filename_effective}' URL/missing
    curl -s --no-clobber -o link URL/get
    curl -s --no-clobber -o sub URL/get
    curl -s --no-clobber --output-dir sub -O URL/text.txt
    curl -s --clobber --no-clobber -o text.txt URL/one
    curl -s --no-clobber --clobber -o text.txt URL/one
    curl -s --remote-name-all URL/a.txt -o b URL/b.txt
    curl -s --remote-name-all -o - URL/a.txt
    curl -s -o a -O URL/one URL/two.txt
    curl -s -O URL/a.txt URL/b.txt
    curl -s -o a -o b URL/one
    curl -s -o - -o out.txt URL/one URL/two
    curl -s -o a URL/one --next -o b URL/two
    curl -s -o '#1' -o '#1.b' 'URL/{a,b}' 'URL/{c,d}'
    curl -s -o '#2-#1' 'URL/{a,b}/[1-2]'
    curl -s -o 'x#3' 'URL/{a,b}'
    curl -s -o '#12' 'URL/{a,b}'
    curl -s -o '##1' 'URL/[01-03:2]'
    curl -s -o 'a#1' URL/get
    curl -s -g -o '#1' URL/a
    curl -s -o 'new/#1' --create-dirs 'URL/{a,b}'
    curl -s --output-dir 'd#1' --create-dirs -o x 'URL/{a,b}'
    # Paths
    curl -s -o link URL/get
    curl -s -o link URL/missing
    curl -s -f -o link URL/missing
    curl -s -o dangling URL/get
    curl -s -i -o link URL/get
    curl -s -D link URL/get
    curl -s -D dangling URL/get
    curl -s -o link -w '%{filename_effective}\n' URL/get
    curl -s -o subdir/new.txt URL/get
    curl -s -o subdir URL/get
    curl -s -o sub URL/get
    curl -s -o sub/ URL/get
    curl -s -o '' URL/get
    curl -s -o run.sh URL/get
    curl -s -i -o run.sh URL/get
    curl -s -D run.sh URL/get
    curl -s -i -R -o out.txt URL/get
    curl -s -R -O URL/x.txt
    curl -s -R -o a -o b URL/one URL/two
    curl -s -R URL/get
    curl -s -o /dev/stdout URL/get
    curl -s -o /dev/stdout URL/get >out.txt
    curl -s -o /dev/stderr URL/get 2>out.txt
    curl -s -o /dev/fd/3 URL/get 3>out.txt
    curl -s -o /dev/fd/3 URL/one 3>&1
    curl -s -i -o /dev/fd/3 URL/get 3>out.txt
    curl -s -o /proc/self/fd/1 URL/get
    curl -s -o /dev/fd/9 URL/get
    curl -s -o /dev/full URL/get
    curl -s -D /dev/stdout URL/get
    curl -s -D /dev/stderr -o out.txt URL/get 2>head.txt
    curl -s -D /dev/fd/3 URL/one URL/two 3>head.txt
    mkfifo fifo; cat fifo >out.txt & curl -s -o fifo URL/get; wait
    mkfifo fifo; cat fifo >out.txt & curl -s -i -o fifo URL/get; wait
    curl -s --remove-on-error -o out.txt URL/truncated
    curl -s --remove-on-error -f -o text.txt URL/missing
    curl -s --create-file-mode 600 -o out.txt URL/get
    curl -s --create-file-mode 888 -o out.txt URL/get
    curl -s --output-dir sub URL/x.txt
    curl -s --output-dir '' -O URL/x.txt
    curl -s -o /no/such/dir/x -o y URL/one URL/two
    curl -s -o y -o /no/such/dir/x URL/one URL/two
    curl -s --fail-early -o sub/ -o y URL/one URL/two
    curl -s 'http://:bad:url' URL/get
    curl -s URL/get http://127.0.0.1:1/
    # Headers
    curl -s -i URL/trailers
    curl -s -D head.txt URL/trailers
    curl -s -i -o out.txt URL/trailers
    curl -s -D - -o out.txt URL/trailers
    curl -s -D - URL/trailers
    curl -s -o out.txt URL/trailers
    curl -s -i URL/early
    curl -s -I URL/early
    curl -s -D head.txt -o out.txt URL/early
    curl -s -i -o out.txt URL/early
    curl -s -iL URL/redirect/early
    curl -s -iL --digest -u user:pass URL/redirect/digest
    curl -s -D head.txt --digest -u user:pass URL/digest
    curl -s -i --digest -u user:pass URL/digest/never
    curl -s -i --anyauth -u user:pass -d a=1 URL/digest
    curl -s -i URL/one URL/two
    curl -s -i -o a -o b URL/one URL/two
    curl -s -i -o a URL/one URL/two
    curl -s -f -i URL/missing
    curl -s -f -i -o out.txt URL/missing
    curl -s -f -D - URL/missing
    curl -s -f -I URL/missing
    curl -s -i --fail-with-body URL/missing
    curl -s -I -O URL/text.txt
    curl -s -I -o - URL/text.txt
    curl -s -D text.txt URL/truncated
    curl -s -D head.txt http://127.0.0.1:1/
    curl -s -i --no-include URL/get
    # Uploads
    echo in | curl -s -T - -H Expect: URL/put
    echo in | curl -s -T . -H Expect: -o out.txt URL/dir/
    curl -s -T '' URL/put
    curl -s -T text.txt -H Expect: URL
    curl -s -T text.txt -H Expect: 'URL/dir/?a=b'
    curl -s -T sub/nested.txt -H Expect: URL/dir/
    curl -s -T link -H Expect: URL/dir/
    curl -s -T text.txt -T data.json -H Expect: URL/dir/ URL/one
    curl -s -T text.txt -H Expect: URL/one URL/two
    curl -s -T text.txt -i -o out.txt -H Expect: URL/put
    curl -s -G -d a=1 -T text.txt -H Expect: URL/put
    curl -s -T text.txt -r 0-3 -H Expect: URL/put
    curl -s -C - -T text.txt -H Expect: URL/put
    curl -s -T text.txt -d a=1 URL/put
    curl -s -T text.txt -T none -H Expect: URL/one URL/two
    # Parts of files, and conditions
    curl -s -C - -o fresh.bin URL/file.bin
    curl -s -C - URL/file.bin
    curl -s -C - -O URL/file.bin
    curl -s -C 500 -D head.txt -o half.bin URL/file.bin
    curl -s -C 500 -i -o half.bin URL/file.bin
    curl -s -r 0-9 -o out.bin URL/file.bin
    curl -s -r 0-9 -o half.bin URL/file.bin
    curl -s -r 0-9 -i -o out.bin URL/file.bin
    curl -s -r 2000- -o out.bin URL/file.bin
    curl -s -r 0-9 -I URL/file.bin
    curl -s --etag-save tag.txt -o out.txt URL/tag
    curl -s --etag-save etag.txt -o out.txt URL/get
    curl -s --etag-save tag.txt URL/missing
    curl -s --etag-save - URL/tag
    curl -s --etag-save no/such/tag URL/tag
    curl -s --etag-compare v1.txt -o text.txt URL/tag
    curl -s --etag-compare v1.txt -i -o out.txt URL/tag
    curl -s --etag-compare v1.txt --etag-save v1.txt -o out.txt URL/tag
    curl -s --etag-compare etag.txt --etag-save etag.txt -o text.txt URL/tag
    curl -s --etag-compare none --etag-save none -o out.txt URL/tag
    curl -s --etag-compare none -o out.txt URL/tag
    curl -s -o new.txt -H 'If-None-Match: "v1"' URL/tag
    curl -s -z text.txt -o out.txt URL/dated
    curl -s -z text.txt -o text.txt URL/dated
    curl -s -z none -o out.txt URL/dated
    curl -s -z text.txt -i -o out.txt URL/dated
    curl -s -z text.txt -D head.txt -o text.txt -w '%{http_code} %{size_download}' URL/dated
    """#
