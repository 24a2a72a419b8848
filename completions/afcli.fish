# Completion of afcli for fish. Written by `afcli --generate fish`: change that, not this.

# Files after the last @ of the word, as in name@FILE and name=@FILE.
function __afcli_text
    set -l word (commandline --current-token)
    string match --quiet '*@*' -- $word; or return
    set -l head (string replace --regex '@[^@]*$' '@' -- $word)
    for path in (__fish_complete_path (string replace --regex '^.*@' '' -- $word))
        echo $head$path
    end
end

function __afcli_header
    string join \n Accept: Accept-Encoding: Accept-Language: Authorization: Cache-Control: Connection: Content-Disposition: Content-Encoding: Content-Language: Content-Type: Cookie: Date: DNT: Expect: Forwarded: From: Host: Idempotency-Key: If-Match: If-Modified-Since: If-None-Match: If-Range: If-Unmodified-Since: Last-Event-ID: Origin: Pragma: Prefer: Range: Referer: TE: Traceparent: Upgrade-Insecure-Requests: User-Agent: X-Api-Key: X-Correlation-ID: X-CSRF-Token: X-Forwarded-For: X-Forwarded-Host: X-Forwarded-Proto: X-HTTP-Method-Override: X-Request-ID: X-Requested-With:
end

function __afcli_item
    if string match --quiet '*@*' -- (commandline --current-token)
        __afcli_text
    else
        __afcli_header
    end
end

# Whether the word at the cursor is the first that is neither an option nor an option's argument.
function __afcli_is_first
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l is_argument false
    for word in $words[2..]
        if $is_argument
            set is_argument false
            continue
        end
        switch $word
            case --method --header --part --form-string --raw --upload-file --boundary --default-scheme --range --expect100 --auth --auth-type --netrc-file --token-url --scope --refresh-token --max-redirects --session --session-read-only --cookie-jar --verify --cacert --capath --cert --cert-key --cert-key-pass --ssl --ciphers --pin --timeout --connect-timeout --max-time --proxy --no-proxy --unix-socket --resolve --connect-to --doh-url --interface --limit-rate --max-headers --max-head-size --max-interim --hsts --retry --retry-delay --retry-max-time --retry-on --expect-status --expect-type --expect-header --expect-json --budget --max-filesize --output --output-dir --checksum --segments --input --parallel --print --history-print --pretty --style --format-options --max-formatted --max-ratio --response-charset --response-mime --color --progress --report --har --write-out --config
                set is_argument true
            case -
                return 1
            case '--*'
            case '-*'
                # A cluster whose last letter is the one that takes an argument.
                string match --quiet --regex '^-[^XHFTauAopPsw]*[XHFTauAopPsw]$' -- $word; and set is_argument true
            case '*'
                return 1
        end
    end
end

# How options are undone is of interest to whoever begins to type it.
function __afcli_undoes
    string match --quiet -- '--no*' (commandline --current-token)
end

