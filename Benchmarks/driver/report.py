"""Prints the results as a table and writes them as JSON."""

import json
import os
import platform
import subprocess

HEADINGS = ("", "work", "program", "wall ms", "cpu ms", "MiB", "speed", "ours/wall", "ours/cpu", "cpu µs", "allocations")


def show(results, verdicts):
    table = [HEADINGS]
    for result in results:
        table += [row(result, program.name) for program in result.case.programs]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADINGS))]
    for line in table:
        cells = [cell.ljust(width) if column < 3 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
    print("\nours/wall, ours/cpu: what ours (the first program) took, divided by what this one took.")
    print("cpu µs, allocations: for each request; allocations without those of libcurl and its libraries, + those.")
    for result in results:
        for program, reason in result.failures.items():
            print(f"failed: {result.case.name} {result.case.size} {program}: {reason[:500]}")
    for verdict in verdicts:
        mark = "reached" if verdict["reached"] else "MISSED "
        print(f"{mark}  {verdict['target']}: {verdict['figure']:.2f}")


def row(result, program):
    case = result.case
    start = (case.name, case.size, program)
    wall = result.median(program, "wall")
    if wall is None:
        return (*start, "failed", *[""] * 7)
    is_ours = program == case.programs[0].name
    ratios = ["" if is_ours or ratio is None else f"{ratio:.2f}"
              for ratio in (result.ratio(program, "wall"), result.ratio(program, "cpu"))]
    each = f"{result.median(program, 'cpu') / case.amount * 1e6:.1f}" if case.unit == "requests/s" else ""
    allocations = result.allocations.get(program)
    return (*start, f"{wall * 1000:.1f}", f"{result.median(program, 'cpu') * 1000:.1f}",
            f"{result.median(program, 'rss') / 1024:.1f}", f"{case.amount / wall:.0f} {case.unit}", *ratios, each,
            f"{allocations[0] - allocations[1]:.1f} + {allocations[1]:.1f}" if allocations else "")


def write(path, results, verdicts):
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "machine": {"processors": os.cpu_count(), "system": platform.platform()},
        "versions": {name: version(name) for name in ("curl", "jq", "wget", "swift")},
        "results": [description(result, program.name) for result in results for program in result.case.programs],
        "targets": verdicts,
    }
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    print(f"\nwritten: {path}")


def description(result, program):
    case = result.case
    return {
        "case": case.name,
        "size": case.size,
        "program": program,
        "failure": result.failures.get(program),
        "samples": [vars(sample) for sample in result.samples.get(program, [])],
        "median": {quantity: result.median(program, quantity) for quantity in ("wall", "cpu", "rss")},
        "allocations": result.allocations.get(program),
        "oursToThis": {quantity: result.ratio(program, quantity) for quantity in ("wall", "cpu", "rss")},
    }


def version(program):
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return (done.stdout or done.stderr).splitlines()[0]
