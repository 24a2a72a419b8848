"""Runs of a client against a peer, and what they come to."""

import contextlib
import dataclasses
import os
import pathlib
import random
import shutil
import tempfile
import threading
import time

IDENTICAL, FAILED, KILLED = "identical", "failed", "killed"
WRONG, SILENT, CRASHED, HUNG, TWO = "WRONG BYTES", "SILENT", "CRASHED", "HUNG", "TWO AT ONCE"
FAULTS = (WRONG, SILENT, CRASHED, HUNG, TWO)


class Trial:
    """One upload: a directory with the file `f`, in which the client runs until the server has the file."""

    count = 0
    lock = threading.Lock()

    def __init__(self, peer, client, seed, size=None):
        with Trial.lock:
            Trial.count += 1
            self.name = f"u{Trial.count}"
        self.peer, self.client = peer, client
        self.random = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="upload-"))
        self.file = self.folder / "f"
        self.contents = []
        self.write(self.random.randbytes(peer.size if size is None else size))
        self.outcomes = []
        self.was_reached = True
        peer.proxy.begin()

    def write(self, content):
        """Changes the file in place. Either content may be what the server has at the end; a mixture may not."""
        descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT, 0o644)
        os.write(descriptor, content)
        os.ftruncate(descriptor, len(content))
        os.close(descriptor)
        self.contents.append(content)

    @property
    def size(self):
        return len(self.contents[-1])

    @property
    def sent(self):
        return self.peer.proxy.body_bytes

    def run(self, *faults, at=None, action=None, grace=0, **options):
        """Runs the client once, and returns the verdict. At `at` bytes, it is killed, or `action` is called.

        Nothing passes within the seconds of `grace` before the kill, so the client knows what came before.
        """
        proxy, started, run = self.peer.proxy, threading.Event(), None
        proxy.arrange(*faults)

        def kill():
            started.wait(5)
            time.sleep(grace)
            run.kill()

        if at is not None:
            proxy.at(proxy.body_bytes + at, action or kill)
        self.kill = kill
        run = self.client.start(self.peer, self.folder, self.name, **options)
        started.set()
        outcome = run.wait()
        self.was_reached = self.was_reached and proxy.was_reached
        proxy.arrange()
        self.outcomes.append(outcome)
        return self.judge(outcome)

    def judge(self, outcome, contents=None):
        """Only what the server has counts, and a failure only with a sentence."""
        if outcome.was_killed:
            return KILLED
        if outcome.is_late:
            return HUNG
        if outcome.status < 0:
            return CRASHED
        if outcome.status:
            return FAILED if outcome.message else SILENT
        return IDENTICAL if self.peer.stored(self.name) in (contents or self.contents) else WRONG

    def end(self):
        self.peer.proxy.arrange()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def trial(*arguments, **options):
    new = Trial(*arguments, **options)
    try:
        yield new
    finally:
        new.end()


@dataclasses.dataclass
class Record:
    """What a trial came to."""

    case: str
    peer: str
    client: str
    verdicts: list[str]
    sent: float
    """The bytes of bodies that the server was sent, as a multiple of the file."""
    messages: list[str]
    note: str = ""
    expected: str = ""
    """Why the verdicts are not enough; empty if they are."""
    left_behind: int = 0
    """The unfinished uploads that the server still keeps."""
    was_reached: bool = True
    """Whether the client sent the requests that the case breaks."""

    @property
    def fault(self):
        """The fault of the client; empty if there is none."""
        found = [verdict for verdict in self.verdicts if verdict in FAULTS]
        return found[0] if found else self.expected


def record(case, trial, verdicts, expected="", note=""):
    messages = [f"{outcome.status}: {outcome.message[-300:]}" for outcome in trial.outcomes if outcome]
    return Record(case, trial.peer.name, trial.client.name, verdicts, trial.sent / max(1, trial.size), messages, note,
                  expected, trial.peer.left_behind(trial.name), trial.was_reached)
