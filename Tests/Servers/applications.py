"""Application servers: what they see of requests with a body, and what afcli shows of their early responses.

Every server runs one of the applications in apps/. A new server is an entry of SERVERS. Requests pass a relay that
records both directions, so that the wire, the application's view and afcli's exit status are compared.
"""

import dataclasses
import subprocess
import zlib

import harness
from apps.checks import BIG, CONTENT, NAMES, TESTS, TEXT
from apps.relay import Relay
from harness import Fault, Result, Row, Site

title = "Application servers"
introduction = """\
Small applications report the method, the header fields and the body that they received. `seen` means: the application
received the bytes that were sent, and the exit status is 0.

- File names: how the framework reads `filename` of a multipart body (WSGI: Werkzeug, ASGI: Starlette).
  afcli writes it as browsers do (WHATWG).
- File: `post URL < FILE`, 2 MB, with a length. Pipe: `… | post URL`, 2 MB, sent in chunks.
- `-x`: `seen` is the compressed body, with Content-Encoding; `decoded` is the original one.
- Expect: the 2 MB of a file. `100`: the server sent 100 before the body.
  `no 100`: afcli sent the body after a second.
- Early: the application responds without reading the body of 2 MB, from a file (with and without Expect) and from a
  pipe, directly and through a relay. `shown`: the status was shown, and the message about the unsent part agreed with
  the wire; with 200, the exit status is 0.
- HTTP/2: JSON, a file, a pipe, HEAD, 204 and compressed responses over TLS.
"""

GUNICORN = "{bin}/gunicorn --no-control-socket --chdir {apps} wsgi:application"
WSGI, STARLETTE = ("Werkzeug==3.1.9",), ("starlette==1.10.0", "python-multipart==0.0.34")


@dataclasses.dataclass
class Server:
    requirements: tuple = ()
    """Packages of PyPI; the first one is the server's."""
    command: str = ""
    """Placeholders: {python}, {bin} and {site} of the environment, {apps}, {port}, {tls}, {certificate}, {key}."""
    secure: str = ""
    """The command of a second process for HTTP/2 over TLS; empty if `command` serves {tls}, or if it has no HTTP/2."""
    debian: tuple = ()
    """Debian's packages; the first one is the server's."""
    version: tuple = ()
    """A command that prints the version. Empty: the version of the first package."""
    has_prior_knowledge: bool = False
    """HTTP/2 without TLS: the relay then sees how many bytes of the body were sent."""


SERVERS = {
    "wsgiref": Server(WSGI, "{python} {apps}/wsgi.py wsgiref {port}", version=("{python}", "--version")),
    "Werkzeug": Server(WSGI, "{python} {apps}/wsgi.py werkzeug {port}"),
    "Django runserver": Server(("Django==5.2.19",),
                               "{python} {apps}/django_app.py runserver --noreload 127.0.0.1:{port}"),
    "gunicorn": Server(("gunicorn==27.0.1", "h2==4.4.1", *WSGI), GUNICORN + " --bind 127.0.0.1:{port}",
                       secure=GUNICORN + " --bind 127.0.0.1:{tls} --worker-class gthread --certfile {certificate}"
                              " --keyfile {key} --http-protocols h2,h1"),
    "waitress": Server(("waitress==3.0.2", *WSGI),
                       "{python} -m waitress --listen=127.0.0.1:{port} wsgi:application"),
    "cheroot": Server(("cheroot==11.1.2", *WSGI), "{python} {apps}/wsgi.py cheroot {port}"),
    "uWSGI": Server(WSGI, "/usr/bin/uwsgi-core --plugin python3 --http-socket 127.0.0.1:{port} --master --need-app"
                          " --pythonpath {site} --wsgi-file {apps}/wsgi.py",
                    debian=("uwsgi-core", "uwsgi-plugin-python3")),
    "Twisted": Server(("Twisted==26.10.0", *WSGI),
                      "{bin}/twist web --listen tcp:{port}:interface=127.0.0.1 --wsgi wsgi.application"),
    "uvicorn": Server(("uvicorn==0.54.0", "httptools==0.9.0", *STARLETTE),
                      "{python} -m uvicorn --port {port} asgi:application"),
    "Hypercorn": Server(("Hypercorn==0.18.0", *STARLETTE),
                        "{bin}/hypercorn --insecure-bind 127.0.0.1:{port} --bind 127.0.0.1:{tls}"
                        " --certfile {certificate} --keyfile {key} asgi:application", has_prior_knowledge=True),
    "Daphne": Server(("daphne==4.2.3", "Twisted[tls,http2]==26.10.0", *STARLETTE),
                     "{bin}/daphne -e ssl:{tls}:privateKey={key}:certKey={certificate}:interface=127.0.0.1"
                     " -b 127.0.0.1 -p {port} asgi:application"),
    "Granian": Server(("granian==2.8.9", *STARLETTE),
                      "{bin}/granian --interface asgi --port {port} asgi:application",
                      secure="{bin}/granian --interface asgi --port {tls} --ssl-certificate {certificate}"
                             " --ssl-keyfile {key} asgi:application", has_prior_knowledge=True),
    "Tornado": Server(("tornado==6.6.1",), "{python} {apps}/tornado_app.py {port}"),
    "aiohttp": Server(("aiohttp==3.14.5",), "{python} {apps}/aiohttp_app.py {port}"),
    "Sanic": Server(("sanic==25.12.1",), "{python} {apps}/sanic_app.py {port}"),
    "PHP -S": Server((), "php -S 127.0.0.1:{port} {apps}/index.php", debian=("php-cli",),
                     version=("php", "-r", "echo PHP_VERSION;")),
}


