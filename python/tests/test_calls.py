"""How calls behave among other threads, under Ctrl-C and after a fork."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import rankine


@pytest.fixture(autouse=True)
def interrupts():
    """Ctrl-C as in a terminal, also where a shell started the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def large(n=200_000, threads=1):
    rng = np.random.default_rng(2)
    return rankine.FMM(rng.random((n, 3)), tolerance=1e-9, threads=threads), rng.random(n)


def test_other_threads_run_during_a_call():
    fmm, charges = large()
    work = threading.Thread(target=fmm, args=(charges,))
    begin = time.perf_counter()
    work.start()
    steps = 0
    while work.is_alive():
        steps += 1
        time.sleep(1e-3)
    seconds = time.perf_counter() - begin
    # With the lock held, the loop would not come to its second step before the call returns.
    assert steps > 5, f"{steps} steps in {seconds:.2f} s"


def test_threads_take_turns_on_one_object():
    rng = np.random.default_rng(3)
    fmm = rankine.FMM(rng.random((5000, 3)))
    charges = rng.random((4, 5000))
    found = [None] * 4

    def work(k):
        found[k] = fmm(charges[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(np.array_equal(found[k], fmm(charges[k])) for k in range(4))


def test_interrupt_ends_a_call_and_leaves_the_object_whole():
    fmm, charges = large()
    whole = fmm(charges)
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            fmm(charges)
    assert np.array_equal(fmm(charges), whole)


def test_handler_that_returns_also_ends_the_call():
    fmm, charges = large()
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                fmm(charges)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [1]


def test_calls_after_a_fork():
    fmm, charges = large(20000, threads=2)
    parent = fmm(charges)
    with pytest.warns(DeprecationWarning) if os.sys.version_info >= (3, 12) else _nothing():
        child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(fmm(charges), parent) else 1)
    deadline = time.monotonic() + 60
    while (done := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.01)
    if done == (0, 0):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert done != (0, 0), "the child hangs"
    assert os.waitstatus_to_exitcode(done[1]) == 0


def _nothing():
    import contextlib

    return contextlib.nullcontext()
