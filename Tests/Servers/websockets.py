"""WebSocket servers. What a server really does is seen by a bare client (websocket_apps/witness.py)."""

import contextlib
import os
import signal
import subprocess
import sys
import threading

from harness import HERE, Completed, Fault, Result, Row, Site

sys.path.insert(0, str(HERE / "websocket_apps"))

import websocket_reasons as reasons  # noqa: E402
from behavior import HOLD, LIMIT, SUBPROTOCOL  # noqa: E402
from websocket_servers import SERVERS  # noqa: E402
from witness import Witness  # noqa: E402

title = "WebSocket servers"
introduction = f"""
Every server has the same handlers, and a limit of 2 MiB for messages if it has such an option. The results:

- *1 line*, *1,000 lines*: standard input is echoed. *slow*: the reply takes 0.5 s, after the end of the input.
- *max*: the messages received with `--max-messages 3` of 10, and with `--max-messages 1` of a slow echo.
- *sizes*: echo of 125, 126, 65,535, 65,536 and 1,048,576 bytes. *binary*: echo of 300,000 bytes with `--binary`.
- *deflate*: the parameters of permessage-deflate in the server's response.
- *pings*: the connection is silent for {HOLD} s, in which the server sends pings.
- *subprotocol*: `{SUBPROTOCOL}` of `first, {SUBPROTOCOL}`. *refusal*: the status of a refused handshake.
- *too long*: the close code for a message of 2 MiB and one byte.
- *codes*: the server closes with 1000, 1001, 1008, 1011 and 4000, each with a reason.
- *exception*, *return*, *SIGTERM*: the close code when the handler fails, when it ends, and when the server is stopped.
  *waits*: the server waits for its clients.

The exit status is 0 for 1000 and for a Close frame without a code, and 4 for a refusal. It is 13 for other codes, and
if there is no Close frame.
"""
situations = ("1 line", "1,000 lines", "slow", "max", "sizes", "binary", "deflate", "pings", "subprotocol", "refusal",
              "too long", "codes", "exception", "return", "SIGTERM")

NO_CLOSE = "no Close frame"
NO_CODE = "no code"
HTTP = "HTTP response"
INVALID = "invalid code"


class Asked:
    """One server and the tool."""

    def __init__(self, tool, server, site, port, process):
        self.tool, self.server, self.site, self.port, self.process = tool, server, site, port, process

    def run(self, path, *options, data=None, timeout=60):
        options = options if data is not None else ("--ignore-stdin", *options)
        return self.tool.run("--no-config", *options, f"ws://127.0.0.1:{self.port}{path}", *self.server.fields,
                             cwd=self.site.root, data=data, timeout=timeout)

    def echoes(self, path, data, *options):
        done = self.run(path, *options, data=data)
        if not self.is_complete(done, data):
            raise Fault(f"{len(done.out):,} of {len(data):,} bytes, {done}")

    def is_complete(self, done, data):
        """Whether afcli had all messages, and the end of the connection as the server may send it."""
        return done.out == data and (not done.status or done.status == 13 and bool(self.server.late))

    def witness(self, path, text=None):
        witness = Witness(self.port, path, *(field.replace(":", ": ", 1) for field in self.server.fields))
        witness.finish(text)
        return witness


def compared(done, witness, is_same_reason=True):
    """What the server sent at the end, if afcli reports the same; else a fault."""
    messages = b"".join(message + b"\n" for message in witness.messages)
    if done.out != messages:
        raise Fault(f"wrong messages, {done}")
    if witness.has_http:
        if done.status != 13:
            raise Fault(f"an HTTP response instead of a frame, {done}")
        return HTTP
    return ended(done, witness.close, is_same_reason)


