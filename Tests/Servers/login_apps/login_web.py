"""Servers and proxies with Basic, Digest and Kerberos."""

import hashlib
import subprocess
import urllib.parse

import login_configurations
import login_recorder
from harness import Fault, Result, Unavailable, debian, free_port, package_version
from login_base import ASK, PASSWORD, USER, Login


def started(login, configuration, packages, command, algorithms=("md5",), **environment):
    """Starts a server that has a configuration in the site's folder."""
    debian(*packages)
    site, login.port = login.site, free_port()
    # Debian's programs that are started by root become this user.
    site.folder.chmod(0o777)
    backend = login.backend.server_port
    site.write("configuration", configuration.format(port=login.port, backend=backend, folder=site.folder))
    hashed = subprocess.run(["openssl", "passwd", "-apr1", PASSWORD], capture_output=True, text=True, check=True)
    site.write("htpasswd", f"{USER}:{hashed.stdout}")
    secret = f"{USER}:private:{PASSWORD}".encode()
    digests = [hashlib.new(algorithm, secret).hexdigest() for algorithm in algorithms]
    site.write("htdigest", "".join(f"{USER}:private:{digest}\n" for digest in digests))
    site.start(login.port, *(part.format(folder=site.folder) for part in command), **environment)
    return login, package_version(packages[0])


class Basic(Login):
    required = "the server requires Basic: --auth USER:PASSWORD"
    right, wrong = ("--auth", f"{USER}:{PASSWORD}"), ("--auth", f"{USER}:no")
    netrc = ()


class Digest(Login):
    scheme, required = "Digest", "the server requires Digest: --auth-type digest --auth USER:PASSWORD"
    right, wrong = (("--auth-type", "digest", *options) for options in (Basic.right, Basic.wrong))
    netrc, basic = ("--auth-type", "digest"), Basic.right


class Negotiate(Login):
    """The wrong credential is no ticket."""

    scheme, required, host, secrets = "Negotiate", "the server requires Negotiate: kinit", "localhost", ()
    right = wrong = ("--auth-type", "negotiate")

    def wrong_note(self, done):
        if "there is no Kerberos ticket for this server; kinit obtains one" not in done.err:
            raise Fault(str(done))
        return ": no Kerberos ticket"


class Proxy(Login):
    """A proxy before the server that reports what it was asked."""

    scheme = ""

    def url(self, path):
        return f"http://127.0.0.1:{self.backend.server_port}{path}"

    def options(self, credentials=""):
        return ("--proxy", f"http://{credentials}{self.host}:{self.port}")

    right = property(lambda self: self.options(f"{USER}:{urllib.parse.quote(PASSWORD)}@"))
    wrong = property(lambda self: self.options(f"{USER}:no@"))
    none = property(lambda self: self.options())


ONLY_BASIC = "afcli authenticates with proxies only by Basic."


def messages(done):
    """The messages without the lines of --debug."""
    return " ".join(line.strip() for line in done.err.splitlines() if line.startswith(("afcli: ", "  ")))


def proxy_refusal(name, scheme):
    """Credentials that a proxy refuses: the message must say that it is the proxy, and what it requires."""
    def ask(login):
        done = login.run(getattr(login, name), "/private/a")
        if done.status != 4:
            raise Fault(str(done))
        if "proxy" not in messages(done) or scheme not in messages(done):
            return Result(f"4, does not say that the proxy requires {scheme}: {messages(done)}", is_fault=True)
        return Result(f"4: {scheme}", limit=ONLY_BASIC if name == "right" else "")
    return ask


def tunnel(status, scheme=""):
    def ask(login):
        certificate = login.site.certificate()
        backend = login_recorder.start(certificate)
        try:
            options = (*login.right, "--cacert", certificate[0])
            done = login.run(options, f"https://127.0.0.1:{backend.server_port}/private/a")
            if done.status != status or any(backend.requests) or bool(backend.requests) != (status == 0):
                raise Fault(f"{done}; the server saw {backend.requests}")
        finally:
            backend.shutdown()
            backend.server_close()
        if status and ("rejected the credentials" in messages(done) or scheme not in messages(done)):
            return Result(f"{status}, does not say that the proxy requires {scheme}: {messages(done)}", is_fault=True)
        return Result(str(status), limit=ONLY_BASIC if status else "")
    return ask


