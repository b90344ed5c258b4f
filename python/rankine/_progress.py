"""Runs the program as a process, passes its log on, and shows its progress line as a tqdm bar."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

# The control sequence with which the program replaces its progress line on a terminal.
_CLEAR = "\r\033[K"


def run(command: Sequence[str], text: str, quiet: bool) -> tuple[int, str, str]:
    """Returns exit code, standard output and standard error of a command with `text` as input."""
    visible = not quiet and ("ipykernel" in sys.modules or sys.stderr.isatty())
    bar = _bar() if visible else None
    log, theirs = os.openpty() if visible else os.pipe()
    with tempfile.TemporaryFile() as out:
        # In its own session the process receives Ctrl-C once, from here, also in a notebook.
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=out, stderr=theirs, start_new_session=True
        )
        os.close(theirs)
        try:
            _write(process.stdin, text.encode())
            message = _show(log, bar, quiet)
            process.wait()
        except KeyboardInterrupt:  # the program saves its state
            process.send_signal(signal.SIGINT)
            _show(log, bar, quiet)
            process.wait()
            raise
        finally:
            process.kill()  # after a second Ctrl-C
            os.close(log)
            if bar is not None:
                bar.close()
        out.seek(0)
        return process.returncode, out.read().decode(), message


def _write(pipe: Any, text: str) -> None:
    try:
        with pipe:
            pipe.write(text)
    except BrokenPipeError:  # the program has ended and written why
        pass


def _bar() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(bar_format="{desc} {bar} {percentage:.0f} %", total=1.0, leave=False)


def _show(log: int, bar: Any, quiet: bool) -> str:
    """Passes what the program writes on, to the bar and, line by line, above it. Returns it without
    colours."""
    data, all_ = b"", []
    while chunk := _read(log):
        *lines, data = (data + chunk).split(b"\n")
        texts = [_after_clear(line) for line in lines]
        all_ += texts
        if bar is None and not quiet:
            sys.stderr.write(chunk.decode(errors="replace"))
            sys.stderr.flush()
        if bar is None:
            continue
        for text in texts:
            bar.write(text, file=sys.stderr)
        found = _progress(_after_clear(data))
        if found:
            bar.set_description_str(found[0], refresh=False)
            bar.n = found[1]
            bar.refresh()
    return re.sub(r"\033\[\d*m", "", "\n".join(all_))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # on Linux: the other end is closed
        return b""


def _after_clear(line: bytes) -> str:
    return line.decode(errors="replace").rpartition(_CLEAR)[2].rstrip("\r")


def _progress(line: str) -> tuple[str, float] | None:
    """Returns the text of a progress line and the completed fraction of its stage."""
    _, dots, times = line.partition(" ...")
    if not dots:
        return None
    spent, _, left = times.rpartition(", ")
    both = _seconds(spent), _seconds(left)
    return line.strip(), both[0] / sum(both) if all(both) else 0.0


def _seconds(text: str) -> int:
    units = {"h": 3600, "min": 60, "s": 1}
    return sum(int(n) * units[unit] for n, unit in re.findall(r"(\d+) (h|min|s)\b", text))