def ended(done, close, is_same_reason=True):
    """The end of the connection as text, if afcli's status and message are right for this Close frame (None: none)."""
    if close is None:
        text, is_right = NO_CLOSE, done.status == 13
    elif not close:
        text, is_right = NO_CODE, done.status == 0
    else:
        code, reason = int.from_bytes(close[:2], "big"), close[2:].decode() if is_same_reason else ""
        text = str(code)
        if not (1000 <= code <= 1014 and code not in (1004, 1005, 1006) or 3000 <= code <= 4999):
            if done.status != 13 or text not in done.err:
                raise Fault(f"the server sent the invalid close code {code}, {done}")
            return INVALID
        is_right = done.status == 0 if code == 1000 else done.status == 13 and text in done.err and reason in done.err
    if not is_right:
        raise Fault(f"the server sent {text} {(close or b'')[2:]!r}, {done}")
    return text


def one_line(asked):
    asked.echoes("/echo", b"hello\n")
    return Result("1")


def many_lines(asked):
    asked.echoes("/echo", b"".join(b"line %d\n" % number for number in range(1000)))
    return Result("1,000")


def slow(asked):
    asked.echoes("/slow", b"hello\n")
    return Result("1")


def most(asked):
    three = asked.run("/many/10", "--max-messages", "3")
    if not asked.is_complete(three, b"message 0\nmessage 1\nmessage 2\n"):
        raise Fault(f"--max-messages 3: {three.out!r}, {three}")
    asked.echoes("/slow", b"hello\n", "--max-messages", "1")
    return Result("3, 1")


def sizes(asked):
    for size in (125, 126, 65_535, 65_536, 1_048_576):
        asked.echoes("/echo", b"x" * size + b"\n")
    return Result("all")


def binary(asked):
    asked.echoes("/echo", bytes(range(256)) * 1200, "--binary")
    return Result("300 kB")


def deflate(asked):
    text = b"a line that is shorter if compressed, " * 3000 + b"\n"
    done = asked.run("/echo", "--print", "Hh", data=text)
    lines = done.out.decode().lower().splitlines()
    fields = [line for line in lines if line.startswith("sec-websocket-extensions:")]
    asked.echoes("/echo", text)
    if not fields[1:]:
        return Result("no")
    parameters = fields[1].split(":")[1].strip().removeprefix("permessage-deflate").strip("; ")
    return Result(parameters or "yes")


def pings(asked):
    witness = asked.witness("/hold")
    compared(asked.run("/hold"), witness)
    return Result("yes" if witness.pings else "none sent")


def subprotocol(asked):
    done = asked.run("/subprotocol", f"--header=Sec-WebSocket-Protocol: first, {SUBPROTOCOL}")
    if done.status or done.out.strip() not in (SUBPROTOCOL.encode(), b"none"):
        raise Fault(f"{done.out!r}, {done}")
    return Result(done.out.strip().decode())


def refusal(asked):
    status = int(asked.witness("/refuse").head.split()[1])
    done = asked.run("/refuse")
    if done.status != status // 100:
        raise Fault(f"the server refused with {status}, {done}")
    return Result(str(status), reasons.REFUSED_WITH_500 if status >= 500 else "")


def too_long(asked):
    line = b"x" * (LIMIT + 1)
    witness = asked.witness("/echo", line)
    if witness.messages:
        # Some servers need longer for this echo than --linger.
        asked.echoes("/echo", line + b"\n", "--max-messages", "1")
        return Result("no limit")
    done = asked.run("/echo", data=line + b"\n")
    code = NO_CLOSE if witness.close is None else str(int.from_bytes(witness.close[:2], "big"))
    if code == "1009" and done.status == 13 and code not in done.err:
        return Result("1009 or reset", limit=reasons.RESET)
    if done.status == 0 and done.out == line + b"\n":
        return Result(f"{code}, or echo", reasons.COMPRESSED_LIMIT)
    if done.status == 0 and done.out and line.startswith(done.out.removesuffix(b"\n")):
        return Result(f"{code}, or cut", reasons.CUT, reasons.UNKNOWN)
    # The reason can name the size, and afcli's message is compressed.
    text = compared(done, witness, is_same_reason=False)
    deviation = "" if text == "1009" else reasons.TOO_LONG.get(text, reasons.OTHER_CODE)
    return Result(text, deviation, reasons.EMPTY_CLOSE if text == NO_CODE else "")


