"""What the figures ought to be, and whether they are."""

import dataclasses
import json
import subprocess


@dataclasses.dataclass
class Target:
    case: str
    # `wall` and `cpu` are ours divided by the peer's seconds; `speed` is the other way round.
    quantity: str
    peer: str
    limit: float
    size: str | None = None

    def figure(self, result):
        if self.quantity == "speed":
            ratio = result.ratio(self.peer, "wall")
            return ratio and 1 / ratio
        return result.ratio(self.peer, self.quantity)

    def verdict(self, result):
        figure = self.figure(result)
        if figure is None:
            return None
        is_reached = figure >= self.limit if self.quantity == "speed" else figure <= self.limit
        sign = "≥" if self.quantity == "speed" else "≤"
        return {
            "target": f"{self.case} {result.case.size}: {self.quantity} {sign} {self.limit} × {self.peer}",
            "figure": figure,
            "reached": is_reached,
        }


TARGETS = [
    Target("P1", "wall", "curl", 0.6),
    Target("P2", "wall", "curl", 0.25),
    Target("P3", "wall", "curl --version", 0.35, size="--version"),
    Target("P3", "wall", "curl --version", 0.4, size="--help"),
    Target("P3", "wall", "curl --version", 0.45, size="--offline"),
    Target("P4", "cpu", "curl", 1),
    Target("P5", "cpu", "curl", 1),
    Target("P9", "wall", "aria2c", 1.05),
    Target("P6", "speed", "curl | jq", 10),
    Target("P7", "speed", "C on curl_multi", 0.9, size="1 in flight"),
    Target("P7", "speed", "C on curl_multi", 0.6, size="64 in flight"),
    Target("P7", "speed", "AsyncHTTPClient", 2),
    Target("P7", "speed", "URLSession", 8),
]

# The stripped binary, in MB, by whether libcurl is inside.
BINARY_LIMITS = {True: 20, False: 15}
# Peak memory in MiB, and how much more the largest size may take than the smallest.
MEMORY_LIMIT = 24
MEMORY_GROWTH = 2
# KiB of memory that each of many transfers may take.
TRANSFER_MEMORY_LIMIT = 64
# The processor time of a request beside 10,000 idle transfers, divided by that without them.
IDLE_LIMIT = 1.25


def verdicts(results, afcli):
    found = [
        target.verdict(result)
        for target in TARGETS
        for result in results
        if result.case.name == target.case and target.size in (None, result.case.size)
    ]
    found += [memory_verdict(case, results) for case in ("P4", "P5", "P6")]
    found += [transfer_memory_verdict(results), idle_verdict(results), binary_verdict(afcli)]
    return [verdict for verdict in found if verdict]


def binary_verdict(afcli):
    megabytes = afcli.stat().st_size / 1e6
    report = json.loads(subprocess.run([afcli, "--version", "--json"], capture_output=True, check=True).stdout)
    is_inside = any(library["name"] == "libcurl" and library["inside"] for library in report["libraries"])
    limit = BINARY_LIMITS[is_inside]
    return {
        "target": f"P10: the binary {'with' if is_inside else 'without'} libcurl inside ≤ {limit} MB",
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
    """What each further slow transfer takes, from the smallest number of them to the largest."""
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


def idle_verdict(results):
    """What a request costs beside many transfers that hardly move, as a ratio to what it costs alone."""
    costs = [result.median("AFCore", "cpu") for result in results
             if result.case.name == "P8" and result.case.size.endswith("idle")]
    if len(costs) < 2 or None in costs:
        return None
    ratio = costs[-1] / costs[0]
    return {
        "target": f"P8: a request beside idle transfers takes ≤ {IDLE_LIMIT} × its time alone",
        "figure": ratio,
        "reached": ratio <= IDLE_LIMIT,
    }
