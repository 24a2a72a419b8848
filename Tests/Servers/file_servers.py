"""Servers and caches of Debian, each with its configuration.

A server is a command, a configuration and its packages. What it cannot do is data: `missing`, `notes`.
"""

import hashlib
import subprocess
import urllib.request

from file_server import ALL_FRONTS, CHANGES, GZIP, Server, command, is_root, package, place, unpacked
from file_visit import OLD
from harness import CACHE, debian, free_port


# Servers with a configuration file

def nginx_configuration(site, port, server, http=""):
    directories = "\n".join(f"{kind}_temp_path {site.folder}/{kind};" for kind in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"""
        {"user root;" if is_root() else ""} daemon off; worker_processes 1;
        pid {site.folder}/nginx-{port}.pid; error_log {site.folder}/nginx-{port}.log;
        events {{ worker_connections 256; }}
        http {{ access_log off; {directories} {http} server {{ listen 127.0.0.1:{port}; {server} }} }}"""


def start_nginx(site, port, configuration):
    path = site.write(f"nginx-{port}.conf", configuration)
    site.start(port, "nginx", "-p", site.folder, "-e", site.folder / f"nginx-{port}.log", "-c", path)


def nginx(site, port):
    certificate, key = site.certificate()
    tls = f"listen 127.0.0.1:{site.tls_port} ssl http2; ssl_certificate {certificate}; ssl_certificate_key {key};"
    start_nginx(site, port, nginx_configuration(
        site, port, f"{tls if site.tls_port else ''} root {site.root}; gzip on; gzip_types *;"))


def nginx_proxy(site, port, origin):
    start_nginx(site, port, nginx_configuration(
        site, port, f"location / {{ proxy_pass http://127.0.0.1:{origin}; proxy_http_version 1.1; "
                    "proxy_set_header Host $http_host; }"))


def start_origin(site):
    """An nginx behind a cache."""
    site.origin_port, tls_port, site.tls_port = free_port(), site.tls_port, None
    nginx(site, site.origin_port)
    site.tls_port = tls_port
    return site.origin_port


def nginx_cache(site, port):
    origin = start_origin(site)
    start_nginx(site, port, nginx_configuration(
        site, port,
        f"location / {{ proxy_pass http://127.0.0.1:{origin}; proxy_cache files; proxy_cache_valid 200 10m; }}",
        f"proxy_cache_path {site.folder}/cache keys_zone=files:1m max_size=500m;"))


def apache_configuration(site, port, modules, text):
    names = "mpm_event authz_core mime dir autoindex alias".split() + modules
    load = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in names)
    return site.write(f"apache-{port}.conf", f"""
        ServerRoot {site.folder}
        ServerName localhost
        PidFile {site.folder}/apache-{port}.pid
        DefaultRuntimeDir {site.folder}
        ErrorLog {site.folder}/apache-{port}.log
        {load}
        {"User www-data" if is_root() else ""}
        {"Group www-data" if is_root() else ""}
        Listen 127.0.0.1:{port}
        TypesConfig /etc/mime.types
        DocumentRoot {site.root}
        DirectoryIndex index.html
        <Directory {site.root}>
            Options Indexes
            Require all granted
        </Directory>
        {text}""")


def apache(site, port):
    certificate, key = site.certificate()
    path = apache_configuration(site, port, ["deflate", "filter", "ssl", "http2"], f"""
        SetOutputFilter DEFLATE
        Listen 127.0.0.1:{site.tls_port}
        <VirtualHost 127.0.0.1:{site.tls_port}>
            Protocols h2 http/1.1
            SSLEngine on
            SSLCertificateFile {certificate}
            SSLCertificateKeyFile {key}
        </VirtualHost>""")
    site.start(port, "apache2", "-D", "FOREGROUND", "-f", path)


def apache_cache(site, port):
    origin = start_origin(site)
    cache = site.folder / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    path = apache_configuration(site, port, ["cache", "cache_disk", "proxy", "proxy_http"], f"""
        CacheRoot {cache}
        CacheEnable disk /
        CacheMaxFileSize 20000000
        CacheDefaultExpire 600
        ProxyPass / http://127.0.0.1:{origin}/""")
    site.start(port, "apache2", "-D", "FOREGROUND", "-f", path)


def lighttpd(site, port):
    certificate, key = site.certificate()
    path = site.write("lighttpd.conf", f"""
        server.document-root = "{site.root}"
        server.bind = "127.0.0.1"
        server.port = {port}
        server.errorlog = "{site.folder}/lighttpd.log"
        server.upload-dirs = ("{site.folder}")
        server.modules = ("mod_indexfile", "mod_dirlisting", "mod_deflate", "mod_openssl")
        index-file.names = ("index.html")
        mimetype.assign = (".txt" => "text/plain", ".html" => "text/html", "" => "application/octet-stream")
        deflate.mimetypes = ("text/plain")
        deflate.allowed-encodings = ("gzip")
        deflate.max-compress-size = 0
        $SERVER["socket"] == "127.0.0.1:{site.tls_port}" {{
            ssl.engine = "enable"
            ssl.pemfile = "{certificate}"
            ssl.privkey = "{key}"
        }}""")
    site.start(port, "lighttpd", "-D", "-f", path)


