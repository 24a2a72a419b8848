# Completion of afcli for bash. Written by `afcli --generate bash`: change that, not this.

# Words that begin with the value.
_afcli_offer() {
    local word
    for word in $1; do
        [[ $word != "$value"* ]] || COMPREPLY+=("${head:cut}$word")
    done
}

# Header names in any case, followed by what is typed next: the colon and the value.
_afcli_header() {
    local word
    for word in Accept Accept-Encoding Accept-Language Authorization Cache-Control Connection Content-Disposition Content-Encoding Content-Language Content-Type Cookie Date DNT Expect Forwarded From Host Idempotency-Key If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Last-Event-ID Origin Pragma Prefer Range Referer TE Traceparent Upgrade-Insecure-Requests User-Agent X-Api-Key X-Correlation-ID X-CSRF-Token X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-HTTP-Method-Override X-Request-ID X-Requested-With; do
        [[ ${word,,} == "${value,,}"* ]] || continue
        word=$head$word
        COMPREPLY+=("${word:cut}:")
    done
    compopt -o nospace
}

# Files, or with -d directories, whose names begin with the value.
_afcli_file() {
    local word
    while IFS= read -r word; do
        word=$head$word
        COMPREPLY+=("${word:cut}")
    done < <(compgen "${1:--f}" -- "${value//\\/}")
    compopt -o filenames
}

