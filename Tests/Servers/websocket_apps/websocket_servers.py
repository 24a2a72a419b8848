"""The servers of the table: packages, commands and configurations. behavior.py has what they do."""

import dataclasses
import pathlib

import websocket_reasons
from behavior import LIMIT, PING_INTERVAL
from harness import debian, free_port, package_version, python, python_version

APPS = pathlib.Path(__file__).parent
# Debian's modules for Node.js are here.
ENVIRONMENT = {"PYTHONPATH": str(APPS), "PYTHONDONTWRITEBYTECODE": "1", "NODE_PATH": "/usr/share/nodejs"}


@dataclasses.dataclass
class Server:
    """A server: its packages, its command, and what it cannot do."""

    command: tuple
    """{python}, {bin}, {port} and the other names of start() are replaced."""
    pypi: tuple = ()
    debian: tuple = ()
    package: str = ""
    """The package whose version the row has; by default the first one."""
    files: dict = dataclasses.field(default_factory=dict)
    """Configuration, written to the site's folder: name → text."""
    behind: str = ""
    """The name of the server that this one is a proxy for."""
    without: tuple = ()
    fields: tuple = ()
    """Items of every request."""
    codes: tuple = (1000, 1001, 1008, 1011, 4000)
    """The close codes that a handler may send."""
    late: str = ""
    """Why the Close frame of the server's reply may be missing, depending on which of its threads is first."""

    def start(self, site, name):
        """Installs and starts the server; returns its port, its process, and its version."""
        backend = SERVERS[self.behind].start(site, self.behind)[0] if self.behind else 0
        if self.debian:
            debian(*self.debian)
        names = {"port": free_port(), "backend": backend, "limit": LIMIT, "interval": PING_INTERVAL, "apps": APPS,
                 "folder": site.folder}
        if self.pypi:
            names["python"] = python("ws-" + self.pypi[0].split("=")[0], *self.pypi)
            names["bin"] = names["python"].parent
            version = python_version(names["python"], self.package or self.pypi[0].split("=")[0])
        else:
            version = package_version(self.package or self.debian[0])
        for file, text in self.files.items():
            path = site.write(file, text.format(**names))
            path.chmod(0o755)
        command = [part.format(**names) for part in self.command]
        return names["port"], site.start(names["port"], *command, **ENVIRONMENT), version


UVICORN = ("{bin}/uvicorn", "--host", "127.0.0.1", "--port", "{port}", "--ws-max-size", "{limit}", "--ws-ping-interval",
           "{interval}", "--lifespan", "off", "--log-level", "warning", "--ws")
UVICORN_PACKAGES = ("uvicorn==0.54.0", "websockets==17.4", "wsproto==1.3.2", "starlette==1.10.0")
FLASK_SOCK = ("flask-sock==0.7.0", "simple-websocket==1.1.0", "flask==3.1.3", "gunicorn==27.0.1")
NGINX = ("nginx", "-p", "{folder}", "-c", "nginx.conf", "-e", "error.log")
APACHE = ("apache2", "-DFOREGROUND", "-d", "{folder}", "-f", "apache.conf")
HYPERCORN = ("{bin}/hypercorn", "--bind", "127.0.0.1:{port}", "--config", "hypercorn.toml")
HYPERCORN_PACKAGES = ("hypercorn==0.18.0", "quart==0.22.0")
HYPERCORN_FILES = {"hypercorn.toml": "websocket_max_message_size = {limit}\nwebsocket_ping_interval = {interval}\n"}

