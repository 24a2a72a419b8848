"""RESULTS.md."""

import datetime
import platform
import statistics

from clients import Afcli
from peers import PEERS
from trials import FAULTS, IDENTICAL, KILLED, WRONG

INTRODUCTION = """\
# Uploads that resume

Written by `make uploads`; do not edit. Every client uploads a file to real servers on loopback, through a proxy that
kills the client at a byte of the body, and breaks connections and responses on purpose. One judge decides by the exit
status and the server's file: **identical bytes, or a failure with a message; never status 0 and other bytes.** After
the broken run, everything is right again, and the next run must upload the file. After a kill, one that fails with a
message is repeated once, as tuspyserver may wait for its own lock and respond with 503. afcli runs as
`afcli put URL @f --resume`, with the protocol's option; tuspy with a URL storage and chunks of 1 MiB; awscli as
`aws s3 cp`, which does not resume. "reference" is a client of the draft in 150 lines of Python, which shows what the
peer allows.
"""


def lines(torture, seconds):
    yield INTRODUCTION
    yield "| | |\n|---|---|"
    now = datetime.datetime.now(datetime.timezone.utc)
    yield f"| run | {now:%Y-%m-%d %H:%M} UTC, {seconds:.0f} s, seed {torture.options.seed} |"
    yield f"| system | {platform.system()} {platform.release()} {platform.machine()} |"
    for name in (*[client.name for client in torture.clients], *PEERS):
        if name in torture.versions:
            yield f"| {name} | {torture.versions[name]} |"
    yield f"| judge | {torture.judge} |\n"
    for reason in torture.unavailable:
        yield f"Not asked: {reason}\n"
    yield from summary(torture)
    yield from kill_table(torture)
    yield from large_table(torture)
    for protocol, title in (("draft", "The IETF draft"), ("tus", "tus"), ("s3", "S3 multipart")):
        yield from case_table(torture, protocol, title)
    yield from fault_list(torture)


def summary(torture):
    """Per client."""
    yield "| client | kills | broken responses, files and servers | status 0 and other bytes | other faults |"
    yield "|---|---|---|---|---|"
    for client in torture.clients:
        own = [record for record in torture.records if record.client == client.name]
        cases = [record for record in own if record.case != "SIGKILL"]
        wrong = sum(WRONG in record.verdicts for record in own)
        others = sum(bool(record.fault) for record in own) - wrong
        yield f"| {client.name} | {killed(own)} | {len(cases)} | {bold(wrong)} | {bold(others)} |"
    yield ""


def bold(number):
    return f"**{number}**" if number else "0"


def killed(records):
    return sum(record.verdicts.count(KILLED) for record in records if record.case == "SIGKILL")


def kill_table(torture):
    yield "## SIGKILL, then the same command again\n"
    yield ("One or two kills for each upload, at random bytes of the bodies or when a response arrives. \"Sent\" counts"
           " the bytes of all bodies, as a multiple of the file; 2.00 is what a client that starts again needs after a"
           " kill at the end. \"Left behind\" are unfinished uploads that the server still keeps, if it tells.\n")
    yield "| client | server | kills | uploads | identical | sent: median | maximum | left behind |"
    yield "|---|---|---|---|---|---|---|---|"
    for client, peer in pairs(torture):
        own = [r for r in torture.records if (r.client, r.peer, r.case) == (client, peer, "SIGKILL")]
        sent = [record.sent for record in own]
        identical = sum(record.verdicts[-1] == IDENTICAL for record in own)
        yield (f"| {client} | {peer} | {killed(own)} | {len(own)} | {identical} | {statistics.median(sent):.2f} |"
               f" {max(sent):.2f} | {sum(record.left_behind for record in own)} |")
    yield ""


def pairs(torture):
    return list(dict.fromkeys((record.client, record.peer) for record in torture.records))


def large_table(torture):
    if not torture.larges:
        return
    yield "## A large file, with ten kills\n"
    yield "| client | server | size | kills | result | sent | peak memory | processor |"
    yield "|---|---|---|---|---|---|---|---|"
    for record, outcomes in torture.larges:
        peak = max(outcome.peak for outcome in outcomes) / 1024
        processor = sum(outcome.processor for outcome in outcomes)
        yield (f"| {record.client} | {record.peer} | {record.case} | {record.note} | {record.verdicts[-1]} |"
               f" {record.sent:.4f} | {peak:.1f} MiB | {processor:.1f} s |")
    yield ""


def case_table(torture, protocol, title):
    own = [record for record in torture.records if PEERS[record.peer].protocol == protocol and record.case != "SIGKILL"]
    if not own:
        return
    columns = list(dict.fromkeys((record.client, record.peer) for record in own))
    cells = {(record.case, record.client, record.peer): cell(record) for record in own}
    yield f"## {title}\n"
    yield ("The results of the broken run, and of the next one if that failed. \"gives up\": the fault is one to cope"
           " with. \"is stuck\": the next run fails, too. HUNG: no end within a minute. \"not"
           " reached\": the client did not send the request that the case breaks. A number is what was sent in all"
           " runs, as a multiple of the file.\n")
    yield f"| | {' | '.join(f'{client}, {peer}' for client, peer in columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for case in dict.fromkeys(record.case for record in own):
        yield f"| {case} | {' | '.join(cells.get((case, *column), '–') for column in columns)} |"
    yield ""


def cell(record):
    verdicts = [verdict for verdict in record.verdicts if verdict != KILLED]
    text = ", then ".join(f"**{verdict}**" if verdict in FAULTS else verdict for verdict in verdicts)
    if not record.was_reached:
        text += " (not reached)"
    if record.expected:
        text += f" ({record.expected})"
    return f"{text} {record.sent:.1f}"


def fault_list(torture):
    """What afcli did wrong, with what it said."""
    own = [record for record in torture.records if record.client == Afcli.name and record.fault]
    yield f"## Faults of afcli: {len(own)}\n"
    for record in own:
        said = "; ".join(message.replace("\n", " ") for message in record.messages)
        yield f"- {record.peer}, {record.case}: {record.fault} ({', '.join(record.verdicts)}). {said}"
    yield ""