# A file after an @, as in name@FILE and name=@FILE.
_afcli_text() {
    [[ $value == *@* ]] || return 0
    head=$head${value%@*}@ value=${value##*@}
    _afcli_file
}

# The same for a part; a name with a semicolon goes into double quotes, as attributes begin with one.
_afcli_part() {
    local index kept path
    _afcli_text
    kept=${head:cut}
    for index in "${!COMPREPLY[@]}"; do
        path=${COMPREPLY[index]:${#kept}}
        # What follows a directory still has to be typed.
        [[ $path != *\;* || -d $path ]] || COMPREPLY[index]=$kept\"$path\"
    done
}

# The letter of a cluster that takes an argument, as name, and what stands behind it, as rest.
_afcli_cluster() {
    name= rest=${1#-}
    while [[ -n $rest && -z $name ]]; do
        [[ ${rest:0:1} != [XHFTauAopPsw] ]] || name=-${rest:0:1}
        rest=${rest:1}
    done
}

_afcli_item() {
    if [[ $value == *@* ]]; then _afcli_text; else _afcli_header; fi
}

_afcli() {
    COMPREPLY=()
    local line=${COMP_LINE:0:COMP_POINT} part index value head= cut=0
    local -a words=()
    # Bash ends words at = : and @ as well; for afcli only a blank does.
    for ((index = 0; index <= COMP_CWORD; index++)); do
        part=${COMP_WORDS[index]}
        if ((index > 0)) && [[ $line != [[:space:]]* ]]; then
            words[-1]+=$part
        else
            words+=("$part")
        fi
        line=${line#"${line%%[![:space:]]*}"}
        line=${line#"$part"}
    done
    value=${words[-1]}
    # Readline keeps an opening quote itself, and replaces $2 alone.
    [[ $value == [\'\"]* ]] && value=${value:1}
    cut=$((${#value} - ${#2}))

    local name= rest=
    if [[ $value == --*=* ]]; then
        name=${value%%=*} head=${name}= value=${value#*=}
        case $name in
            -c | --resume | --continue) _afcli_offer 'safe unsafe'; return ;;
            --help) _afcli_offer 'method header json form multipart part form-string raw upload-file boundary compress chunked ignore-stdin https default-scheme range expect100 auth auth-type ignore-netrc netrc-file token-url scope refresh-token follow max-redirects all trust-redirects allow-downgrade post301 post302 post303 session session-read-only cookie-jar verify insecure cacert capath cert cert-key cert-key-pass ssl ciphers pin timeout connect-timeout max-time proxy no-proxy unix-socket resolve connect-to doh-url interface ipv4 ipv6 http1.1 http2 http2-prior-knowledge http3 limit-rate max-headers max-head-size max-interim path-as-is hsts retry retry-delay retry-max-time retry-on retry-unsafe check-status no-check-status expect-status expect-type expect-header expect-json budget max-filesize download output output-dir create-dirs resume checksum overwrite no-clobber remote-time segments input parallel print history-print headers body meta verbose quiet pretty style stream sorted unsorted format-options max-formatted max-ratio response-charset response-mime color progress timing report har write-out show-secrets offline curl curl-long config no-config help version debug'; return ;;
        esac
    elif [[ $value == -[!-]* ]] && _afcli_cluster "$value" && [[ -n $rest ]]; then
        [[ $rest != =* ]] || rest=${rest:1}
        head=${value%"$rest"} value=$rest
    elif ((${#words[@]} > 2)); then
        name=${words[-2]}
        if [[ $name == -[!-]* ]]; then
            _afcli_cluster "$name"
            [[ -z $rest ]] || name=
        fi
    fi
    case $name in
            -X | --method) _afcli_offer 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE'; return ;;
            -H | --header) _afcli_header; return ;;
            -F | --part) _afcli_part; return ;;
            --form-string) _afcli_text; return ;;
            --raw) _afcli_text; return ;;
            -T | --upload-file) _afcli_file; return ;;
            --boundary) _afcli_text; return ;;
            --default-scheme) _afcli_offer 'http https'; return ;;
            --range) _afcli_text; return ;;
            --expect100) _afcli_offer 'auto yes no'; return ;;
            -a | -u | --auth) _afcli_text; return ;;
            -A | --auth-type) _afcli_offer 'basic digest bearer ntlm negotiate aws-sigv4 oauth2'; return ;;
            --netrc-file) _afcli_file; return ;;
            --token-url) _afcli_text; return ;;
            --scope) _afcli_text; return ;;
            --refresh-token) _afcli_text; return ;;
            --max-redirects) _afcli_text; return ;;
            --session) _afcli_file; return ;;
            --session-read-only) _afcli_file; return ;;
            --cookie-jar) _afcli_file; return ;;
            --verify) _afcli_offer 'yes no'; _afcli_file; return ;;
            --cacert) _afcli_file; return ;;
            --capath) _afcli_file -d; return ;;
            --cert) _afcli_file; return ;;
            --cert-key) _afcli_file; return ;;
            --cert-key-pass) _afcli_text; return ;;
            --ssl) _afcli_offer 'auto tls1 tls1.1 tls1.2 tls1.3'; return ;;
            --ciphers) _afcli_text; return ;;
            --pin) _afcli_text; return ;;
            --timeout) _afcli_text; return ;;
            --connect-timeout) _afcli_text; return ;;
            --max-time) _afcli_text; return ;;
            --proxy) _afcli_text; return ;;
            --no-proxy) _afcli_text; return ;;
            --unix-socket) _afcli_file; return ;;
            --resolve) _afcli_text; return ;;
            --connect-to) _afcli_text; return ;;
            --doh-url) _afcli_text; return ;;
            --interface) _afcli_text; return ;;
            --limit-rate) _afcli_text; return ;;
            --max-headers) _afcli_text; return ;;
            --max-head-size) _afcli_text; return ;;
            --max-interim) _afcli_text; return ;;
            --hsts) _afcli_file; return ;;
            --retry) _afcli_text; return ;;
            --retry-delay) _afcli_text; return ;;
            --retry-max-time) _afcli_text; return ;;
            --retry-on) _afcli_text; return ;;
            --expect-status) _afcli_text; return ;;
            --expect-type) _afcli_text; return ;;
            --expect-header) _afcli_header; return ;;
            --expect-json) _afcli_text; return ;;
            --budget) _afcli_text; return ;;
            --max-filesize) _afcli_text; return ;;
            -o | --output) _afcli_file; return ;;
            --output-dir) _afcli_file -d; return ;;
            --checksum) _afcli_file; return ;;
            --segments) _afcli_text; return ;;
            --input) _afcli_file; return ;;
            --parallel) _afcli_text; return ;;
            -p | --print) _afcli_text; return ;;
            -P | --history-print) _afcli_text; return ;;
            --pretty) _afcli_offer 'all colors format none'; return ;;
            -s | --style) _afcli_offer 'auto ocean meadow ember dusk mono'; return ;;
            --format-options) _afcli_text; return ;;
            --max-formatted) _afcli_text; return ;;
            --max-ratio) _afcli_text; return ;;
            --response-charset) _afcli_text; return ;;
            --response-mime) _afcli_text; return ;;
            --color) _afcli_offer 'auto always never'; return ;;
            --progress) _afcli_offer 'auto always never json'; return ;;
            --report) _afcli_file; return ;;
            --har) _afcli_file; return ;;
            -w | --write-out) _afcli_text; return ;;
            --config) _afcli_file; return ;;
    esac
    [[ -z $head ]] || return 0
    if [[ $value == -* ]]; then
        _afcli_offer '-X --method -H --header -j --json -f --form --multipart -F --part --form-string --raw -T --upload-file --boundary -x --compress --chunked -I --ignore-stdin --https --default-scheme --range --expect100 -a -u --auth -A --auth-type --ignore-netrc --netrc-file --token-url --scope --refresh-token -L --follow --max-redirects --all --trust-redirects --allow-downgrade --post301 --post302 --post303 --session --session-read-only --cookie-jar --verify -k --insecure --cacert --capath --cert --cert-key --cert-key-pass --ssl --ciphers --pin --timeout --connect-timeout --max-time --proxy --no-proxy --unix-socket --resolve --connect-to --doh-url --interface -4 --ipv4 -6 --ipv6 --http1.1 --http2 --http2-prior-knowledge --http3 --limit-rate --max-headers --max-head-size --max-interim --path-as-is --hsts --retry --retry-delay --retry-max-time --retry-on --retry-unsafe --check-status --no-check-status --expect-status --expect-type --expect-header --expect-json --budget --max-filesize -d --download -o --output --output-dir --create-dirs -c --resume --continue --checksum --overwrite --no-clobber --remote-time --segments --input --parallel -p --print -P --history-print -h --headers -b --body -m --meta -v --verbose -q --quiet --pretty -s --style -S --stream --sorted --no-unsorted --unsorted --no-sorted --format-options --max-formatted --max-ratio --response-charset --response-mime --color --progress --timing --report --har -w --write-out --show-secrets --offline --curl --curl-long --config --no-config --help --version --debug'
        # How options are undone is of interest to whoever begins to type it.
        [[ $value != --no* ]] || _afcli_offer '--no-method --no-header --no-json --no-form --no-multipart --no-part --no-form-string --no-raw --no-upload-file --no-boundary --no-compress --no-chunked --no-ignore-stdin --no-https --no-default-scheme --no-range --no-expect100 --no-auth --no-auth-type --no-ignore-netrc --no-netrc-file --no-token-url --no-scope --no-refresh-token --no-follow --no-max-redirects --no-all --no-trust-redirects --no-allow-downgrade --no-post301 --no-post302 --no-post303 --no-session --no-session-read-only --no-cookie-jar --no-verify --no-insecure --no-cacert --no-capath --no-cert --no-cert-key --no-cert-key-pass --no-ssl --no-ciphers --no-pin --no-timeout --no-connect-timeout --no-max-time --no-unix-socket --no-resolve --no-connect-to --no-doh-url --no-interface --no-ipv4 --no-ipv6 --no-http1.1 --no-http2 --no-http2-prior-knowledge --no-http3 --no-limit-rate --no-max-headers --no-max-head-size --no-max-interim --no-path-as-is --no-hsts --no-retry --no-retry-delay --no-retry-max-time --no-retry-on --no-retry-unsafe --no-expect-status --no-expect-type --no-expect-header --no-expect-json --no-budget --no-max-filesize --no-download --no-output --no-output-dir --no-create-dirs --no-resume --no-checksum --no-overwrite --no-remote-time --no-segments --no-input --no-parallel --no-print --no-history-print --no-headers --no-body --no-meta --no-verbose --no-quiet --no-pretty --no-style --no-stream --no-format-options --no-max-formatted --no-max-ratio --no-response-charset --no-response-mime --no-color --no-progress --no-timing --no-report --no-har --no-write-out --no-show-secrets --no-offline --no-curl --no-curl-long --no-debug'
        return
    fi

    local count=0
    for ((index = 1; index < ${#words[@]} - 1; index++)); do
        case ${words[index]} in
            --method | --header | --part | --form-string | --raw | --upload-file | --boundary | --default-scheme | --range | --expect100 | --auth | --auth-type | --netrc-file | --token-url | --scope | --refresh-token | --max-redirects | --session | --session-read-only | --cookie-jar | --verify | --cacert | --capath | --cert | --cert-key | --cert-key-pass | --ssl | --ciphers | --pin | --timeout | --connect-timeout | --max-time | --proxy | --no-proxy | --unix-socket | --resolve | --connect-to | --doh-url | --interface | --limit-rate | --max-headers | --max-head-size | --max-interim | --hsts | --retry | --retry-delay | --retry-max-time | --retry-on | --expect-status | --expect-type | --expect-header | --expect-json | --budget | --max-filesize | --output | --output-dir | --checksum | --segments | --input | --parallel | --print | --history-print | --pretty | --style | --format-options | --max-formatted | --max-ratio | --response-charset | --response-mime | --color | --progress | --report | --har | --write-out | --config) ((index++)) ;;
            --*) ;;
            -?*)
                _afcli_cluster "${words[index]}"
                [[ -z $name || -n $rest ]] || ((index++))
                ;;
            *) ((count++)) ;;
        esac
    done
    if ((count > 0)); then
        _afcli_item
    elif [[ $value == [a-z]* ]]; then
        _afcli_offer 'get head post put patch delete options trace'
    else
        _afcli_offer 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE'
    fi
}

complete -F _afcli afcli
