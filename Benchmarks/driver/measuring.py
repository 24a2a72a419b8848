"""Runs the programs of a case in turn and records their times and memory."""

import dataclasses
import json
import os
import pathlib
import shutil
import statistics
import subprocess
from collections.abc import Callable

# A program that hangs must not hang the run.
TIME_LIMIT = 600


@dataclasses.dataclass
class Program:
    """A program of a case."""
    name: str
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    # The file or directory that the command writes itself, removed before each run; else standard output is the result.
    file: pathlib.Path | None = None
    # Whether the program reports the seconds of its work without start-up (P7); its second argument is then the number
    # of requests.
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
    # Checks the result of one run; raises an AssertionError if it is wrong.
    check: Callable[[pathlib.Path], None] = lambda _: None
    clean: Callable[[], None] = lambda: None
    counts_allocations: bool = False


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
    # For each request: all allocations, and those that libcurl and its libraries made for themselves.
    allocations: dict[str, tuple[float, float]]

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
    """Checks each program's result once before the measured runs: a program that does not do the work would look fast."""
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
    for turn in range(rounds or case.rounds):
        if not able:
            break
        # The order changes, so that no program always runs after the same one.
        for program in able[turn % len(able):] + able[:turn % len(able)]:
            try:
                samples[program.name].append(run(program, bench, pathlib.Path("/dev/null")))
            except Failure as reason:
                failures[program.name] = str(reason)
                able.remove(program)
                del samples[program.name]
    for program in case.programs:
        if program.file:
            remove(program.file)
    allocations = {program.name: allocations_per_request(program, bench)
                   for program in able if program.reports and case.counts_allocations}
    return Result(case, samples, failures, allocations)


def allocations_per_request(program, bench):
    """The difference between two runs of different length, so that start-up and warm-up do not count."""
    least, most = (allocations(program, bench, count) for count in (1000, 3000))
    return tuple((most[kind] - least[kind]) / 2000 for kind in (0, 1))


def allocations(program, bench, count):
    report = bench.scratch / "allocations"
    command = list(program.command)
    command[2] = str(count)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=TIME_LIMIT,
                   env={**environment_of(program, bench), "LD_PRELOAD": str(bench.counter), "ALLOCATIONS": str(report)})
    return [int(figure) for figure in report.read_text().split()]


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def environment_of(program, bench):
    return {"PATH": os.environ["PATH"], "HOME": str(bench.home), "LANG": "C.UTF-8", **program.environment}


def run(program, bench, output):
    if program.file:
        remove(program.file)
        # The write-back of the previous program's file must not affect this run.
        os.sync()
    if program.reports:
        output = bench.scratch / "report"
    try:
        done = subprocess.run([bench.programs / "measure", output, *program.command],
                              env=environment_of(program, bench), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=TIME_LIMIT)
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
