"""Runs the programs of a case in turn and keeps what each of them took."""

import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
from collections.abc import Callable

# A program that hangs must not hang the run.
TIME_LIMIT = 600


@dataclasses.dataclass
class Program:
    """One of the programs that do the same work."""
    name: str
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    # The file that the command writes by itself, removed before each run; else standard output is the result.
    file: pathlib.Path | None = None
    # Whether the program reports its own seconds, those of the work without start-up (P7).
    reports: bool = False


@dataclasses.dataclass
class Case:
    """The same work for several programs; the first of them is ours."""
    name: str
    size: str
    programs: list[Program]
    rounds: int
    # How much work it is, and in which unit per second its speed is given.
    amount: float
    unit: str
    # Looks at the result of one run and raises an AssertionError when it is not what was asked for.
    check: Callable[[pathlib.Path], None] = lambda _: None
    clean: Callable[[], None] = lambda: None


@dataclasses.dataclass
class Sample:
    wall: float
    cpu: float
    rss: float


@dataclasses.dataclass
class Result:
    case: Case
    samples: dict[str, list[Sample]]
    failures: dict[str, str]

    def median(self, program, quantity):
        """The median of `wall`, `cpu` (seconds) or `rss` (KiB); None for a program that failed."""
        samples = self.samples.get(program)
        return statistics.median(getattr(sample, quantity) for sample in samples) if samples else None

    def ratio(self, peer, quantity):
        """Ours divided by the peer's."""
        ours, theirs = self.median(self.case.programs[0].name, quantity), self.median(peer, quantity)
        return ours / theirs if ours is not None and theirs else None


class Failure(Exception):
    pass


def measure(case, bench, rounds):
    """A result is checked once before anything counts: a program that does not do the work must not look fast."""
    failures = {}
    for program in case.programs:
        try:
            output = bench.scratch / "output"
            run(program, bench, output)
            case.check(program.file or output)
            output.unlink(missing_ok=True)
        except (Failure, AssertionError) as reason:
            failures[program.name] = str(reason) or "the result is not what was asked for"
    able = [program for program in case.programs if program.name not in failures]

    samples = {program.name: [] for program in able}
    for turn in range(rounds or case.rounds) if able else ():
        # Nobody always runs after the same neighbour.
        for program in able[turn % len(able):] + able[:turn % len(able)]:
            try:
                samples[program.name].append(run(program, bench, pathlib.Path("/dev/null")))
            except Failure as reason:
                failures[program.name] = str(reason)
                able.remove(program)
                del samples[program.name]
    for program in case.programs:
        if program.file:
            program.file.unlink(missing_ok=True)
    return Result(case, samples, failures)


def run(program, bench, output):
    if program.file:
        program.file.unlink(missing_ok=True)
        # The write-back of the previous program's file is not this one's affair.
        os.sync()
    if program.reports:
        output = bench.scratch / "report"
    environment = {"PATH": os.environ["PATH"], "HOME": str(bench.home), "LANG": "C.UTF-8", **program.environment}
    try:
        done = subprocess.run([bench.programs / "measure", output, *program.command], env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"not done after {TIME_LIMIT} s")
    if done.returncode != 0:
        raise Failure(done.stderr.strip())
    figures = json.loads(done.stdout)
    if figures["status"] != 0:
        raise Failure(f"status {figures['status']} {done.stderr.strip()}".strip())
    if program.reports:
        own = json.loads(output.read_text())
        return Sample(own["seconds"], own["cpu"], figures["rss"])
    return Sample(figures["wall"], figures["cpu"], figures["rss"])