class Case:
    """A running server, and the files that are sent to it."""

    def __init__(self, name, tool):
        self.server, self.tool, self.site = SERVERS[name], tool, Site(name)
        self.folder = self.site.folder / "client"
        self.folder.mkdir()
        for file, content in {"big": BIG, "text": TEXT, **dict.fromkeys(NAMES, CONTENT)}.items():
            (self.folder / file).write_bytes(content)
        self.relay = None

    def start(self):
        server, port, tls = self.server, harness.free_port(), harness.free_port()
        python = None
        if server.debian:
            harness.debian(*server.debian)
        if server.requirements:
            package = server.requirements[0].partition("==")[0].lower()
            label = {"werkzeug": "wsgi"}.get(package, package)
            python = harness.python(f"applications-{label}", *server.requirements)
        certificate, key = self.site.certificate()
        apps = harness.HERE / "apps"
        values = {"python": python, "bin": python and python.parent, "site": python and site_packages(python),
                  "apps": apps, "port": port, "tls": tls, "certificate": certificate, "key": key}
        for command, listener in ((server.command, port), (server.secure, tls)):
            if command:
                self.site.start(listener, *(part.format(**values) for part in command.split()),
                                PYTHONPATH=str(apps), PYTHONDONTWRITEBYTECODE="1")
        self.address = ("127.0.0.1", port)
        self.direct, self.relay = f"http://127.0.0.1:{port}", Relay(port)
        self.base = f"http://127.0.0.1:{self.relay.port}"
        self.secure = f"https://127.0.0.1:{tls}" if "{tls}" in server.command + server.secure else None
        self.trust = ("--cacert", certificate)
        if server.version:
            command = [part.format(**values) for part in server.version]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        if server.debian:
            return harness.package_version(server.debian[0])
        return harness.python_version(python, server.requirements[0].partition("==")[0])

    def end(self):
        if self.relay:
            self.relay.close()
        self.site.end()

    def ask(self, *arguments, stdin=None, pipe=None, holds=False):
        """Runs afcli: `stdin` is a file as its standard input, `pipe` bytes that come through a pipe."""
        self.relay.reset(holds)
        common = ("--timeout", 20, "--progress", "never")
        if stdin:
            # The shell opens the file: standard input has a length then.
            command = ("-c", 'exec "$0" "$@" < ' + stdin, self.tool.path)
            return harness.Tool("/bin/sh").run(*command, *arguments, *common, cwd=self.folder)
        return self.tool.run(*arguments, *common, cwd=self.folder, data=pipe)

    def wire(self):
        if not (connection := self.relay.last()):
            raise Fault("no request was sent")
        return connection


def site_packages(python):
    return next((python.parent.parent / "lib").glob("python*")) / "site-packages"


situations = tuple(TESTS)


def server(name):
    def run(tool):
        case, results = Case(name, tool), {}
        try:
            version = case.start()
            for situation, test in TESTS.items():
                try:
                    result = test(case)
                except (Fault, OSError, ValueError, KeyError, zlib.error) as fault:
                    result = Result(f"{type(fault).__name__}: {fault}"[:300], is_fault=True)
                if result:
                    results[situation] = result
        finally:
            case.end()
        return Row(name, version, results)
    return run


servers = {name: server(name) for name in SERVERS}
