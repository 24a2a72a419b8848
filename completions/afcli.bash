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
        [[ ${word,,} != "${value,,}"* ]] || COMPREPLY+=("${word:cut}:")
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

    local name=
    if [[ $value == --*=* ]]; then
        name=${value%%=*} head=${name}= value=${value#*=}
        case $name in
            --help) _afcli_offer 'method header json form multipart part form-string raw upload-file boundary compress chunked ignore-stdin https default-scheme range expect100 auth auth-type ignore-netrc netrc-file token-url scope refresh-token follow max-redirects all trust-redirects allow-downgrade post301 post302 post303 session session-read-only cookie-jar verify insecure cacert capath cert cert-key cert-key-pass ssl ciphers pin timeout connect-timeout max-time proxy no-proxy unix-socket resolve connect-to doh-url interface ipv4 ipv6 http1.1 http2 http2-prior-knowledge http3 limit-rate max-headers max-head-size path-as-is hsts retry retry-delay retry-max-time retry-on retry-unsafe check-status no-check-status expect-status expect-type expect-header expect-json budget max-filesize download output resume create-dirs overwrite no-clobber checksum print history-print headers body meta verbose quiet pretty style stream sorted unsorted format-options max-formatted max-ratio response-charset response-mime color progress timing report har write-out show-secrets offline curl curl-long config no-config help version debug'; return ;;
        esac
    elif ((${#words[@]} > 2)); then
        name=${words[-2]}
    fi
    case $name in
            -X | --method) _afcli_offer 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE'; return ;;
            -H | --header) _afcli_header; return ;;
            -F | --part) _afcli_text; return ;;
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
            --checksum) _afcli_file; return ;;
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
        _afcli_offer '-X --method -H --header -j --json -f --form --multipart -F --part --form-string --raw -T --upload-file --boundary -x --compress --chunked -I --ignore-stdin --https --default-scheme --range --expect100 -a -u --auth -A --auth-type --ignore-netrc --netrc-file --token-url --scope --refresh-token -L --follow --max-redirects --all --trust-redirects --allow-downgrade --post301 --post302 --post303 --session --session-read-only --cookie-jar --verify -k --insecure --cacert --capath --cert --cert-key --cert-key-pass --ssl --ciphers --pin --timeout --connect-timeout --max-time --proxy --no-proxy --unix-socket --resolve --connect-to --doh-url --interface -4 --ipv4 -6 --ipv6 --http1.1 --http2 --http2-prior-knowledge --http3 --limit-rate --max-headers --max-head-size --path-as-is --hsts --retry --retry-delay --retry-max-time --retry-on --retry-unsafe --check-status --no-check-status --expect-status --expect-type --expect-header --expect-json --budget --max-filesize -d --download -o --output -c --resume --continue --create-dirs --overwrite --no-clobber --checksum -p --print -P --history-print -h --headers -b --body -m --meta -v --verbose -q --quiet --pretty -s --style -S --stream --sorted --no-unsorted --unsorted --no-sorted --format-options --max-formatted --max-ratio --response-charset --response-mime --color --progress --timing --report --har -w --write-out --show-secrets --offline --curl --curl-long --config --no-config --help --version --debug'
        return
    fi

    local count=0
    for ((index = 1; index < ${#words[@]} - 1; index++)); do
        case ${words[index]} in
            -X | --method | -H | --header | -F | --part | --form-string | --raw | -T | --upload-file | --boundary | --default-scheme | --range | --expect100 | -a | -u | --auth | -A | --auth-type | --netrc-file | --token-url | --scope | --refresh-token | --max-redirects | --session | --session-read-only | --cookie-jar | --verify | --cacert | --capath | --cert | --cert-key | --cert-key-pass | --ssl | --ciphers | --pin | --timeout | --connect-timeout | --max-time | --proxy | --no-proxy | --unix-socket | --resolve | --connect-to | --doh-url | --interface | --limit-rate | --max-headers | --max-head-size | --hsts | --retry | --retry-delay | --retry-max-time | --retry-on | --expect-status | --expect-type | --expect-header | --expect-json | --budget | --max-filesize | -o | --output | --checksum | -p | --print | -P | --history-print | --pretty | -s | --style | --format-options | --max-formatted | --max-ratio | --response-charset | --response-mime | --color | --progress | --report | --har | -w | --write-out | --config) ((index++)) ;;
            -?*) ;;
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
