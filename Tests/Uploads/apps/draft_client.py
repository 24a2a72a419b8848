"""Uploads a file by the draft "Resumable Uploads for HTTP", interop version 6: URL FILE RETRIES FAULT.

A fault is a mistake made on purpose: `assumes` continues behind what it sent, `trusts` takes every final response for
the confirmation of all bytes, `mixes` does not look whether the file changed, `shares` lets two runs upload the same
file, `silent` fails without a message.
"""

import fcntl
import hashlib
import json
import os
import re
import socket
import sys
import threading
import time
import urllib.parse

VERSION = {"Upload-Draft-Interop-Version": "6"}
STATE = ".upload.json"


class Failure(Exception):
    """Another attempt may do."""


class Final(Exception):
    """No attempt will do."""


class Upload:
    def __init__(self, url, path, fault):
        self.url, self.fault = urllib.parse.urlsplit(url), fault
        self.file = open(path, "rb")
        self.size = os.path.getsize(path)
        self.identity = self.identify()
        self.resource, self.sent = None, 0
        if os.path.exists(STATE):
            state = json.load(open(STATE))
            if state["identity"] == self.identity or fault == "mixes":
                self.resource, self.sent = state["resource"], state["sent"]

    def identify(self):
        self.file.seek(0)
        return hashlib.file_digest(self.file, "sha256").hexdigest()

    def save(self):
        if self.resource:
            with open(STATE + ".new", "w") as file:
                json.dump({"identity": self.identity, "resource": self.resource, "sent": self.sent}, file)
            os.replace(STATE + ".new", STATE)

    def attempt(self):
        offset, complete = self.offset() if self.resource else (0, False)
        if not complete:
            self.send(offset)
        if self.identify() != self.identity and self.fault != "mixes":
            raise Final("the file changed while it was uploaded")

    def offset(self):
        """Where the server is, and whether it has everything."""
        if self.fault == "assumes":
            return self.sent, False
        status, fields = self.ask("HEAD", self.resource, {})
        if status in (404, 410):
            self.resource = None
            return 0, False
        offset = fields.get("upload-offset", "")
        if status // 100 != 2 or not offset.isdigit() or int(offset) > self.size:
            raise Failure(f"the server does not know how far the upload is: {status} {offset!r}")
        complete = fields.get("upload-complete") == "?1"
        if complete and int(offset) != self.size:
            raise Failure("the server says that a part is the complete upload")
        return int(offset), complete

    def send(self, offset):
        fields = {"Upload-Complete": "?1", "Content-Length": str(self.size - offset)}
        if self.resource:
            fields |= {"Upload-Offset": str(offset), "Content-Type": "application/partial-upload"}
        status, fields = self.ask("PATCH" if self.resource else "PUT", self.resource or self.url.path, fields, offset)
        if status in (404, 410):
            self.resource = None
            os.path.exists(STATE) and os.remove(STATE)
        if status // 100 != 2:
            raise Failure(f"the server responded with {status}")
        confirmed = fields.get("upload-offset", str(self.size))
        if self.fault != "trusts" and (fields.get("upload-complete") == "?0" or confirmed != str(self.size)):
            raise Failure(f"the server confirmed {confirmed} of {self.size} bytes")

    def ask(self, method, target, fields, offset=None):
        fields = {"Host": self.url.netloc, **VERSION, **fields}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        try:
            with socket.create_connection((self.url.hostname, self.url.port), 10) as connection:
                connection.settimeout(20)
                connection.sendall(f"{method} {target} HTTP/1.1\r\n{head}\r\n".encode())
                if offset is not None:
                    threading.Thread(target=self.write, args=(connection, offset), daemon=True).start()
                return self.read(connection.makefile("rb"))
        except (OSError, ValueError) as error:
            raise Failure(f"the connection broke: {error}") from error
        finally:
            self.save()

    def write(self, connection, offset):
        file = open(self.file.name, "rb")
        file.seek(offset)
        self.sent = offset
        try:
            while part := file.read(1 << 16):
                connection.sendall(part)
                self.sent += len(part)
                self.fault == "assumes" and self.save()
        except OSError:
            pass

    def read(self, stream):
        """The status and the fields of the final response."""
        while True:
            line = stream.readline()
            if not line.endswith(b"\r\n"):
                raise OSError("no response")
            status, fields = int(line.split()[1]), {}
            while (line := stream.readline()) != b"\r\n":
                if not line.endswith(b"\r\n"):
                    raise OSError("half a response")
                name, _, value = line.decode("latin-1").partition(":")
                fields[name.lower()] = value.strip()
            if status >= 200:
                return status, fields
            location = urllib.parse.urlsplit(fields.get("location", ""))
            if status == 104 and re.fullmatch(r"/[!-~]+", location.path) and location.netloc in ("", self.url.netloc):
                self.resource = location.path
                self.save()


def main():
    url, path, retries, fault = sys.argv[1:]
    lock = open(".upload.lock", "w")
    try:
        fault == "shares" or fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        upload = Upload(url, path, fault)
        for left in range(int(retries), -1, -1):
            try:
                upload.attempt()
                break
            except Failure:
                if not left:
                    raise
                time.sleep(0.1)
        os.path.exists(STATE) and os.remove(STATE)
    except BlockingIOError:
        sys.exit("another run uploads this file")
    except (Failure, Final) as reason:
        sys.exit(1 if fault == "silent" else f"the upload failed: {reason}")


main()
