"""What every case is: what happened to the upload before, and what the server or the file does wrong now."""

import dataclasses
import os
import re
from typing import Callable

from proxy import ALWAYS, Fault, response
from trials import FAILED, IDENTICAL, SILENT, TWO, record, trial

MIDDLE = 0.4
"""Where an upload is killed before the case, as a part of the file."""


@dataclasses.dataclass
class Case:
    name: str
    faults: Callable = lambda trial: ()
    """The faults of the run, from the trial."""
    is_interrupted: bool = True
    """Whether an earlier run was killed in the middle of the upload."""
    before: Callable = lambda trial: None
    """Called with the trial between the runs."""
    retry: int = 0
    must_succeed: bool = False
    """Whether this run must upload the file, as the fault is one to cope with."""
    run: Callable = None
    """Replaces the run; returns its verdicts."""
    kills_server: bool = False
    wishes: dict = dataclasses.field(default_factory=dict)
    """What the client does in every run besides; `Client.more` lists it."""
    check: Callable = lambda requests: ""
    """Returns what was wrong with the requests of all runs."""

    def record(self, peer, client, seed):
        with trial(peer, client, f"{seed}/{self.name}") as new:
            verdicts = []
            if self.is_interrupted:
                verdicts.append(new.run(at=int(new.size * MIDDLE), grace=0.3, **self.wishes))
                self.before(new)
            verdicts += self.run(new) if self.run else [
                new.run(*self.faults(new), retry=self.retry, **self.wishes)]
            expected = self.check(peer.proxy.requests)
            if self.must_succeed and verdicts[-1] != IDENTICAL:
                expected = expected or "gives up"
            if verdicts[-1] != IDENTICAL:
                # Everything is right again.
                verdicts.append(new.run(**self.wishes))
                expected = expected or ("" if verdicts[-1] == IDENTICAL else "is stuck")
            return record(self.name, new, verdicts, expected)


# Requests and responses


def methods(*names):
    return lambda request: request.method in names


def answers(when, status, *fields, body=b"", times=1.0, early=False):
    """The proxy answers instead of the server."""
    return lambda trial: (Fault(when, times=times, early=early, reply=response(status, fields, body)),)


def edits(when, status=None, times=1.0, **fields):
    """Other header fields of the server's response: a value, a function of the value, or `None` to remove the field."""
    named = {name.replace("_", "-").lower(): value for name, value in fields.items()}

    def edit(old_status, old):
        new = []
        for name, value in old:
            if name.lower() not in named:
                new.append((name, value))
        before = {name.lower(): value for name, value in old}
        for name, value in named.items():
            value = value(before.get(name, "0")) if callable(value) else value
            if value is not None:
                new.append((name, str(value)))
        return status or old_status, new

    return lambda trial: (Fault(when, times=times, edit=edit),)


def cuts_request(when, part, times=1.0):
    """The connection breaks within the request, behind a part of the file."""
    return lambda trial: (Fault(when, times=times, cut_request=int(trial.size * part)),)


def cuts_response(when, number=0, times=1.0):
    return lambda trial: (Fault(when, times=times, cut_response=number),)


def elsewhere(port):
    """Another origin that is the same proxy, for what is a path there."""
    return lambda value: re.sub(r"^(https?://[^/]*)?", f"http://localhost:{port}", value)


def tells_login(requests):
    """The password is for the first origin only."""
    told = any("localhost" in request.headers.get("host", "") and "authorization" in request.headers
               for request in requests)
    return "TELLS THE PASSWORD" if told else ""


def more(number):
    return lambda value: int(value) + number


def offsets(ask):
    """Wrong answers to the question for the offset."""
    return [
        Case("offset: 1000 more than the server has", edits(ask, Upload_Offset=more(1000))),
        Case("offset: 1000 less than the server has", edits(ask, Upload_Offset=more(-1000))),
        Case("offset: more than the file has", edits(ask, Upload_Offset=more(1 << 40))),
        Case("offset: more than 64 bits", edits(ask, Upload_Offset=str(1 << 65))),
        Case("offset: negative", edits(ask, Upload_Offset="-1")),
        Case("offset: no number", edits(ask, Upload_Offset="many")),
        Case("offset: none", edits(ask, Upload_Offset=None)),
        Case("offset: 404", answers(ask, 404), must_succeed=True),
        Case("offset: 410, expired", answers(ask, 410), must_succeed=True),
        Case("offset: 403", answers(ask, 403)),
        Case("offset: 500", answers(ask, 500)),
        Case("offset: 503 once, with --retry", answers(ask, 503), retry=2, must_succeed=True),
        Case("offset: the response is lost", cuts_response(ask)),
        Case("offset: the response is lost once, with --retry", cuts_response(ask), retry=2, must_succeed=True),
        Case("offset: half a head", cuts_response(ask, 30)),
    ]