def caddy(site, port):
    certificate, key = site.certificate()
    path = site.write("Caddyfile", f"""
        {{
            admin off
            auto_https off
        }}
        (files) {{
            root * {site.root}
            encode gzip
            file_server browse
        }}
        http://127.0.0.1:{port} {{
            bind 127.0.0.1
            import files
        }}
        https://127.0.0.1:{site.tls_port} {{
            bind 127.0.0.1
            tls {certificate} {key}
            import files
        }}""")
    site.start(port, "caddy", "run", "--config", path, "--adapter", "caddyfile", XDG_DATA_HOME=str(site.folder),
               XDG_CONFIG_HOME=str(site.folder))


def h2o(site, port):
    certificate, key = site.certificate()
    path = site.write("h2o.conf", f"""
{"user: root" if is_root() else ""}
pid-file: {site.folder}/h2o.pid
error-log: {site.folder}/h2o.log
num-threads: 1
compress: [ gzip ]
listen: {{ host: 127.0.0.1, port: {port} }}
listen: {{ host: 127.0.0.1, port: {site.tls_port}, ssl: {{ certificate-file: {certificate}, key-file: {key} }} }}
hosts:
  default:
    paths:
      "/":
        file.dir: {site.root}
        file.dirlisting: ON
""")
    site.start(port, "h2o", "-m", "worker", "-c", path)


# Caches, and servers in front of others

def start_haproxy(site, port, origin, more="", rules=""):
    path = site.write(f"haproxy-{port}.cfg", f"""
global
    tune.ssl.default-dh-param 2048
{more}
defaults
    mode http
    timeout connect 10s
    timeout client 60s
    timeout server 60s
frontend front
    bind 127.0.0.1:{port}
    {rules}
    default_backend origin
backend origin
    server origin 127.0.0.1:{origin}
""")
    site.start(port, "haproxy", "-db", "-f", path)


def haproxy_cache(site, port):
    certificate, key = site.certificate()
    pem = site.write("haproxy.pem", certificate.read_bytes() + key.read_bytes())
    start_haproxy(site, port, start_origin(site),
                  "cache files\n    total-max-size 200\n    max-object-size 20000000\n    max-age 600\n",
                  f"bind 127.0.0.1:{site.tls_port} ssl crt {pem} alpn h2,http/1.1\n    "
                  "http-request cache-use files\n    http-response cache-store files")


def start_varnish(site, port, origin):
    folder = site.folder / f"varnish-{port}"
    folder.mkdir()
    site.start(port, "varnishd", "-F", "-a", f"127.0.0.1:{port}", "-b", f"127.0.0.1:{origin}", "-n", folder,
               "-s", "malloc,400m", "-j", "none", "-p", "thread_pools=1", "-p", "vsl_space=10m", "-T", "none")


def varnish_cache(site, port):
    start_varnish(site, port, start_origin(site))


def start_squid(site, port, origin=None):
    # As root it becomes Debian's user `proxy`.
    folder = site.folder / f"squid-{port}"
    folder.mkdir()
    folder.chmod(0o777)
    path = site.write(f"squid-{port}.conf", f"""
http_port 127.0.0.1:{port}
http_access allow all
cache_mem 300 MB
maximum_object_size_in_memory 20 MB
maximum_object_size 20 MB
access_log none
cache_log {folder}/log
pid_filename {folder}/pid
coredump_dir {folder}
netdb_filename none
pinger_enable off
shutdown_lifetime 0 seconds
visible_hostname localhost
""")
    # The name of its shared memory: several can run.
    site.start(port, "squid", "-N", "-n", f"files{port}", "-f", path)


def squid_cache(site, port):
    start_origin(site)
    start_squid(site, port)


# Server → its start in front of another one, options of afcli, whether it caches, and whether it is a forward proxy
fronts = {
    "nginx": (lambda site, port, origin: debian("nginx") or nginx_proxy(site, port, origin), (), False, False),
    "HAProxy": (lambda site, port, origin: debian("haproxy") or start_haproxy(site, port, origin), (), False, False),
    "Varnish": (lambda site, port, origin: debian("varnish") or start_varnish(site, port, origin), (), True, False),
    "Squid": (lambda site, port, origin: debian("squid") or start_squid(site, port, origin),
              ("--proxy", "http://127.0.0.1:RELAY"), True, True),
}
CACHE_FIELDS = {"caches": True, "fronts": ()}


# A registry of container images: its files are named by their digest, and never change

def request(port, method, path, data=b"", **fields):
    url = path if path.startswith("http") else f"http://127.0.0.1:{port}{path}"
    with urllib.request.urlopen(urllib.request.Request(url, data, method=method, headers={
            "Content-Type": "application/octet-stream", **fields}), timeout=30) as response:
        return response.headers


