"""What follows a fault: resuming or beginning anew without faults, and looking at what is there then."""

import collections
import os

from command import run
from content import content, listing
from scenario import digest_by_command, normal
from tally import words


def go_on(scenario, folder, tally, label):
    """Resumes, or begins anew where nothing is to be resumed, until the result is there.

    Returns how that went, or what was lost.
    """
    state = scenario.state(folder)
    if scenario.verb in ("rollback", "lock"):
        if state == "after":
            got = run(*scenario.arguments(folder))
            return (
                "went on"
                if scenario.state(folder) == "after"
                else "LOST: again makes %s" % scenario.state(folder)
            )
        got = run(*scenario.arguments(folder))
        if got.status == 0 and scenario.state(folder) == "after":
            return "went on"
        return "STUCK: again is %s: %s; state %s" % (
            got.status,
            words(got.errors),
            scenario.state(folder),
        )
    got = run(*scenario.resume_arguments(folder))
    now = scenario.state(folder)
    if got.status == 0 and now == "after":
        return "went on"
    if now.startswith("LOST"):
        return "%s, after resume (%s: %s)" % (now, got.status, words(got.errors))
    if got.status == 0:
        got = run(*scenario.again(folder))
        now = scenario.state(folder)
        if got.status == 0 and now == "after":
            return "began anew"
        return "STUCK: nothing to resume, and again is %s: %s; state %s" % (
            got.status,
            words(got.errors),
            now,
        )
    refusal = "%s %s" % (got.status, words(got.errors))
    if got.status == 66 and scenario.mode == "output" and now == "before":
        # Neither an output nor a run: nothing was begun.
        got = run(*scenario.again(folder))
        now = scenario.state(folder)
        if got.status == 0 and now == "after":
            return "began anew"
        return "STUCK: no run, and again is %s: %s; state %s" % (got.status, words(got.errors), now)
    more = (
        scenario.finish_arguments(folder, "--restart")
        if scenario.verb == "finish"
        else scenario.migrate_arguments(folder, "--restart")
    )
    got = run(*more)
    now = scenario.state(folder)
    if got.status == 0 and now == "after":
        tally.example("resume refused, --restart helped: " + refusal[:150], label)
        return "refused to resume; --restart made it"
    return "STUCK: resume is %s; --restart is %s: %s; state %s" % (
        refusal,
        got.status,
        words(got.errors),
        now,
    )


def examine(scenario, folder, tally, label, is_sampled):
    """What the folder holds once a run went on to its end."""
    if (
        is_sampled
        and scenario.digest
        and digest_by_command(scenario.destination(folder)) != scenario.digest
    ):
        tally.example("LOST: waystone digest differs", label)
    names = normal(listing(folder))
    if names != scenario.files:
        extra = sorted(
            (collections.Counter(names) - collections.Counter(scenario.files)).elements()
        )
        missing = sorted(
            (collections.Counter(scenario.files) - collections.Counter(names)).elements()
        )
        tally.example(
            "left over at the end: %s%s"
            % (", ".join(extra), "; not there: " + ", ".join(missing) if missing else ""),
            label,
            3,
        )
    if scenario.mode == "place" and scenario.verb in ("migrate", "resume", "restart"):
        backups = os.path.join(scenario.source(folder) + ".waystone", "backup")
        kept = [
            n
            for n in (os.listdir(backups) if os.path.isdir(backups) else [])
            if n.endswith("-S.sqlite")
        ]
        # The external files stay where they are, for original and result alike.
        if not kept:
            tally.example("LOST: no backup", label)
        elif is_sampled:
            got = run("rollback", scenario.source(folder))
            if got.status != 0 or content(scenario.source(folder)) != scenario.original:
                tally.example(
                    "LOST: rollback afterwards is %s: %s" % (got.status, words(got.errors)), label
                )


def leftovers_of_failure(scenario, folder):
    """Where a run failed and says there is nothing to resume, the folder should be as it was."""
    names = normal(listing(folder))
    return [n for n in names if "hop-" in n or "waystone-" in n or n.endswith(".partial")]