def appends(send):
    """Wrong answers to the rest of the file."""
    return [
        Case("rest: 409, without a reason", answers(send, 409)),
        Case("rest: 409 once, with --retry", answers(send, 409), retry=2, must_succeed=True),
        Case("rest: 409, always, with --retry", answers(send, 409, times=ALWAYS), retry=2),
        Case("rest: 423 once, with --retry", answers(send, 423), retry=2, must_succeed=True),
        Case("rest: 423, always", answers(send, 423, times=ALWAYS)),
        Case("rest: 404", answers(send, 404)),
        Case("rest: 410, expired", answers(send, 410)),
        Case("rest: 413, early", answers(send, 413, early=True)),
        Case("rest: 500", answers(send, 500)),
        Case("rest: 503 once, with --retry", answers(send, 503, ("Retry-After", "0")), retry=2, must_succeed=True),
        Case("rest: the connection breaks", cuts_request(send, 0.1)),
        Case("rest: the connection breaks three times, with --retry", cuts_request(send, 0.1, 3), retry=5,
             must_succeed=True),
        Case("rest: the response is lost", cuts_response(send)),
        Case("rest: the response is lost once, with --retry", cuts_response(send), retry=2, must_succeed=True),
        Case("rest: half a head", cuts_response(send, 20)),
        Case("rest: the response confirms less", edits(send, Upload_Offset=more(-1000))),
        Case("rest: the response confirms more", edits(send, Upload_Offset=more(1000))),
        Case("rest: the response confirms no number", edits(send, Upload_Offset="x")),
    ]


# Files and servers


def replace(trial, content, keeps_time=False):
    times = os.stat(trial.file)
    trial.write(content)
    if keeps_time:
        os.utime(trial.file, ns=(times.st_atime_ns, times.st_mtime_ns))


def changed_end(trial):
    """The same size and start; the rest begins before the place where the upload was killed."""
    old = trial.contents[-1]
    return old[:len(old) // 8] + trial.random.randbytes(len(old) - len(old) // 8)


def changed_start(trial):
    old = trial.contents[-1]
    return trial.random.randbytes(len(old) // 4) + old[len(old) // 4:]


def changes_within(trial, **wishes):
    """The file changes while it is sent."""
    return [trial.run(at=int(trial.size * MIDDLE), action=lambda: replace(trial, changed_end(trial)), **wishes)]


def shrinks_within(trial):
    """The file loses its end while it is sent, as with a log that is rotated."""
    return [trial.run(at=int(trial.size * MIDDLE), action=lambda: trial.write(trial.contents[-1][:trial.size // 2]))]


def restarts_within(trial):
    # A server needs half a second or more: the retries are more than that.
    return [trial.run(at=int(trial.size * MIDDLE), action=trial.peer.restart, retry=30)]


def two_at_once(trial):
    """A second run starts while the first one is in the middle; it must refuse."""
    second = []

    def start():
        run = trial.client.start(trial.peer, trial.folder, trial.name)
        second.append(run.wait(5))

    verdict = trial.run(at=int(trial.size * MIDDLE), action=start)
    outcome = second[0] if second else None
    trial.outcomes.insert(0, outcome)
    if outcome is None or outcome.status == 0 or outcome.is_late:
        return [TWO, verdict]
    return [FAILED if outcome.message else SILENT, verdict]


COMMON = [
    Case("nothing goes wrong", is_interrupted=False, must_succeed=True),
    Case("another run while one uploads", is_interrupted=False, run=two_at_once),
    Case("the file has another end", before=lambda trial: replace(trial, changed_end(trial)), must_succeed=True),
    Case("the file has another start", before=lambda trial: replace(trial, changed_start(trial)), must_succeed=True),
    Case("the file has another end, and the same date",
         before=lambda trial: replace(trial, changed_end(trial), keeps_time=True)),
    Case("the file has another start, and the same date",
         before=lambda trial: replace(trial, changed_start(trial), keeps_time=True)),
    Case("the file has grown", before=lambda trial: replace(trial, trial.contents[-1] + b"more" * 1000),
         must_succeed=True),
    Case("the file has shrunk below what the server has",
         before=lambda trial: replace(trial, trial.contents[-1][:trial.size // 8]), must_succeed=True),
    Case("the file changes while it is sent", is_interrupted=False, run=changes_within),
    Case("the file shrinks while it is sent", is_interrupted=False, run=shrinks_within),
    Case("the server was restarted", before=lambda trial: trial.peer.restart(), must_succeed=True,
         kills_server=True),
    Case("the server is restarted while the file is sent, with --retry", is_interrupted=False, run=restarts_within,
         kills_server=True),
]
