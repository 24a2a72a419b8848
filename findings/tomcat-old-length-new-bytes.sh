#!/usr/bin/env bash
# Tomcat serves a file that was changed in place with its old length and ETag, and with its new bytes.
#
# One would guess: a response has the length, ETag and bytes of one version of the file: the old one while Tomcat has it in its
# cache (5 seconds by default), the new one afterwards.
# Seen: 3 MB of b overwrite 2 MB of a. At once, a GET gets 200, the old ETag and Last-Modified, Content-Length: 2000000, and
# 2 MB of b: an incomplete file that looks complete to a client. A resume with the old date in If-Range gets 206 and joins two
# versions. Six seconds later, everything is new. Tomcat caches the length and date of every file, but the bytes of small files
# only (512 KB by default). A new file that is renamed to the old name has the same effect.
# Version: Tomcat 10.1.60 with OpenJDK 17, Debian 12. Source: "The Resources Component" (cacheTtl, cacheObjectMaxSize) in
# Tomcat's manual, CachedResource.validateResource in org/apache/catalina/webresources.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
java=$(command -v java || true) home=/usr/share/tomcat10
if [[ -z $java || ! -e $home/lib/catalina.jar ]]; then
    apt-cache show tomcat10-common >/dev/null 2>&1 || apt-get -qq update
    apt-get -qq -s --no-install-recommends install openjdk-17-jre-headless tomcat10-common | awk '/^Inst/ { print $2 }' \
        >"$folder/packages"
    (cd "$folder" && xargs apt-get -o APT::Sandbox::User=root -qq download <packages)
    for file in "$folder"/*.deb; do dpkg -x "$file" "$folder"; done
    # The JRE has absolute links to its configuration in /etc.
    find "$folder/usr/lib/jvm" -type l -lname '/etc/*' -printf '%l %p\n' 2>/dev/null |
        while read -r target link; do ln -sfn "$folder$target" "$link"; done
    LD_LIBRARY_PATH=$(printf '%s:' "$folder"/{usr/,}lib/*-linux-gnu*)
    export LD_LIBRARY_PATH
    [[ -n $java ]] || java=$(echo "$folder"/usr/lib/jvm/java-17-openjdk-*/bin/java)
    [[ -e $home/lib/catalina.jar ]] || home=$folder$home
fi
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
mkdir -p "$folder"/base/{conf,logs,temp,webapps/ROOT/WEB-INF}
cat >"$folder/base/conf/server.xml" <<FILE
<Server port="-1"><Service name="service"><Connector address="127.0.0.1" port="$port"/>
<Engine name="engine" defaultHost="host"><Host name="host" appBase="webapps"/></Engine></Service></Server>
FILE
cat >"$folder/base/webapps/ROOT/WEB-INF/web.xml" <<FILE
<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
<servlet><servlet-name>files</servlet-name><servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class></servlet>
<servlet-mapping><servlet-name>files</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
</web-app>
FILE
timeout -k 5 200 "$java" -XX:-UsePerfData -Djava.io.tmpdir="$folder/base/temp" -Dcatalina.home="$home" \
    -Dcatalina.base="$folder/base" -cp "$home/bin/bootstrap.jar:$home/bin/tomcat-juli.jar" \
    org.apache.catalina.startup.Bootstrap start >"$folder/log" 2>&1 &
server=$!
for ((attempt = 0; attempt < 600; attempt++)); do
    [[ $(curl -q -s -m 5 -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/none" || true) = 404 ]] && break
    sleep 0.1
done
sed -n 's,.*\(Apache Tomcat/[0-9.]*\).*,\1,p' "$folder/log"
write() { head -c "$2" /dev/zero | tr '\0' "$1" >"$folder/base/webapps/ROOT/$3"; }
get() {
    local status url=http://127.0.0.1:$port/$1
    status=$(curl -q -s -m 20 -D "$folder/head" -o "$folder/body" -w '%{http_code}' "${@:2}" "$url" || true)
    date=$(tr -d '\r' <"$folder/head" | sed -n 's/^Last-Modified: //p')
    tag=$(tr -d '\r' <"$folder/head" | sed -n 's/^ETag: //p')
    result="$status, $(tr -cd a <"$folder/body" | wc -c) a, $(tr -cd b <"$folder/body" | wc -c) b"
}
write a 2000000 file
sleep 1.1
get file
old="$result" old_tag=$tag old_date=$date
write b 3000000 file
get file
changed="$result" changed_tag=$tag
get file -r 1000000- -H "If-Range: $old_date"
resumed="$result"
sleep 6
get file
later="$result" later_tag=$tag
get file -r 1000000- -H "If-Range: $old_date"
resumed_later="$result"
echo "old file: $old, $old_tag; just changed: $changed, $changed_tag; six seconds later: $later, $later_tag"
echo "resumed with the old date, just changed: $resumed; six seconds later: $resumed_later"
[[ "$old; $changed; $later" = "200, 2000000 a, 0 b; 200, 0 a, 2000000 b; 200, 0 a, 3000000 b" && $changed_tag = "$old_tag" &&
    $later_tag != "$old_tag" && "$resumed; $resumed_later" = "206, 0 a, 1000000 b; 200, 0 a, 3000000 b" ]] ||
    { echo "this has changed" >&2; exit 1; }
