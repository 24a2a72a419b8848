"""SIGKILL at random bytes of an upload, and large files."""

import random
import subprocess

from proxy import Fault
from trials import FAILED, IDENTICAL, KILLED, WRONG, record, trial


def kills(peer, client, number, seed):
    """Kills the client `number` times, and runs it to the end after each one or two kills. Yields records.

    A run that fails with a message is repeated once."""
    done, index = 0, 0
    while done < number and index < 2 * number:
        index += 1
        with trial(peer, client, f"{seed}/{peer.name}/{index}") as new:
            verdicts, position = [], 0
            for _ in range(1 + (new.random.random() < 0.25 and done + 1 < number)):
                verdict, position = kill(new, position)
                verdicts.append(verdict)
                if verdict != KILLED:
                    break
            done += verdicts.count(KILLED)
            if verdicts[-1] != IDENTICAL:
                verdicts.append(new.run())
            if verdicts[-1] == FAILED:
                # tuspyserver blocks on the lock of a killed connection, and responds with 503 after 30 seconds.
                verdicts.append(new.run())
            yield record("SIGKILL", new, verdicts, "" if verdicts[-1] == IDENTICAL else "does not resume",
                         str(verdicts.count(KILLED)))


def kill(new, position):
    """Mostly at a byte, now and then when a response is there. Returns the verdict and the next first byte."""
    if new.random.random() < 0.1:
        return new.run(Fault(lambda request: True, skip=new.random.randrange(2),
                             before_response=lambda: new.kill())), position
    at = int(new.random.random() * (new.size - position)) + 1
    return new.run(at=at), position + at


def large(peer, client, size, number):
    """Kills the upload of a large file at regular distances. Returns a record, and the trial with its outcomes."""
    with trial(peer, client, 0, size=0) as new:
        sparse(new.file, size)
        # The server's file is compared block by block.
        new.judge = lambda outcome: judge_large(new, outcome)
        verdicts = [new.run(at=size // (number + 1)) for _ in range(number)]
        verdicts.append(new.run())
        expected = "" if verdicts[-1] == IDENTICAL else "does not resume"
        result = record(f"{size} bytes", new, verdicts, expected, str(verdicts.count(KILLED)))
        result.sent = new.sent / size
        return result, new.outcomes


def whole(peer, client, size, plain):
    """The upload of the large file without a kill, to compare with: resumable, or the usual one."""
    with trial(peer, client, 0, size=0) as new:
        sparse(new.file, size)
        new.judge = lambda outcome: judge_large(new, outcome)
        verdict = new.run(plain=plain)
        result = record(f"{size} bytes", new, [verdict], "" if verdict == IDENTICAL else "fails")
        result.sent, result.note = new.sent / size, "none, without --resume" if plain else "none"
        return result, new.outcomes


def judge_large(new, outcome):
    if outcome.status:
        return KILLED if outcome.was_killed else FAILED
    stored = new.peer.path(new.name)
    same = stored and subprocess.run(["cmp", "-s", str(stored), str(new.file)]).returncode == 0
    return IDENTICAL if same else WRONG


def sparse(path, size):
    """A file without holes of zeros that a mistake could hide in: every MiB has a block of its own."""
    generator = random.Random(size)
    with open(path, "wb") as file:
        file.truncate(size)
        for offset in range(0, size - 4096, 1 << 20):
            file.seek(offset)
            file.write(generator.randbytes(4096))

