#!/usr/bin/env python3
"""Draws the pictures of the readme: Demo/pictures.py AFCLI DEMO-SERVER FOLDER

Runs afcli in a pseudo-terminal against the demo server and renders the screen to SVG.
"""

import fcntl
import os
import pty
import select
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata
from html import escape

PORT = 3000
SECONDS = 20
# A terminal on a dark background: the sixteen colors, the text, the background.
SIXTEEN = ["#1b1f27", "#e06c75", "#8fc379", "#d9b25f", "#6cb0f2", "#c98ae0", "#5cbfc9", "#c8ccd4"]
TEXT, BACKGROUND = "#d4d8e0", "#1b1f27"
CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, MARGIN = 8.4, 19, 14, 16


class Screen:
    """A minimal terminal emulator: colors, line ends, and lines drawn over."""

    def __init__(self):
        self.rows = [[]]
        self.column = 0
        self.style = (None, False)

    def feed(self, text):
        position = 0
        while position < len(text):
            character = text[position]
            position += 1
            if character == "\x1b":
                end = position + 1
                while not text[end].isalpha():
                    end += 1
                self.obey(text[end], text[position + 1 : end])
                position = end + 1
            elif character == "\r":
                self.column = 0
            elif character == "\n":
                self.rows.append([])
            else:
                self.put(character)

    def put(self, character):
        row = self.rows[-1]
        row.extend([(" ", (None, False))] * (self.column - len(row)))
        row[self.column : self.column + 1] = [(character, self.style)]
        self.column += 1

    def obey(self, command, arguments):
        if command == "K":
            del self.rows[-1][self.column :]
        elif command == "m":
            self.style = style_after(self.style, [int(number or 0) for number in arguments.split(";")])
        else:
            raise ValueError(f"afcli sent a sequence that this script does not know: ESC[{arguments}{command}")

    def trimmed(self):
        rows = [list(row) for row in self.rows]
        while rows and not any(character != " " for character, _ in rows[-1]):
            rows.pop()
        return rows


def style_after(style, numbers):
    color, is_bold = style
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            color, is_bold = None, False
        elif number == 1:
            is_bold = True
        elif 30 <= number <= 37:
            color = SIXTEEN[number - 30]
        elif number == 38:
            numbers.pop(0)
            color = indexed(numbers.pop(0))
    return color, is_bold


def indexed(index):
    """One of the 256 colors, as xterm fills them."""
    if index >= 232:
        return "#" + f"{8 + 10 * (index - 232):02x}" * 3
    levels = [0, 95, 135, 175, 215, 255]
    place = index - 16
    return "#" + "".join(f"{levels[part]:02x}" for part in (place // 36, place // 6 % 6, place % 6))


def record(arguments, columns, environment, folder, until=None):
    """What the command draws on a terminal; up to where `until` says of the screen that this is the picture."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(
        arguments, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, cwd=folder, start_new_session=True
    )
    os.close(terminal)
    screen, pending, deadline, picture = Screen(), b"", time.monotonic() + SECONDS, None
    while time.monotonic() < deadline:
        if not select.select([controller], [], [], 0.1)[0]:
            continue
        try:
            pending += os.read(controller, 65536)
        except OSError:
            break
        # A piece may end inside a character or a sequence.
        whole = pending.rfind(b"\x1b") if b"\x1b" in pending[-24:] else len(pending)
        while whole > 0 and whole == len(pending) and pending[whole - 1] >= 0x80:
            try:
                pending.decode()
                break
            except UnicodeDecodeError:
                whole -= 1
        screen.feed(pending[:whole].decode())
        pending = pending[whole:]
        if until and picture is None and until(screen):
            picture = screen.trimmed()
    screen.feed(pending.decode())
    os.close(controller)
    if time.monotonic() >= deadline:
        process.kill()
    status = process.wait()
    if status != 0:
        raise SystemExit(f"pictures: exit status {status} of {shlex.join(arguments)}")
    if until and picture is None:
        raise SystemExit(f"pictures: the moment to be shown never came: {shlex.join(arguments)}")
    return picture or screen.trimmed()


def columns_of(character):
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def words(row):
    """The row's words of one style each: column, columns, text, style.

    Each has a position of its own, so that columns align in any font, and if a viewer ignores textLength or blanks."""
    column, pieces, continues = 0, [], False
    for character, style in row:
        if character.isspace():
            continues = False
        elif continues and pieces[-1][3] == style:
            pieces[-1][1] += columns_of(character)
            pieces[-1][2] += character
        else:
            pieces.append([column, columns_of(character), character, style])
            continues = True
        column += columns_of(character)
    return pieces


def draw(rows, columns, title):
    width = columns * CELL_WIDTH + 2 * MARGIN
    height = len(rows) * CELL_HEIGHT + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        f'font-size="{FONT_SIZE}" fill="{TEXT}">',
    ]
    for number, row in enumerate(rows):
        y = MARGIN + number * CELL_HEIGHT + 14
        for column, length, text, (color, is_bold) in words(row):
            style = (f' fill="{color}"' if color else "") + (' font-weight="bold"' if is_bold else "")
            lines.append(
                f'<text x="{MARGIN + column * CELL_WIDTH:.1f}" y="{y}" textLength="{length * CELL_WIDTH:.1f}" '
                f'lengthAdjust="spacingAndGlyphs"{style}>{escape(text)}</text>'
            )
    return "\n".join(lines + ["</g>", "</svg>", ""])


def main():
    if len(sys.argv) != 4:
        raise SystemExit("usage: Demo/pictures.py AFCLI DEMO-SERVER FOLDER")
    afcli, server, folder = (os.path.realpath(path) for path in sys.argv[1:])
    environment = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": "/nonexistent", "no_proxy": "*"}
    running = subprocess.Popen([server, "--port", str(PORT), "--until-eof"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        if not running.stdout.readline().startswith(b"listening"):
            raise SystemExit(f"pictures: the server did not start on port {PORT}")

        def percent_above_60(screen):
            line = "".join(character for character, _ in screen.rows[-1])
            return " %" in line and "ETA" in line and float(line.split(" %")[0].split()[-1]) > 60

        pictures = [
            ("response", 76, [":3000/get", "q==two words", "page==2"], "A response, formatted and colored", None),
            (
                "waterfall",
                104,
                ["-b", "-L", "--timing", "--retry", "2", "--retry-delay", "0.01", ":3000/redirect-to"]
                + ["url==/flaky?key=a&fails=1"],
                "Where the time went: two attempts with two hops each",
                None,
            ),
            (
                "download",
                86,
                ["-d", "--limit-rate", "40M", ":3000/file?size=160000000"],
                "A download under way",
                percent_above_60,
            ),
        ]
        for name, columns, typed, title, until in pictures:
            screen = Screen()
            screen.style = (None, True)
            screen.feed("$ afcli " + shlex.join(typed))
            with tempfile.TemporaryDirectory() as scratch:
                rows = screen.rows + record([afcli, *typed], columns, environment, scratch, until)
            with open(os.path.join(folder, name + ".svg"), "w") as file:
                file.write(draw(rows, columns, title))
            print(f"{name}.svg")
    finally:
        running.stdin.close()
        running.wait()


if __name__ == "__main__":
    main()
