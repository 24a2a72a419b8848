"""The server behind the logins: it says what it was asked, in JSON."""

import hashlib
import http.server
import json
import ssl
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        authorization = self.headers.get("Authorization", "") + self.headers.get("Proxy-Authorization", "")
        self.server.requests.append(authorization)
        data = json.dumps({"method": self.command, "target": self.path, "length": len(body),
                           "sha256": hashlib.sha256(body).hexdigest(), "authorization": authorization.split(" ")[0]})
        path = self.path.split("?")[0]
        self.send_response(302 if path.endswith(("/redirect", "/elsewhere")) else 200)
        if path.endswith("/redirect"):
            self.send_header("Location", path.removesuffix("redirect") + "end")
        if path.endswith("/elsewhere"):
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/other")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data.encode())

    do_GET = do_POST = do_PUT = respond

    def log_message(self, *_):
        pass


def start(certificate=None):
    """Starts a server in a thread; `requests` has the credentials of each request, `server_port` its port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.requests, server.daemon_threads = [], True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
