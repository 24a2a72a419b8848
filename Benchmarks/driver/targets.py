"""The targets of the measurements, and whether they are reached."""

import dataclasses
import json
import os
import subprocess

from . import documents


@dataclasses.dataclass
class Target:
    case: str
    # `wall` and `cpu` are ours divided by the peer's seconds; `speed` is the peer's wall seconds divided by ours.
    quantity: str
    peer: str
    limit: float
    size: str | None = None
    # The measured program; `None` for the first one of the case.
    program: str | None = None

    def figure(self, result):
        ours = self.program or result.case.programs[0].name
        quantity = "wall" if self.quantity == "speed" else self.quantity
        figures = result.median(ours, quantity), result.median(self.peer, quantity)
        if None in figures or 0 in figures:
            return None
        return figures[1] / figures[0] if self.quantity == "speed" else figures[0] / figures[1]

    def verdict(self, result):
        figure = self.figure(result)
        if figure is None:
            return None
        is_reached = figure >= self.limit if self.quantity == "speed" else figure <= self.limit
        sign = "≥" if self.quantity == "speed" else "≤"
        program = f"{self.program}, " if self.program else ""
        return {
            "target": f"{self.case} {result.case.size}: {program}{self.quantity} {sign} {self.limit} × {self.peer}",
            "figure": figure,
            "reached": is_reached,
        }


C = "C on curl_multi"
TARGETS = [
    Target("P1", "wall", "curl", 0.5),
    Target("P2", "wall", "curl", 0.2),
    Target("P3", "wall", "curl --version", 0.35, size="--version"),
    Target("P3", "wall", "curl --version", 0.4, size="--help"),
    Target("P3", "wall", "curl --version", 0.45, size="--offline"),
    Target("P4", "cpu", "curl", 1),
    Target("P5", "cpu", "curl", 1),
    Target("P6", "speed", "curl | jq", 10, size="1 MB"),
    Target("P6", "speed", "curl | jq", 10, size="16 MB"),
    Target("P6", "speed", "curl | jq", 15, size="77 MB"),
    *(target for name, kind in documents.KINDS.items() for target in (
        Target("P6", "speed", "curl | jq", kind.target, size=name),
        Target("P6", "speed", "afcli", 0.8, size=name, program="afcli, colored"),
        Target("P6", "speed", "afcli", 1, size=name, program="afcli --filter"),
    )),
    Target("P7", "speed", C, 0.75, size="1 in flight", program="AFTransport"),
    Target("P7", "speed", C, 0.75, size="16 in flight", program="AFTransport"),
    Target("P7", "speed", C, 0.7, size="64 in flight", program="AFTransport"),
    Target("P7", "cpu", C, 1.5, program="AFTransport"),
    Target("P7", "speed", C, 0.65, size="1 in flight"),
    Target("P7", "speed", C, 0.65, size="16 in flight"),
    Target("P7", "speed", C, 0.7, size="64 in flight"),
    Target("P7", "cpu", C, 2),
    Target("P7", "speed", "AsyncHTTPClient", 1.5, size="1 in flight"),
    Target("P7", "speed", "AsyncHTTPClient", 1.3, size="16 in flight"),
    Target("P7", "speed", "AsyncHTTPClient", 1.35, size="64 in flight"),
    # With two processors, of which the server needs one, two threads are not slower; with four, 1.5 times as fast.
    Target("P14", "speed", "1 thread", 1.5 if (os.cpu_count() or 1) >= 4 else 1),
    Target("P14", "cpu", "1 thread", 1),
    Target("P7b", "speed", C, 0.65),
    Target("P7b", "speed", "AsyncHTTPClient", 1.4),
    Target("P9", "wall", "aria2c", 1),
    Target("P11", "wall", "curl -Z", 1.3),
    Target("P11", "wall", "wget", 0.7),
    Target("P12", "speed", "curl | jq", 10),
    Target("P15", "wall", "curl", 1.1, size="in sequence"),
    Target("P15", "cpu", "curl", 1.1, size="in sequence"),
    Target("P15", "wall", "curl -Z", 1.1, size="over HTTP/2"),
    Target("P15", "cpu", "curl -Z", 1.1, size="over HTTP/2"),
    Target("P15", "wall", "curl", 1.1, size="in sequence", program="afcli curl"),
    Target("P15", "wall", "curl -Z", 1.1, size="over HTTP/2", program="afcli curl"),
    Target("P16", "wall", "afcli --input", 1.5),
    Target("P16", "cpu", "afcli --input", 1.5),
    Target("P17", "wall", "afcli get", 1.1),
]

