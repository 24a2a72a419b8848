"""What the figures ought to be, and whether they are."""

import dataclasses


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
    Target("P1", "wall", "curl", 1.3),
    Target("P2", "wall", "curl", 0.6),
    Target("P4", "cpu", "curl", 1.2),
    Target("P6", "speed", "curl | jq", 5),
    Target("P7", "speed", "C on curl_multi", 0.8, size="1 in flight"),
    Target("P7", "speed", "C on curl_multi", 0.5, size="64 in flight"),
    Target("P7", "speed", "AsyncHTTPClient", 1.5),
]

# Peak memory in MiB, and how much more the largest size may take than the smallest.
MEMORY_LIMIT = 24
MEMORY_GROWTH = 2


def verdicts(results):
    found = [
        target.verdict(result)
        for target in TARGETS
        for result in results
        if result.case.name == target.case and target.size in (None, result.case.size)
    ]
    found += [memory_verdict(case, results) for case in ("P4", "P6")]
    return [verdict for verdict in found if verdict]


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
