"""Counting trials, and spreading them over processes."""

import collections
import functools
import json
import multiprocessing
import multiprocessing.connection
import os
import re
import resource
import signal
import sys
import time
import traceback

from command import Lab, trespasses

# What must not happen even once.
BAD = ("LOST", "STUCK", "CRASH", "HANG", "WRONG", "OUTSIDE", "BROKEN")


def words(text):
    """An error text without what differs from trial to trial."""
    text = text.strip()
    text = re.sub(r"/[^ :,“”\"']*/(trial|learn|power|race|attack)-\d+(/here)?", "DIR", text)
    text = re.sub(r"\d{9,}-[0-9a-f]{1,8}-[0-9a-f]+", "RUN", text)
    text = re.sub(r"waystone-[0-9a-z]{8,}", "PRIVATE", text)
    return re.sub(r"\b\d+\b", "#", text)


class Tally:
    """Counts, and examples of what deserves a look."""

    def __init__(self):
        self.counts = collections.Counter()
        self.examples = collections.OrderedDict()

    def add(self, name, count=1):
        self.counts[name] += count

    def example(self, kind, text, limit=5):
        self.examples.setdefault(kind, [])
        if len(self.examples[kind]) < limit:
            self.examples[kind].append(text)
        self.counts["! " + kind] += 1

    def merge(self, other):
        self.counts.update(other.counts)
        for kind, texts in other.examples.items():
            mine = self.examples.setdefault(kind, [])
            mine.extend(texts[: max(0, 5 - len(mine))])

    def bad(self):
        """How often each thing happened that must not happen."""
        return {
            word: sum(n for name, n in self.counts.items() if name.startswith("! " + word))
            for word in BAD
        }

    def show(self, title):
        print("== %s" % title)
        for name in sorted(self.counts):
            if not name.startswith("! "):
                print("  %-58s %7d" % (name, self.counts[name]))
        for kind, texts in self.examples.items():
            print("  ! %s: %d" % (kind, self.counts["! " + kind]))
            for text in texts:
                print("      %s" % text.replace("\n", " | ")[:420])
        sys.stdout.flush()


def guarded(function, item):
    """One trial, after which nothing outside of its folder may be changed or read."""
    try:
        tally, record = function(item)
    except Exception:
        tally, record = Tally(), None
        tally.example(
            "BROKEN: the trial itself failed", "%r: %s" % (item, traceback.format_exc()[-900:])
        )
    label = next(iter(record.values())) if isinstance(record, dict) else repr(item)
    for text in trespasses():
        tally.example("OUTSIDE: " + words(text)[:100], str(label)[:200])
    return tally, record


# No trial may hold up the others; it is several commands long.
MOST_SECONDS = 400


class Worker:
    """A process that makes one trial after the other, as it is told."""

    def __init__(self, work):
        context = multiprocessing.get_context("fork")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=self.serve, args=(work, other), daemon=True)
        self.process.start()
        other.close()
        self.item = None

    def serve(self, work, pipe):
        # The parent ends it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        self.pipe.close()
        while True:
            pipe.send(work(pipe.recv()))

    def take(self, item):
        self.item, self.since = item, time.monotonic()
        self.pipe.send(item)

    def end(self):
        self.process.kill()
        self.process.join()
        self.pipe.close()


def results(work, items):
    """The result of each trial; one whose process died or never ended is a finding by itself."""
    waiting = list(reversed(items))
    workers = []
    try:
        while waiting or any(w.item is not None for w in workers):
            while len(workers) < Lab.jobs:
                workers.append(Worker(work))
            for worker in workers:
                if worker.item is None and waiting:
                    worker.take(waiting.pop())
            multiprocessing.connection.wait([w.pipe for w in workers if w.item is not None], 5)
            for worker in list(workers):
                result = answer(worker)
                if result is None:
                    continue
                yield result
                if worker.item is not None:
                    workers.remove(worker)
                    worker.end()
    finally:
        for worker in workers:
            worker.end()


def answer(worker):
    """What a worker found, or that it failed, or None where it is still at it."""
    if worker.item is None:
        return None
    if worker.pipe.poll():
        try:
            found = worker.pipe.recv()
            worker.item = None
            return found
        except EOFError:
            reason = "the trial's process ended by itself"
    elif time.monotonic() - worker.since > MOST_SECONDS:
        reason = "the trial never ended"
    else:
        return None
    tally = Tally()
    tally.example("BROKEN: " + reason, repr(worker.item)[:300])
    return tally, None


def spread(function, items, title):
    """Runs a function on items in several processes, and merges their tallies."""
    tally = Tally()
    work = functools.partial(guarded, function)
    with open(os.path.join(Lab.work, "log-%s.jsonl" % title), "a") as log:
        try:
            for part, record in results(work, items):
                tally.merge(part)
                if record:
                    for each in record if isinstance(record, list) else [record]:
                        log.write(json.dumps(each) + "\n")
                    log.flush()
        except KeyboardInterrupt:
            # What is known until then is shown all the same.
            tally.example("BROKEN: the test was interrupted", title)
    return tally


def cpu_seconds():
    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def signal_name(status):
    try:
        return signal.Signals(-status).name
    except ValueError:
        return "signal %d" % -status