SERVERS = {
    "websockets": Server(("{python}", "{apps}/websockets_app.py", "{port}"), ("websockets==17.4",)),
    "aiohttp": Server(("{python}", "{apps}/aiohttp_app.py", "{port}"), ("aiohttp==3.14.5",)),
    "Tornado": Server(("{python}", "{apps}/tornado_app.py", "{port}"), ("tornado==6.6.1",)),
    "uvicorn (websockets)": Server((*UVICORN, "websockets", "asgi:application"), UVICORN_PACKAGES),
    "uvicorn (sansio)": Server((*UVICORN, "websockets-sansio", "asgi:application"), UVICORN_PACKAGES),
    "uvicorn (wsproto)": Server((*UVICORN, "wsproto", "asgi:application"), UVICORN_PACKAGES),
    "Starlette on uvicorn": Server((*UVICORN, "auto", "starlette_app:application"), UVICORN_PACKAGES,
                                   package="starlette"),
    "Hypercorn": Server((*HYPERCORN, "asgi:application"), HYPERCORN_PACKAGES, files=HYPERCORN_FILES),
    "Quart on Hypercorn": Server((*HYPERCORN, "quart_app:application"), HYPERCORN_PACKAGES, package="quart",
                                 files=HYPERCORN_FILES),
    "Daphne": Server(("{bin}/daphne", "-b", "127.0.0.1", "-p", "{port}", "--ping-interval", "1",
                      "--websocket-max-message-size", "{limit}", "asgi:application"), ("daphne==4.2.3",)),
    "Granian": Server(("{bin}/granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", "{port}",
                       "asgi:application"), ("granian==2.8.9",)),
    "Sanic": Server(("{python}", "{apps}/sanic_app.py", "{port}"), ("sanic==25.12.1",)),
    # An exception in a handler ends this server, as always with Trio.
    "trio-websocket": Server(("{python}", "{apps}/trio_app.py", "{port}"), ("trio-websocket==0.12.2",),
                             without=("exception",)),
    "picows": Server(("{python}", "{apps}/picows_app.py", "{port}"), ("picows==2.3.1",),
                     without=("refusal", "subprotocol")),
    "flask-sock on Werkzeug": Server(("{python}", "{apps}/flask_sock_app.py", "{port}"), FLASK_SOCK,
                                     late=websocket_reasons.LATE_HTTP),
    "flask-sock on gunicorn": Server(("{bin}/gunicorn", "--threads", "20", "--bind", "127.0.0.1:{port}",
                                      "flask_sock_app:application"), FLASK_SOCK, late=websocket_reasons.LATE_CLOSE),
    "autobahn on Twisted": Server(("{python}", "{apps}/autobahn_app.py", "{port}"),
                                  ("autobahn==26.10.2", "twisted==26.10.0"), codes=(1000, 4000)),
    "gevent-websocket": Server(("{python}", "{apps}/gevent_app.py", "{port}"),
                               ("gevent-websocket==0.10.1", "gevent==26.9.0"),
                               without=("refusal", "subprotocol", "pings")),
    "ws4py on CherryPy": Server(("{python}", "{apps}/ws4py_app.py", "{port}"), ("ws4py==0.6.0", "cherrypy==18.10.0"),
                                without=("refusal", "pings")),
    # An exception ends the process.
    "ws of Node.js": Server(("node", "{apps}/node_ws.js", "{port}", "{limit}"), debian=("node-ws", "nodejs"),
                            without=("exception",)),
    "Mojolicious": Server(("perl", "{apps}/mojolicious_app.pl", "{port}", "{limit}"), debian=("libmojolicious-perl",),
                          without=("refusal",)),
    # A program per connection, with the messages as lines of its standard input and output.
    "websocketd": Server(("websocketd", "--address=127.0.0.1", "--port={port}", "--dir=scripts", "--loglevel=fatal"),
                         debian=("websocketd",), files={
                             "scripts/echo": "#!/bin/sh\nexec cat\n",
                             "scripts/slow": "#!/bin/sh\nread -r line; sleep 0.5; echo \"$line\"; exec cat\n",
                             "scripts/many": "#!/bin/sh\nfor i in 0 1 2 3 4 5 6 7 8 9; do echo message $i; done; "
                                             "read -r line\n",
                             "scripts/return": "#!/bin/sh\necho the last message\n",
                             "scripts/raise": "#!/bin/sh\nread -r line; exit 1\n",
                             "scripts/wait": "#!/bin/sh\necho ready; read -r line\n",
                         }, without=("binary", "pings", "subprotocol", "codes")),
}


def proxy(command, packages, files):
    return Server(command, debian=packages, files=files, behind="websockets", without=("SIGTERM",))


SERVERS |= {
    "nginx before websockets": proxy(NGINX, ("nginx-light",), {
        "nginx.conf": """
daemon off;
pid nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{backend};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
        }}
    }}
}}
"""}),
    "HAProxy before websockets": proxy(("haproxy", "-f", "haproxy.cfg"), ("haproxy",), {"haproxy.cfg": """
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    timeout tunnel 60s
listen servers
    bind 127.0.0.1:{port}
    server backend 127.0.0.1:{backend}
"""}),
    "Apache before websockets": proxy(APACHE, ("apache2",), {
        "apache.conf": """
ServerName localhost
Listen 127.0.0.1:{port}
PidFile apache.pid
ErrorLog error.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
ProxyPass / http://127.0.0.1:{backend}/ upgrade=websocket
"""}),
}