# The allocations of a request besides those of libcurl and its libraries.
ALLOCATION_LIMIT = 20
# The limit of the stripped binary in MB, with and without libcurl inside.
BINARY_LIMITS = {True: 20, False: 15}
# Peak memory in MiB, and how much more the largest size may take than the smallest.
MEMORY_LIMIT = 24
MEMORY_GROWTH = 2
# MiB that a file of 1,000 entries may take.
ENTRIES_MEMORY_LIMIT = 40
# KiB of memory that each of many transfers may take.
TRANSFER_MEMORY_LIMIT = 64
# The processor time of a file of a list in microseconds.
FILE_LIMIT = 150
# The processor time of a request beside 10,000 transfers that receive nothing, divided by that without them.
SILENT_LIMIT = 1.25


def verdicts(results, afcli):
    found = [
        target.verdict(result)
        for target in TARGETS
        for result in results
        if result.case.name == target.case and target.size in (None, result.case.size)
    ]
    found += [memory_verdict(case, results) for case in ("P4", "P5", "P6", "P12")]
    found += [file_verdict(result) for result in results if result.case.name == "P11"]
    found += [allocation_verdict(result) for result in results if result.case.name == "P7"]
    found += [transfer_memory_verdict(results), binary_verdict(afcli)]
    found += [silent_verdict(results)]
    found += [entries_verdict(result) for result in results if result.case.name == "P16"]
    return [verdict for verdict in found if verdict]


def binary_verdict(afcli):
    megabytes = afcli.stat().st_size / 1e6
    report = json.loads(subprocess.run([afcli, "--version", "--json"], capture_output=True, check=True).stdout)
    is_static = any(library["name"] == "libcurl" and library["static"] for library in report["libraries"])
    limit = BINARY_LIMITS[is_static]
    return {
        "target": f"P10: the binary {'with' if is_static else 'without'} libcurl inside ≤ {limit} MB",
        "figure": megabytes,
        "reached": megabytes <= limit,
    }


def memory_verdict(case, results):
    peaks = [result.median("afcli", "rss") for result in results if result.case.name == case]
    peaks = [peak / 1024 for peak in peaks if peak]
    if not peaks:
        return None
    return {
        "target": f"{case}: memory ≤ {MEMORY_LIMIT} MiB, growing ≤ {MEMORY_GROWTH} MiB over the sizes",
        "figure": max(peaks),
        "reached": max(peaks) <= MEMORY_LIMIT and peaks[-1] - peaks[0] <= MEMORY_GROWTH,
    }


def transfer_memory_verdict(results):
    """The memory of each additional slow transfer, from the smallest number of transfers to the largest."""
    peaks = {result.case.amount: result.median("AFCore", "rss") for result in results
             if result.case.name == "P8" and result.case.size.endswith("slow")}
    if len(peaks) < 2 or None in peaks.values():
        return None
    least, most = min(peaks), max(peaks)
    each = (peaks[most] - peaks[least]) / (most - least)
    return {
        "target": f"P8: memory ≤ {TRANSFER_MEMORY_LIMIT} KiB for each transfer",
        "figure": each,
        "reached": each <= TRANSFER_MEMORY_LIMIT,
    }


def entries_verdict(result):
    peak = result.median("afcli run", "rss")
    if not peak:
        return None
    return {
        "target": f"P16 {result.case.size}: memory ≤ {ENTRIES_MEMORY_LIMIT} MiB",
        "figure": peak / 1024,
        "reached": peak / 1024 <= ENTRIES_MEMORY_LIMIT,
    }


def file_verdict(result):
    seconds = result.median("afcli", "cpu")
    if not seconds:
        return None
    figure = seconds / result.case.amount * 1e6
    return {
        "target": f"P11 {result.case.size}: ≤ {FILE_LIMIT} µs of processor time for a file",
        "figure": figure,
        "reached": figure <= FILE_LIMIT,
    }


def allocation_verdict(result):
    if "AFCore" not in result.allocations:
        return None
    everything, others = result.allocations["AFCore"]
    return {
        "target": f"P7 {result.case.size}: ≤ {ALLOCATION_LIMIT} allocations for a request",
        "figure": everything - others,
        "reached": everything - others <= ALLOCATION_LIMIT,
    }


def silent_verdict(results):
    """The cost of a request beside many silent transfers, as a ratio to its cost alone."""
    costs = {result.case.size: result.median("AFCore", "cpu") for result in results if result.case.name == "P8"}
    alone, beside = costs.get("0 idle"), costs.get("10000 silent")
    if not alone or not beside:
        return None
    ratio = beside / alone
    return {
        "target": f"P8: a request beside 10,000 silent transfers takes ≤ {SILENT_LIMIT} × its time alone",
        "figure": ratio,
        "reached": ratio <= SILENT_LIMIT,
    }
