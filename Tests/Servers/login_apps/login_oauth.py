"""OAuth 2."""

import base64
import json
import pathlib
import re
import subprocess
import time
import urllib.request

from harness import Completed, Fault, Result, free_port, python, python_version
from login_base import Login

APPS = pathlib.Path(__file__).parent


class OAuth(Login):
    """A grant of an OAuth 2 server."""

    scheme, required = "Bearer", "--auth-type bearer"
    wrong_status = 1
    secrets = ("geheim:9 %+", base64.b64encode(b"service:geheim:9 %+").decode())
    grant = "client_credentials"

    def oauth(self, credential, *more):
        return ("--auth-type", "oauth2", "--token-url", self.url(self.token), "--auth", credential, *more)

    right = property(lambda self: self.oauth("service:geheim:9 %+"))
    wrong = property(lambda self: self.oauth("service:no"))

    def wrong_note(self, done):
        error = re.search(r"error '(\w+)'", done.err)
        if not error or error[1] not in ("invalid_client", "invalid_request", "access_denied"):
            raise Fault(str(done))
        return f": {error[1]}"

    def uses(self):
        """The grants that the token endpoint was asked for."""
        with urllib.request.urlopen(self.url("/uses"), timeout=20) as response:
            return json.load(response)


class Interactive(OAuth):
    """A grant for which the user logs in with a browser."""

    secrets, has_pipes = (), False

    def run(self, options, path, *items, data=None, environment=None):
        if "--token-url" not in options:
            return super().run(options, path, *items, data=data, environment=environment)
        command = [self.tool.path, "--no-config", "--ignore-stdin", "--max-time", "50", *options, self.url(path),
                   *items]
        process = subprocess.Popen([str(part) for part in command], cwd=self.site.root, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.tool.environment(self.site.root))
        try:
            # The message is on one or two lines; --max-time ends the loop.
            shown = ""
            while not (address := re.search(self.pattern, shown)):
                line = process.stderr.readline().decode()
                if not line:
                    break
                shown += line
            if address:
                with urllib.request.urlopen(self.browse(address), timeout=20) as response:
                    response.read()
            out, err = process.communicate(timeout=60)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Fault(f"{error}, {shown}") from error
        finally:
            process.kill()
            process.wait()
        return Completed(process.returncode, out, shown + err.decode())


class Browser(Interactive):
    grant, pattern = "authorization_code", r"https?://\S+/authorize\S+"
    right = property(lambda self: self.oauth("browser:", "--authorize-url", self.url(self.authorize)))
    # The user refuses. A wrong client is shown to the user only, without a redirect (RFC 6749 section 4.1.2.1).
    wrong = property(lambda self: self.oauth("browser:", "--authorize-url", self.url(self.authorize + "?deny=yes")))

    def browse(self, address):
        return address[0]


class Device(Interactive):
    grant, pattern = "device_code", r"open (\S+) and enter (\S+)"
    right = property(lambda self: self.oauth("device:", "--device-url", self.url(self.device)))
    wrong = property(lambda self: self.oauth("absent:", "--device-url", self.url(self.device)))

    def browse(self, address):
        return f"{address[1]}?user_code={address[2]}"


def session(login):
    options = ("--session", "./session.json")
    login.seen((*login.right, *options), "/private/a")
    first = login.uses()
    # The tokens are valid for five seconds.
    time.sleep(5.5)
    done = login.tool.run("--no-config", "--ignore-stdin", *options, login.url("/private/b"), cwd=login.site.root)
    if done.status or json.loads(done.out)["target"] != "/private/b":
        raise Fault(str(done))
    later = login.uses()[len(first):]
    if len(later) != 1:
        raise Fault(f"the second run asked the token endpoint for {later}")
    return Result(later[0])


def oauth(kind, name, requirements, application, **paths):
    """A row of an OAuth 2 server: `requirements` of PyPI, a file of login_apps, and the paths of its endpoints."""
    def start(tool, site, backend):
        interpreter = python(f"login-{name}", *requirements)
        login = kind(tool, site, backend)
        vars(login).update(paths, port=free_port())
        site.start(login.port, interpreter, APPS / application, str(login.port), AUTHLIB_INSECURE_TRANSPORT="1",
                   ELSEWHERE=f"http://127.0.0.1:{backend.server_port}/other", PYTHONDONTWRITEBYTECODE="1")
        return login, python_version(interpreter, name)
    return start


AUTHLIB = {"name": "authlib", "requirements": ("authlib==1.9.10", "flask==3.1.3"), "application": "authlib_app.py",
           "token": "/token", "authorize": "/authorize", "device": "/device"}
# oauthlib 4.0.1 is allowed by django-oauth-toolkit 3.4.1, but its device endpoint then responds with 500.
DJANGO = {"name": "django-oauth-toolkit", "application": "django_app.py",
          "requirements": ("django-oauth-toolkit==3.4.1", "django==5.2.19", "oauthlib==3.3.1"), "has_pipes": False,
          "token": "/o/token/", "authorize": "/o/authorize/", "device": "/o/device-authorization/"}
# Django's page on which the user can refuse is no part of the table.
NO_REFUSAL = {"django-oauth-toolkit (code with PKCE)": {"wrong": None}}
OAUTH = {(name := f"{library} ({grant})"): (oauth(kind, **options), {"session": session, **NO_REFUSAL.get(name, {})})
         for library, options in (("Authlib", AUTHLIB), ("django-oauth-toolkit", DJANGO))
         for grant, kind in (("client credentials", OAuth), ("code with PKCE", Browser), ("device", Device))}
