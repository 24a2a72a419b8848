"""Starts the servers of the tasks in one directory, and gives the variables that name them in commands."""

import hashlib
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Servers"))
import harness  # noqa: E402

REQUIREMENTS = ("flask==3.1.2", "flask-sock==0.7.0", "graphql-core==3.2.6", "moto[s3,server]==5.1.5",
                "pypiserver==2.3.2", "wsgidav==4.3.3", "cheroot==10.0.1", "setuptools==80.9.0")
HOSTS = "subjectAltName=DNS:localhost,DNS:api.test,IP:127.0.0.1"


def openssl(site, *arguments):
    subprocess.run(["openssl", *arguments], cwd=site.folder, check=True, capture_output=True)


def certificates(site):
    """Creates an authority and the certificates of a server and of a client."""
    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl(site, "req", "-x509", *new, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=authority")
    for name, extension in (("server", HOSTS), ("client", "extendedKeyUsage=clientAuth")):
        site.write(f"{name}.ext", extension)
        openssl(site, "req", *new, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        openssl(site, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.pem")


def files(site):
    """Creates the files that nginx serves, with their checksums."""
    (site.root / "many").mkdir()
    sums = []
    for number in range(30):
        content = f"file {number}\n".encode() * 1000
        (site.root / f"many/f{number:02}.txt").write_bytes(content)
        sums.append(f"{hashlib.sha256(content).hexdigest()}  f{number:02}.txt\n")
    (site.root / "many/SHA256SUMS").write_text("".join(sums))
    big = bytes(range(251)) * 48000
    (site.root / "big.bin").write_bytes(big)
    (site.root / "sums").write_text(f"{hashlib.sha256(big).hexdigest()}  big.bin\n")


def nginx(site, plain, secure, client, api):
    folder = site.folder
    proxy = f"location / {{ proxy_pass http://127.0.0.1:{api}; }}"
    common = f"ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.key; {proxy}"
    return f"""
        daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}
        http {{
            access_log off;
            client_body_temp_path {folder}/temp; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fast;
            uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
            server {{
                listen 127.0.0.1:{plain}; root {site.root};
                location /slow/ {{ alias {site.root}/; limit_rate 4m; }}
            }}
            server {{ listen unix:{folder}/socket; {proxy} }}
            server {{ listen 127.0.0.1:{secure} ssl; {common} }}
            server {{
                listen 127.0.0.1:{client} ssl; {common}
                ssl_verify_client on; ssl_client_certificate {folder}/ca.pem;
            }}
        }}
        """


def start(site):
    """Starts the servers, and returns the variables of the commands: `API` is `:PORT`."""
    harness.debian("nginx-light", "openssl", "jq", "python3", "python3-venv")
    python = harness.python("tasks", *REQUIREMENTS)
    ports = {name: harness.free_port() for name in ("API", "S3", "DAV", "INDEX", "FILES", "TLS", "CLIENT_TLS")}
    certificates(site)
    files(site)
    (site.folder / "dav").mkdir()
    (site.folder / "packages").mkdir()
    site.start(ports["API"], python, HERE / "api.py", ports["API"])
    site.start(ports["S3"], python.parent / "moto_server", "-H", "127.0.0.1", "-p", ports["S3"])
    site.start(ports["DAV"], python.parent / "wsgidav", "--host", "127.0.0.1", "--port", ports["DAV"],
               "--root", site.folder / "dav", "--auth", "anonymous", "--no-config")
    site.start(ports["INDEX"], python.parent / "pypi-server", "run", "-i", "127.0.0.1", "-p", ports["INDEX"],
               "-P", ".", "-a", ".", site.folder / "packages")
    site.write("nginx.conf", nginx(site, ports["FILES"], ports["TLS"], ports["CLIENT_TLS"], ports["API"]))
    site.start(ports["FILES"], "nginx", "-c", site.folder / "nginx.conf")
    variables = {name: f":{port}" for name, port in ports.items()}
    return {**variables, "SOCKET": str(site.folder / "socket"), "KEYS": str(site.folder)}