def codes(asked):
    seen, is_reason_sent = [], True
    for code in asked.server.codes:
        witness = asked.witness(f"/close/{code}")
        seen.append(compared(asked.run(f"/close/{code}"), witness))
        is_reason_sent &= (witness.close or b"")[2:] == b"the reason"
    if set(seen) == {INVALID}:
        return Result(INVALID, reasons.INVALID_CODE)
    if seen != [str(code) for code in asked.server.codes]:
        return Result(", ".join(seen), reasons.WRONG_CODES)
    text = "all" if len(seen) == 5 else ", ".join(seen)
    return Result(text if is_reason_sent else f"{text}, no reason")


def exception(asked):
    witness = asked.witness("/raise", b"hello")
    if witness.is_open:
        done = asked.run("/raise", data=b"hello\n")
        if done.status or done.out:
            raise Fault(f"the connection stays open, {done}")
        return Result("stays open", limit=reasons.UNKNOWN)
    # Daphne looks for exceptions once a second, as long as the default of --linger.
    text = compared(asked.run("/raise", "--linger", "10", data=b"hello\n"), witness)
    return Result(text, reasons.EXCEPTION.get(text, ""), reasons.UNKNOWN if text in ("1000", NO_CODE) else "")


def return_(asked):
    witness = asked.witness("/return")
    if witness.is_open:
        done = asked.run("/return", "--max-time", "2")
        if done.status != 2 or done.out != b"the last message\n":
            raise Fault(f"the connection stays open, {done}")
        return Result("stays open", reasons.RETURN["stays open"])
    text = compared(asked.run("/return"), witness)
    return Result(text, reasons.RETURN.get(text, ""))


def sigterm(asked):
    """Ends the server, so that it must be the last situation."""
    witness = Witness(asked.port, "/wait", *(field.replace(":", ": ", 1) for field in asked.server.fields))
    command = [asked.tool.path, "--no-config", "--ignore-stdin", f"ws://127.0.0.1:{asked.port}/wait"]
    process = subprocess.Popen(command, cwd=asked.site.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=asked.tool.environment(asked.site.root))
    try:
        # The line shows that the connection is open.
        if process.stdout.readline() != b"ready\n":
            raise Fault("the first message was not written")
        witness.frame()
        # It answers pings meanwhile.
        watching = threading.Thread(target=witness.finish, daemon=True)
        watching.start()
        asked.process.terminate()
        is_waiting = False
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            # The server waits for its clients. afcli must see the end of the server anyway.
            is_waiting = asked.process.poll() is None
            for server in asked.site.processes:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(server.pid, signal.SIGKILL)
        out, err = process.communicate(timeout=20)
    except subprocess.TimeoutExpired as error:
        raise Fault("no end after the end of the server") from error
    finally:
        process.kill()
        process.wait()
    watching.join(30)
    text = ended(Completed(process.returncode, out, err.decode()), witness.close)
    if is_waiting:
        return Result("waits")
    return Result(text)


ASK = dict(zip(situations, (one_line, many_lines, slow, most, sizes, binary, deflate, pings, subprotocol, refusal,
                            too_long, codes, exception, return_, sigterm)))


def row(name, tool):
    server, site, results = SERVERS[name], Site(name), {}
    try:
        port, process, version = server.start(site, name)
        asked = Asked(tool, server, site, port, process)
        for situation, ask in ASK.items():
            if situation not in server.without:
                try:
                    results[situation] = ask(asked)
                except (Fault, OSError, EOFError) as fault:
                    results[situation] = Result(str(fault), is_fault=True)
        if server.late and "1 line" in results:
            results["1 line"].deviation = server.late
    finally:
        site.end()
    return Row(name, version, results)


servers = {name: (lambda tool, name=name: row(name, tool)) for name in SERVERS}
