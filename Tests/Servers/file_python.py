"""File servers in Python: a command in an environment of its own, with pinned packages."""

import pathlib
import sys

import harness
from file_server import ALL_FRONTS, GZIP, Server, place
from file_servers import request

APPS = pathlib.Path(__file__).resolve().parent / "file_apps"
INDEX_ONLY = ("directory",)


def application(words, *requirements, more=None, **options):
    """A server of PyPI. The first requirement is the one whose version is shown.

    `words` is the rest of a command after the interpreter; `{port}`, `{root}` and `{apps}` are replaced.
    """
    name = requirements[0].split("==")[0]
    state = {}

    def install():
        harness.debian("python3-venv")
        state["python"] = harness.python(f"files-{name}", *requirements)
        return requirements[0].split("==")[1]

    def start(site, port):
        command = [word.format(port=port, root=site.root, apps=APPS) for word in words.split()]
        site.start(port, state["python"], *command, ROOT=str(site.root), PORT=str(port), PYTHONPATH=str(APPS),
                   PYTHONDONTWRITEBYTECODE="1", **(more or {}))

    return Server(install, start, **options)


def uvicorn(name):
    return f"-m uvicorn {name}:application --host 127.0.0.1 --port {{port}} --log-level warning"


def gunicorn(name):
    return f"-m gunicorn {name}:application --bind 127.0.0.1:{{port}} --threads 8 --log-level warning"


def standard_library(site, port):
    site.start(port, sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", site.root)


# S3: objects are put; the server chooses their dates

# Signatures are checked in the table of logins.
SIGNATURE = {"Authorization": "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, "
                              "Signature=0"}


def create_bucket(site):
    request(site.s3_port, "PUT", "/files", **SIGNATURE)


def put_object(site, name, data, seconds, in_place=False):
    request(site.s3_port, "PUT", f"/files/{name}", data, **SIGNATURE)


MOTO = application("-m moto.server -H 127.0.0.1 -p {port}", "moto[server]==5.2.5")


def moto(site, port):
    site.s3_port = port
    MOTO.start(site, port)


TOO_SHORT = ("The body is shorter than its Content-Length, that of the old version (RFC 9112, 6.3). afcli fails, and "
             "saves nothing.")
READ_AT_START = ("WhiteNoise reads the sizes and dates of all files at its start, and sends them with what the files "
                 "contain later (its manual forbids to change them). The response says that it is complete, and no "
                 "client can notice. `--checksum` or a restart of the server helps.")
servers = {
    "python -m http.server": Server(lambda: sys.version.split()[0], standard_library, missing=GZIP),
    "Starlette StaticFiles": application(uvicorn("starlette_files"), "starlette==1.10.0", "uvicorn==0.54.0",
                                         fronts=ALL_FRONTS),
    "FastAPI FileResponse": application(uvicorn("fastapi_files"), "fastapi==0.165.0", "uvicorn==0.54.0",
                                        missing=(*GZIP, *INDEX_ONLY)),
    "aiohttp": application("{apps}/aiohttp_files.py", "aiohttp==3.14.5", missing=GZIP),
    "Tornado": application("{apps}/tornado_files.py", "tornado==6.6.1", fronts=ALL_FRONTS),
    "Werkzeug": application("{apps}/werkzeug_files.py", "werkzeug==3.1.9", missing=(*GZIP, *INDEX_ONLY)),
    "Flask": application("{apps}/flask_files.py", "flask==3.1.3", missing=(*GZIP, *INDEX_ONLY)),
    "Django": application("{apps}/django_files.py", "django==5.2.19"),
    "WhiteNoise": application(gunicorn("whitenoise_files"), "whitenoise==6.12.0", "gunicorn==27.0.1", missing=GZIP,
                              stale=READ_AT_START, notes={"truncated": ("status 13", TOO_SHORT, "")}),
    "WhiteNoise autorefresh": application(gunicorn("whitenoise_files"), "whitenoise==6.12.0", "gunicorn==27.0.1",
                                           more={"REFRESH": "1"}, missing=GZIP),
    "CherryPy": application("{apps}/cherrypy_files.py", "cherrypy==18.10.0"),
    "Twisted": application("-m twisted web --path {root} --listen tcp:{port}:interface=127.0.0.1", "twisted==26.10.0",
                           missing=GZIP),
    "Sanic": application("{apps}/sanic_files.py", "sanic==25.12.1", missing=GZIP),
    "Granian": application("-m granian --interface asgi --host 127.0.0.1 --port {port} --no-ws --static-path-route "
                           "/static --static-path-mount {root} granian_files:application", "granian==2.8.9",
                           target=lambda site, name: f"/static/{name}", missing=GZIP),
    "WsgiDAV": application("-m wsgidav.server.server_cli --host 127.0.0.1 --port {port} --root {root} --auth anonymous "
                           "--server cheroot --no-config -q", "wsgidav==4.4.0", "cheroot==11.1.2", missing=GZIP),
    "pypiserver": application("-m pypiserver run -p {port} -i 127.0.0.1 {root}", "pypiserver==2.4.2",
                              target=lambda site, name: f"/packages/{name}-1.0.zip",
                              place=lambda site, name, *more, **options:
                                  place(site, f"{name}-1.0.zip", *more, **options),
                              missing=(*GZIP, *INDEX_ONLY)),
    "moto (S3)": Server(MOTO.install, moto, prepare=create_bucket, place=put_object, is_filled_late=True,
                        target=lambda site, name: f"/files/{name}", missing=(*GZIP, *INDEX_ONLY),
                        fields=SIGNATURE, options=("-A", "aws-sigv4", "-a", "key:secret:us-east-1:s3", "-I")),
}