def kerberos(site):
    """Starts a KDC; returns the environment with a ticket, and one without."""
    debian("krb5-admin-server", "krb5-kdc", "krb5-user")
    port, folder = free_port(), site.folder
    for name, text in (("krb5.conf", login_configurations.KERBEROS), ("kdc.conf", login_configurations.KDC)):
        site.write(name, text.format(port=port, folder=folder))
    # Without replay caches in common directories.
    environment = {"KRB5_CONFIG": f"{folder}/krb5.conf", "KRB5_KDC_PROFILE": f"{folder}/kdc.conf",
                   "KRB5RCACHENAME": "none:", "KRB5CCNAME": f"FILE:{folder}/tickets"}

    def do(*command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder,
                              env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(folder), **environment})
        if done.returncode:
            raise Unavailable(f"{' '.join(command[:3])}: {done.stderr.strip()[-200:]}")

    do("kdb5_util", "create", "-s", "-P", "master", "-r", "SERVERS.TEST")
    for principal, file in (("HTTP/localhost", "http.keytab"), (USER, "user.keytab")):
        do("kadmin.local", "-q", f"addprinc -randkey {principal}@SERVERS.TEST")
        do("kadmin.local", "-q", f"ktadd -k {folder}/{file} {principal}@SERVERS.TEST")
    (folder / "http.keytab").chmod(0o644)
    site.start(port, "krb5kdc", "-n", **environment)
    do("kinit", "-k", "-t", f"{folder}/user.keytab", f"{USER}@SERVERS.TEST")
    return environment, {**environment, "KRB5CCNAME": f"FILE:{folder}/absent"}


NGINX = ("nginx", "-p", "{folder}", "-c", "configuration", "-e", "error.log")
APACHE = ("apache2", "-DFOREGROUND", "-d", "{folder}", "-f", "configuration")
LIGHTTPD = ("lighttpd", "-D", "-f", "configuration")
SQUID = ("squid", "-N", "-f", "{folder}/configuration")


def web(kind, configuration, packages, command, **more):
    return lambda tool, site, backend: started(kind(tool, site, backend), configuration, packages, command, **more)


def with_kerberos(kind, configuration, packages, command):
    def start(tool, site, backend):
        login = kind(tool, site, backend)
        login.environment, login.wrong_environment = kerberos(site)
        (site.folder / "squid").mkdir()
        (site.folder / "squid").chmod(0o777)
        return started(login, configuration, packages, command, **login.environment)
    return start


def squid(configuration):
    def start(tool, site, backend):
        (site.folder / "squid").mkdir()
        (site.folder / "squid").chmod(0o777)
        return started(Proxy(tool, site, backend), configuration, ("squid",), SQUID)
    return start


APACHE_GSSAPI = ("apache2", "libapache2-mod-auth-gssapi")


def proxy_asks(scheme):
    """The situations of a proxy that requires this scheme."""
    refused = {name: proxy_refusal(name, scheme) for name in ("wrong", "none")}
    if scheme == "Basic":
        return {"none": refused["none"], "tunnel": tunnel(0)}
    return dict.fromkeys(ASK) | refused | {"right": proxy_refusal("right", scheme), "tunnel": tunnel(11, scheme)}


WEB = {
    "nginx (Basic)": (web(Basic, login_configurations.NGINX, ("nginx-light",), NGINX), ()),
    "Apache (Basic)": (web(Basic, login_configurations.APACHE_BASIC, ("apache2",), APACHE), ()),
    "Apache (Digest)": (web(Digest, login_configurations.APACHE_DIGEST, ("apache2",), APACHE), ()),
    "Apache (Kerberos)": (with_kerberos(Negotiate, login_configurations.APACHE_KERBEROS, APACHE_GSSAPI, APACHE), ()),
    **{f"lighttpd (Digest {algorithm})": (
        web(Digest, login_configurations.LIGHTTPD % algorithm, ("lighttpd",), LIGHTTPD, algorithms=(digest,)), ())
        for algorithm, digest in (("MD5", "md5"), ("SHA-256", "sha256"), ("SHA-512-256", "sha512_256"))},
    "Squid (Basic)": (squid(login_configurations.SQUID_BASIC), proxy_asks("Basic")),
    "Squid (Digest)": (squid(login_configurations.SQUID_DIGEST), proxy_asks("Digest")),
    "Squid (Kerberos)": (with_kerberos(Proxy, login_configurations.SQUID_NEGOTIATE, ("squid",), SQUID),
                         proxy_asks("Negotiate")),
}