def registry(site, port):
    site.registry_port, site.blobs = port, {}
    site.write("registry.yml", f"""
version: 0.1
log: {{ level: error }}
storage: {{ filesystem: {{ rootdirectory: {site.root} }} }}
http: {{ addr: "127.0.0.1:{port}" }}
""")
    site.start(port, "docker-registry", "serve", site.folder / "registry.yml")


def push(site, name, data, seconds):
    digest = "sha256:" + hashlib.sha256(data).hexdigest()
    location = request(site.registry_port, "POST", "/v2/files/blobs/uploads/")["Location"]
    request(site.registry_port, "PUT", f"{location}{'&' if '?' in location else '?'}digest={digest}", data)
    site.blobs[name] = f"/v2/files/blobs/{digest}"


# git's HTTP backend: the files of a repository as its "dumb" protocol reads them

def git(site, port):
    path = site.write("git.conf", f"""
        server.document-root = "{site.root}"
        server.bind = "127.0.0.1"
        server.port = {port}
        server.errorlog = "{site.folder}/git.log"
        server.upload-dirs = ("{site.folder}")
        server.modules = ("mod_alias", "mod_setenv", "mod_cgi")
        alias.url = ("/git" => "/usr/lib/git-core/git-http-backend")
        cgi.assign = ("" => "")
        setenv.add-environment = ("GIT_PROJECT_ROOT" => "{site.root}", "GIT_HTTP_EXPORT_ALL" => "1",
                                  "HOME" => "{site.folder}")""")
    site.start(port, "lighttpd", "-D", "-f", path)


def git_repository(site):
    """A repository with an object and a tag of it, whose files are downloaded, too."""
    folder = site.root / "r.git"

    def run(*words):
        done = subprocess.run(["git", *words], check=True, capture_output=True, input=OLD[:100_000])
        return done.stdout.decode().strip()

    run("init", "--quiet", "--bare", folder)
    digest = run("-C", folder, "hash-object", "-w", "--stdin")
    run("-C", folder, "update-ref", "refs/tags/one", digest)
    site.also = ("/git/r.git/info/refs", f"/git/r.git/objects/{digest[:2]}/{digest[2:]}")


def pack(name):
    return f"objects/pack/pack-{hashlib.sha1(name.encode()).hexdigest()}.pack"


servers = {
    "nginx": Server(package("nginx"), nginx, has_tls=True, large=True),
    "Apache": Server(package("apache2"), apache, has_tls=True, large=True),
    "lighttpd": Server(package("lighttpd", "lighttpd-mod-openssl", "lighttpd-mod-deflate"), lighttpd, has_tls=True,
                       # It caches stat(2) and open files for up to two seconds.
                       settle=2.5),
    "Caddy": Server(package("caddy"), caddy, has_tls=True, large=True, fronts=ALL_FRONTS),
    "h2o": Server(package("h2o"), h2o, has_tls=True, fronts=ALL_FRONTS),
    "nginx cache": Server(package("nginx"), nginx_cache, **CACHE_FIELDS),
    "Apache cache": Server(package("apache2"), apache_cache, **CACHE_FIELDS),
    "HAProxy cache": Server(package("haproxy", "nginx"), haproxy_cache, has_tls=True, **CACHE_FIELDS),
    "Varnish": Server(package("varnish", "nginx"), varnish_cache, **CACHE_FIELDS),
    "Squid": Server(package("squid", "nginx"), squid_cache, is_proxy=True,
                    options=("--proxy", "http://127.0.0.1:RELAY"), **CACHE_FIELDS),
    "webfs": Server(package("webfs"), command("webfsd", "-F", "-i", "127.0.0.1", "-p", "{port}", "-r", "{root}",
                                              "-f", "index.html"), missing=GZIP),
    "mini-httpd": Server(package("mini-httpd"), command("mini_httpd", "-D", "-h", "127.0.0.1", "-p", "{port}", "-d",
                                                        "{root}", "-i", "{folder}/pid"), missing=GZIP),
    "merecat": Server(unpacked("merecat", "libconfuse2"),
                      command(str(CACHE / "debian/merecat/usr/sbin/merecat"), "-n", "-p", "{port}", "{root}")),
    "busybox": Server(package("busybox"), command("busybox", "httpd", "-f", "-p", "127.0.0.1:{port}", "-h", "{root}"),
                      missing=GZIP),
    "docker-registry": Server(package("docker-registry"), registry, target=lambda site, name: site.blobs[name],
                              place=push, is_filled_late=True, missing=(*CHANGES, *GZIP, "directory")),
    "git http-backend": Server(package("git", "lighttpd"), git, prepare=git_repository, missing=(*GZIP, "directory"),
                               target=lambda site, name: f"/git/r.git/{pack(name)}",
                               place=lambda site, name, *more, **options:
                                   place(site, f"r.git/{pack(name)}", *more, **options)),
}
