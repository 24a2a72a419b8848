"""What all logins have in common, and the situations."""

import base64
import hashlib
import json
import urllib.parse

import login_recorder
from harness import Fault, Result, Row, Site

USER, PASSWORD = "ada", "geheim:9%+"
BODY = bytes(range(256)) * 8192
QUERY = 'a "b" ä&+'


class Login:
    """One server, and how to authenticate with it."""

    scheme = "Basic"
    """The scheme of the requests that the server behind sees; empty if they have none."""
    required = ""
    """What the message for a request without credentials must contain."""
    wrong_status, none_status = 4, 4
    has_pipes = True
    """False: the server reads no chunks, as wsgiref, or standard input would wait for the user's login."""

    def wrong_note(self, done):
        """What the result for wrong credentials says besides the status."""
        return ""

    host = "127.0.0.1"
    right, wrong, none = (), (), ()
    """Options."""
    netrc = None
    """Options with a netrc file; None: not applicable."""
    secrets = (PASSWORD, base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode())

    def __init__(self, tool, site, backend):
        self.tool, self.site, self.backend = tool, site, backend
        self.environment, self.wrong_environment = {}, {}

    def url(self, path):
        return f"http://{self.host}:{self.port}{path}"

    def run(self, options, path, *items, data=None, environment=None):
        url = path if path.startswith("https:") else self.url(path)
        options = options if data is not None else ("--ignore-stdin", *options)
        arguments = ("--no-config", "--debug", *options, url, *items)
        done = self.tool.run(*arguments, cwd=self.site.root, data=data,
                             **(self.environment if environment is None else environment))
        self.check_secrets(done)
        return done

    def check_secrets(self, done):
        for secret in self.secrets:
            if secret in done.err or secret.encode() in done.out:
                raise Fault(f"the password is in the output: {done}")

    def seen(self, options, path, *items, **more):
        """What the server behind the login saw."""
        done = self.run(options, path, *items, **more)
        if done.status:
            raise Fault(str(done))
        return json.loads(done.out)


def right(login):
    seen = login.seen(login.right, "/private/a")
    if seen["authorization"] != login.scheme or seen["target"].removeprefix("http://") not in (
            "/private/a", login.url("/private/a").removeprefix("http://")):
        raise Fault(f"the server saw {seen}")
    if not login.secrets:
        return Result("0")
    shown = login.tool.run("--no-config", "-v", "--ignore-stdin", *login.right, login.url("/private/a"),
                           cwd=login.site.root, **login.environment)
    if login.secrets[0] in shown.err or login.secrets[0].encode() in shown.out:
        raise Fault("-v shows the password")
    return Result("0")


def wrong(login):
    done = login.run(login.wrong, "/private/a", environment=login.wrong_environment or None)
    if done.status != login.wrong_status:
        raise Fault(str(done))
    if login.scheme == "Digest":
        # Another scheme: the message names the right one.
        basic = login.run(login.basic, "/private/a")
        if basic.status != 4 or login.required not in basic.err:
            raise Fault(f"with Basic: {basic}")
    return Result(f"{done.status}{login.wrong_note(done)}")


def none(login):
    done = login.run(login.none, "/private/a")
    if done.status != login.none_status or login.required not in done.err:
        raise Fault(str(done))
    return Result(f"{done.status}: {login.scheme}" if login.required else str(done.status))


def netrc(login):
    entry = login.site.write("root/.netrc", f"machine {login.host} login {USER} password {PASSWORD}\n")
    entry.chmod(0o600)
    try:
        seen = login.seen(login.netrc, "/private/a")
    finally:
        entry.unlink()
    if seen["authorization"] != login.scheme:
        raise Fault(f"the server saw {seen}")
    return Result("0")


def post(login):
    login.site.write("root/body", BODY)
    seen = login.seen(login.right, "/private/a", "@body")
    if (seen["method"], seen["length"], seen["sha256"]) != ("POST", len(BODY), hashlib.sha256(BODY).hexdigest()):
        raise Fault(f"the server saw {seen}")
    if not login.has_pipes:
        return Result("2 MB")
    piped = login.seen(login.right, "/private/a", data=BODY)
    if piped["sha256"] != hashlib.sha256(BODY).hexdigest():
        raise Fault(f"of a pipe, the server saw {piped}")
    return Result("2 MB")


def query(login):
    seen = login.seen(login.right, "/private/a", f"q=={QUERY}")
    if urllib.parse.parse_qs(seen["target"].split("?")[1]) != {"q": [QUERY]}:
        raise Fault(f"the server saw {seen}")
    return Result("0")


def redirect(login):
    seen = login.seen((*login.right, "--follow"), "/private/redirect")
    if not seen["target"].endswith("/private/end") or seen["authorization"] != login.scheme:
        raise Fault(f"the server saw {seen}")
    return Result("sent")


def other_origin(login):
    before = len(login.backend.requests)
    seen = login.seen((*login.right, "--follow"), "/private/elsewhere")
    if not seen["target"].endswith("/other") or login.backend.requests[-1] or len(login.backend.requests) == before:
        raise Fault(f"the other origin saw {seen}, {login.backend.requests[-1].split(' ')[0]}")
    return Result("not sent")


ASK = {"right": right, "wrong": wrong, "none": none, "netrc": netrc, "POST": post, "query": query, "redirect": redirect,
       "other origin": other_origin}


def row(name, tool, start, asks=()):
    """Starts a server and asks it. `start` returns the login and the version."""
    # Squid reads no parentheses in file names.
    backend, site, results = login_recorder.start(), Site(name.translate(str.maketrans(" ", "-", "()"))), {}
    try:
        login, version = start(tool, site, backend)
        for situation, ask in {**ASK, **dict(asks)}.items():
            if ask is None or situation == "netrc" and login.netrc is None:
                continue
            try:
                results[situation] = ask(login)
            except (Fault, OSError, ValueError, KeyError) as fault:
                results[situation] = Result(f"{type(fault).__name__}: {fault}", is_fault=True)
    finally:
        site.end()
        backend.shutdown()
        backend.server_close()
    return Row(name, version, results)