complete -c afcli -f
complete -c afcli -n __afcli_is_first -a 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE'
complete -c afcli -n 'not __afcli_is_first' -a '(__afcli_item)'
complete -c afcli -s X -l method -d 'Send this method, spelled exactly so' -r -f -a 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE'
complete -c afcli -s H -l header -d 'Add a header: \'Name: value\'' -r -f -a '(__afcli_header)'
complete -c afcli -s j -l json -d 'Send the items as a JSON object (the default)'
complete -c afcli -s f -l form -d 'Send the items as form fields'
complete -c afcli -l multipart -d 'Send the items as multipart/form-data'
complete -c afcli -s F -l part -d 'Add a part: name=text, name=@file or name=<file' -r -f -a '(__afcli_text)'
complete -c afcli -l form-string -d 'Add a part whose text is taken as it is: name=text' -r -f -a '(__afcli_text)'
complete -c afcli -l raw -d 'Send this text as the body; @FILE or @- for a file' -r -f -a '(__afcli_text)'
complete -c afcli -s T -l upload-file -d 'Send a file as the body, with PUT unless told' -r -F
complete -c afcli -l boundary -d 'Separate multipart parts with this text' -r -f -a '(__afcli_text)'
complete -c afcli -s x -l compress -d 'Compress the body if that is shorter; -xx: always'
complete -c afcli -l chunked -d 'Send the body in chunks, without its length'
complete -c afcli -s I -l ignore-stdin -d 'Never read standard input, never prompt'
complete -c afcli -l https -d 'Use https where the URL names no scheme'
complete -c afcli -l default-scheme -d 'The scheme of URLs that name none (http)' -r -f -a 'http https'
complete -c afcli -l range -d 'Ask for these bytes only: 0-99, 100-, -500' -r -f -a '(__afcli_text)'
complete -c afcli -l expect100 -d 'Ask the server before sending the body' -r -f -a 'auto yes no'
complete -c afcli -s a -s u -l auth -d 'Log in with USER[:PASSWORD] or a bearer token' -r -f -a '(__afcli_text)'
complete -c afcli -s A -l auth-type -d 'How to log in; basic unless given' -r -f -a 'basic digest bearer ntlm negotiate aws-sigv4 oauth2'
complete -c afcli -l ignore-netrc -d 'Take no login from the netrc file'
complete -c afcli -l netrc-file -d 'Take logins from FILE, not from $NETRC or ~/.netrc' -r -F
complete -c afcli -l token-url -d 'Where --auth-type oauth2 gets its tokens' -r -f -a '(__afcli_text)'
complete -c afcli -l scope -d 'What a token of OAuth 2 is to be good for' -r -f -a '(__afcli_text)'
complete -c afcli -l refresh-token -d 'Get tokens with this refresh token of OAuth 2' -r -f -a '(__afcli_text)'
complete -c afcli -s L -l follow -d 'Follow redirects'
complete -c afcli -l max-redirects -d 'Follow at most this many redirects (30)' -r -f -a '(__afcli_text)'
complete -c afcli -l all -d 'Show every response on the way, not only the last'
complete -c afcli -l trust-redirects -d 'Send login data and cookies to other origins too'
complete -c afcli -l allow-downgrade -d 'Follow redirects from https to http'
complete -c afcli -l post301 -d 'Keep POST and its body after 301'
complete -c afcli -l post302 -d 'Keep POST and its body after 302'
complete -c afcli -l post303 -d 'Keep POST and its body after 303'
complete -c afcli -l session -d 'Keep headers, login and cookies for later requests' -r -F
complete -c afcli -l session-read-only -d 'Use a session and leave it as it is' -r -F
complete -c afcli -l cookie-jar -d 'Take cookies from a Netscape cookie file, and keep them' -r -F
complete -c afcli -l verify -d 'Check the server\'s certificate: yes, no, CA path' -r -F -a 'yes no'
complete -c afcli -s k -l insecure -d 'Trust any certificate: the same as --verify no'
complete -c afcli -l cacert -d 'Trust the authorities in this PEM file' -r -F
complete -c afcli -l capath -d 'Trust the authorities in this hashed directory' -r -f -a '(__fish_complete_directories (commandline --current-token))'
complete -c afcli -l cert -d 'Show the server this client certificate (PEM)' -r -F
complete -c afcli -l cert-key -d 'The private key of the client certificate' -r -F
complete -c afcli -l cert-key-pass -d 'The password of the private key' -r -f -a '(__afcli_text)'
complete -c afcli -l ssl -d 'Speak exactly this version of TLS' -r -f -a 'auto tls1 tls1.1 tls1.2 tls1.3'
complete -c afcli -l ciphers -d 'Offer these ciphers, in OpenSSL\'s notation' -r -f -a '(__afcli_text)'
complete -c afcli -l pin -d 'Accept only this public key: sha256//BASE64' -r -f -a '(__afcli_text)'
complete -c afcli -l timeout -d 'Give up after SECONDS without progress (60)' -r -f -a '(__afcli_text)'
complete -c afcli -l connect-timeout -d 'Give up connecting after SECONDS (30)' -r -f -a '(__afcli_text)'
complete -c afcli -l max-time -d 'Give up SECONDS after the start, whatever happens' -r -f -a '(__afcli_text)'
complete -c afcli -l proxy -d 'Go through a proxy: [http:|https:|all:]URL' -r -f -a '(__afcli_text)'
complete -c afcli -l no-proxy -d 'Reach these hosts directly: host,.domain,*' -r -f -a '(__afcli_text)'
complete -c afcli -l unix-socket -d 'Connect to this socket file instead of the host' -r -F
complete -c afcli -l resolve -d 'Use this address: HOST:PORT:ADDRESS[,ADDRESS]' -r -f -a '(__afcli_text)'
complete -c afcli -l connect-to -d 'Connect elsewhere: HOST:PORT:TO-HOST:TO-PORT' -r -f -a '(__afcli_text)'
complete -c afcli -l doh-url -d 'Ask this server for addresses, over HTTPS' -r -f -a '(__afcli_text)'
complete -c afcli -l interface -d 'Send from this interface, address or host name' -r -f -a '(__afcli_text)'
complete -c afcli -s 4 -l ipv4 -d 'Use IPv4 only'
complete -c afcli -s 6 -l ipv6 -d 'Use IPv6 only'
complete -c afcli -l http1.1 -d 'Speak HTTP/1.1'
complete -c afcli -l http2 -d 'Speak HTTP/2 where the server can'
complete -c afcli -l http2-prior-knowledge -d 'Speak HTTP/2 at once, in clear too'
complete -c afcli -l http3 -d 'Speak HTTP/3, where libcurl knows it'
complete -c afcli -l limit-rate -d 'Move at most BYTES a second: 500k, 2M' -r -f -a '(__afcli_text)'
complete -c afcli -l max-headers -d 'Refuse responses with more header lines (1000)' -r -f -a '(__afcli_text)'
complete -c afcli -l max-head-size -d 'Refuse responses with longer heads (256k)' -r -f -a '(__afcli_text)'
complete -c afcli -l max-interim -d 'Refuse more responses 1xx before the answer (20)' -r -f -a '(__afcli_text)'
complete -c afcli -l path-as-is -d 'Leave /../ and /./ in the URL\'s path'
complete -c afcli -l hsts -d 'Remember in FILE which hosts want TLS, and use it' -r -F
complete -c afcli -l retry -d 'Try up to NUMBER times again' -r -f -a '(__afcli_text)'
complete -c afcli -l retry-delay -d 'Wait SECONDS between tries' -r -f -a '(__afcli_text)'
complete -c afcli -l retry-max-time -d 'Start no further try SECONDS after the first' -r -f -a '(__afcli_text)'
complete -c afcli -l retry-on -d 'Retry after these statuses and failures' -r -f -a '(__afcli_text)'
complete -c afcli -l retry-unsafe -d 'Retry POST and PATCH too'
complete -c afcli -l check-status -d 'Exit 3, 4 or 5 for 3xx, 4xx, 5xx (the default)'
complete -c afcli -l no-check-status -d 'Exit with 0 whatever the status'
complete -c afcli -l expect-status -d 'Fail unless the status is in LIST: 200-299,304' -r -f -a '(__afcli_text)'
complete -c afcli -l expect-type -d 'Fail unless the body is of this media type' -r -f -a '(__afcli_text)'
complete -c afcli -l expect-header -d 'Fail unless there is this header: \'Name[: value]\'' -r -f -a '(__afcli_header)'
complete -c afcli -l expect-json -d 'Fail unless the JSON body holds PATH[==VALUE]' -r -f -a '(__afcli_text)'
complete -c afcli -l budget -d 'Fail when it takes longer: ttfb=200ms, total=2s' -r -f -a '(__afcli_text)'
complete -c afcli -l max-filesize -d 'Fail when the body is longer than BYTES: 10M' -r -f -a '(__afcli_text)'
complete -c afcli -s d -l download -d 'Save the body to a file and show the progress'
complete -c afcli -s o -l output -d 'Write the body to FILE, or into DIRECTORY/' -r -F
complete -c afcli -l output-dir -d 'Put the files into this directory' -r -f -a '(__fish_complete_directories (commandline --current-token))'
complete -c afcli -l create-dirs -d 'Make the missing directories of --output'
complete -c afcli -s c -l resume -l continue -d 'Go on where an interrupted download stopped' -f -a 'safe unsafe'
complete -c afcli -l checksum -d 'Save the file only when its bytes add up to this' -r -F
complete -c afcli -l overwrite -d 'Replace --output even where it is a symbolic link'
complete -c afcli -l no-clobber -d 'Take the next free name where --output exists'
complete -c afcli -l remote-time -d 'Give the file the server\'s modification date'
complete -c afcli -l segments -d 'Fetch so many ranges of the file at once' -r -f -a '(__afcli_text)'
complete -c afcli -l input -d 'Download the URLs in FILE, one on each line' -r -F
complete -c afcli -l parallel -d 'Run so many downloads of --input at once (default: 4)' -r -f -a '(__afcli_text)'
complete -c afcli -s p -l print -d 'What to show, by letters: HBhbm' -r -f -a '(__afcli_text)'
complete -c afcli -s P -l history-print -d 'What to show of hops before the last, with --all' -r -f -a '(__afcli_text)'
complete -c afcli -s h -l headers -d 'Show only the response\'s head: the same as -p h'
complete -c afcli -s b -l body -d 'Show only the response\'s body: the same as -p b'
complete -c afcli -s m -l meta -d 'Show only timings and sizes: the same as -p m'
complete -c afcli -s v -l verbose -d 'Show the request too, and every hop; -vv: timings'
complete -c afcli -s q -l quiet -d 'Show only errors and warnings; -qq: only errors'
complete -c afcli -l pretty -d 'Colour and format what is shown' -r -f -a 'all colors format none'
complete -c afcli -s s -l style -d 'Colours: auto, ocean, meadow, ember, dusk or mono' -r -f -a 'auto ocean meadow ember dusk mono'
complete -c afcli -s S -l stream -d 'Show each line of the body as soon as it arrives'
complete -c afcli -l sorted -l no-unsorted -d 'Sort headers by name and JSON by key'
complete -c afcli -l unsorted -l no-sorted -d 'Keep the order of headers and keys (the default)'
complete -c afcli -l format-options -d 'Set details of formatting: json.indent:2' -r -f -a '(__afcli_text)'
complete -c afcli -l max-formatted -d 'Hold back at most so many bytes (256M), to sort JSON' -r -f -a '(__afcli_text)'
complete -c afcli -l max-ratio -d 'Show no body that unpacks to more times its size (1000)' -r -f -a '(__afcli_text)'
complete -c afcli -l response-charset -d 'Read the body\'s text in this character set' -r -f -a '(__afcli_text)'
complete -c afcli -l response-mime -d 'Show the body as if it had this media type' -r -f -a '(__afcli_text)'
complete -c afcli -l color -d 'Use colours: auto, always or never' -r -f -a 'auto always never'
complete -c afcli -l progress -d 'Show progress: auto, always, never or json' -r -f -a 'auto always never json'
complete -c afcli -l timing -d 'Draw where the time went, hop by hop'
complete -c afcli -l report -d 'Write a JSON report of the run to FILE' -r -F
complete -c afcli -l har -d 'Write an HTTP Archive (HAR 1.2) of the run to FILE' -r -F
complete -c afcli -s w -l write-out -d 'Write this after the run: \'%{http_code}\\n\', @FILE' -r -f -a '(__afcli_text)'
complete -c afcli -l show-secrets -d 'Leave secrets in reports, archives and --curl'
complete -c afcli -l offline -d 'Build the request and show it, but send nothing'
complete -c afcli -l curl -d 'Show the request as a command for curl; send nothing'
complete -c afcli -l curl-long -d 'The same with curl\'s long options, one on each line'
complete -c afcli -l config -d 'Read this configuration file' -r -F
complete -c afcli -l no-config -d 'Read no configuration file'
complete -c afcli -l help -d 'Show this help, or all about one option' -f -a 'method header json form multipart part form-string raw upload-file boundary compress chunked ignore-stdin https default-scheme range expect100 auth auth-type ignore-netrc netrc-file token-url scope refresh-token follow max-redirects all trust-redirects allow-downgrade post301 post302 post303 session session-read-only cookie-jar verify insecure cacert capath cert cert-key cert-key-pass ssl ciphers pin timeout connect-timeout max-time proxy no-proxy unix-socket resolve connect-to doh-url interface ipv4 ipv6 http1.1 http2 http2-prior-knowledge http3 limit-rate max-headers max-head-size max-interim path-as-is hsts retry retry-delay retry-max-time retry-on retry-unsafe check-status no-check-status expect-status expect-type expect-header expect-json budget max-filesize download output output-dir create-dirs resume checksum overwrite no-clobber remote-time segments input parallel print history-print headers body meta verbose quiet pretty style stream sorted unsorted format-options max-formatted max-ratio response-charset response-mime color progress timing report har write-out show-secrets offline curl curl-long config no-config help version debug'
complete -c afcli -l version -d 'Show the version, the libraries and the features'
complete -c afcli -l debug -d 'Show what happens inside, for bug reports'
for name in method header json form multipart part form-string raw upload-file boundary compress chunked ignore-stdin https default-scheme range expect100 auth auth-type ignore-netrc netrc-file token-url scope refresh-token follow max-redirects all trust-redirects allow-downgrade post301 post302 post303 session session-read-only cookie-jar verify insecure cacert capath cert cert-key cert-key-pass ssl ciphers pin timeout connect-timeout max-time unix-socket resolve connect-to doh-url interface ipv4 ipv6 http1.1 http2 http2-prior-knowledge http3 limit-rate max-headers max-head-size max-interim path-as-is hsts retry retry-delay retry-max-time retry-on retry-unsafe expect-status expect-type expect-header expect-json budget max-filesize download output output-dir create-dirs resume checksum overwrite remote-time segments input parallel print history-print headers body meta verbose quiet pretty style stream format-options max-formatted max-ratio response-charset response-mime color progress timing report har write-out show-secrets offline curl curl-long debug
    complete -c afcli -n __afcli_undoes -l no-$name -d "Undo --$name"
end
