#!/usr/bin/env python3
"""Changes the program in small ways, and looks which of the changes its tests notice.

Conditions are turned round, constants changed and statements dropped, in the parts that decide what
becomes of data. All mutants are compiled into one build, in which the environment variable
WAYSTONE_MUTANT turns one of them on; so each costs a run of tests and no build of its own.

  mutants.py FOLDER [--count N] [--seed S] [--only PART]

FOLDER is a clone of the repository that is changed and built; it is not to be the one you work in.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

# What is changed, the tests that are likely to notice, and all tests of its target.
NEAR = "(StoreVerificationTests|StoreMigrationTests.*(Compil|Mapped|Hop|Link|Expression|Schema|Table))"
PARTS = {
    "Inference": ("MigrationPlanning", ["MigrationPlanningTests"]),
    "Composition": ("MigrationPlanning", ["MigrationPlanningTests"]),
    "Resolution": ("MigrationPlanning", ["MigrationPlanningTests", NEAR]),
    "Account": ("MigrationPlanning", ["(Account|Certif|Sabotage|RandomHop|RandomMigration)"]),
    "Compilation": ("StoreMigration", [NEAR, "StoreMigrationTests"]),
    "Verification": ("StoreVerification", [NEAR, "StoreMigrationTests"]),
}

SWITCH = """import Glibc

/// Which of the changes to the program is on.
enum Mutant {{
  static let active = getenv("WAYSTONE_MUTANT").flatMap {{ Int(String(cString: $0)) }} ?? 0

  static func flip(_ number: Int, _ condition: Bool) -> Bool {{
    active == number ? !condition : condition
  }}

  static func other<Number: BinaryInteger>(_ number: Int, _ value: Number) -> Number {{
    active == number ? value + 1 : value
  }}
}}
"""

# A condition that binds nothing and has no comma outside of parentheses.
PLAIN = re.compile(r"^[^,{}]*(\([^{}]*\)[^,{}]*)*$")


def is_plain(text):
    if re.search(r"\b(let|var|case|try|await|is)\b|#|\$|\"", text):
        return False
    depth = 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if depth < 0 or (sign == "," and depth == 0) or sign in "{}":
            return False
    return depth == 0


def mutations(line, number):
    """The ways in which a line can be changed: a kind and the new line."""
    bare = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    if bare.startswith(("//", "import", "case ", "@", "func ", "static let", "#")):
        return
    match = re.match(r"^((?:\} else )?(?:if|guard) )(.+?)( else \{.*| \{.*| else)$", bare)
    if match and is_plain(match[2]):
        yield "condition", f"{indent}{match[1]}Mutant.flip({number}, {match[2]}){match[3]}"
        return
    match = re.match(r"^return (.*(?:&&|\|\||==|!=|<|>|contains|allSatisfy).*)$", bare)
    if match and is_plain(match[1]) and ("==" in bare or "!=" in bare or "&&" in bare):
        yield "condition", f"{indent}return Mutant.flip({number}, {match[1]})"
        return
    for match in re.finditer(r"\b(true|false)\b", bare):
        if '"' in bare or "func" in bare or "let " in bare or "var " in bare:
            break
        changed = bare[: match.start()] + f"Mutant.flip({number}, {match[1]})" + bare[match.end():]
        yield "constant", indent + changed
        return
    match = re.search(r"(?<![\w.\"\[\\$])(\d+)(?![\w.\"\]])", bare)
    if match and '"' not in bare and "var " not in bare and "..." not in bare and "func" not in bare:
        changed = bare[: match.start()] + f"Mutant.other({number}, {match[1]})" + bare[match.end():]
        yield "constant", indent + changed
        return
    is_statement = re.match(r"^(try )?[\w.?!\[\]]+(\.\w+)?(\(.*\)| [-+]?= .+)$", bare)
    if is_statement and bare.count("(") == bare.count(")") and not re.match(
        r"^(return|let|var|self\.|guard|if|for|while|throw|super|private|init|precondition)", bare
    ) and not bare.endswith(("{", ",", "(")) and re.search(r"(append|insert|merge|remove|fail|formUnion|\+=|-=|compare\w*|check\w*|complete\w*|require)", bare):
        yield "statement", f"{indent}if Mutant.active != {number} {{ {bare} }}"


def candidates(root):
    found = []
    for part, (target, _) in PARTS.items():
        folder = root / "Sources" / target / part
        if not folder.is_dir():
            folder = folder.parent
        for path in sorted(folder.rglob("*.swift")):
            lines = path.read_text().splitlines()
            for index, line in enumerate(lines):
                before = lines[index - 1].rstrip() if index else ""
                # A part of a longer expression is no statement.
                if before.endswith((",", "(", "=", "[", "return", "+", "&&", "||", "?", ":")) and not before.strip().startswith("case"):
                    continue
                after = lines[index + 1].strip() if index + 1 < len(lines) else ""
                if after.startswith((".", "&&", "||", "?", "+", ":", "==")):
                    continue
                for kind, _ in mutations(line, 0):
                    found.append((part, kind, path, index))
    return found


def choose(found, count, seed):
    """An equal share of each part and kind, as far as there are that many."""
    numbers = random.Random(seed)
    groups = {}
    for entry in found:
        groups.setdefault((entry[0], entry[1]), []).append(entry)
    for group in groups.values():
        numbers.shuffle(group)
    chosen = []
    while len(chosen) < count and any(groups.values()):
        for key in sorted(groups):
            if groups[key] and len(chosen) < count:
                chosen.append(groups[key].pop())
    return chosen


def apply(root, chosen):
    """Writes all mutants; the text of each, by number."""
    texts = {}
    for number, (part, kind, path, index) in sorted(chosen.items()):
        lines = path.read_text().splitlines(keepends=True)
        line = lines[index].rstrip("\n")
        changed = next(new for _, new in mutations(line, number))
        lines[index] = changed + "\n"
        path.write_text("".join(lines))
        texts[number] = (part, kind, str(path.relative_to(root)), index + 1, line.strip())
    return texts


def build(root):
    """The numbers of mutants that do not compile; fails where something else does not."""
    run = subprocess.run(
        ["swift", "build", "--build-tests"], cwd=root, capture_output=True, text=True
    )
    if run.returncode == 0:
        return set()
    wrong = set()
    for path, line in re.findall(r"(/[^\s:]+\.swift):(\d+):\d+: error", run.stdout + run.stderr):
        lines = Path(path).read_text().splitlines()
        for text in lines[max(0, int(line) - 2): int(line) + 1]:
            wrong |= {int(n) for n in re.findall(r"Mutant\.\w+(?:\(| != )(\d+)", text)}
    if not wrong:
        sys.exit("the build fails:\n" + (run.stdout + run.stderr)[-3000:])
    return wrong


def tests(root, number, pattern, limit):
    environment = dict(os.environ, WAYSTONE_MUTANT=str(number))
    command = ["swift", "test", "--skip-build", "--filter", pattern]
    began = time.time()
    try:
        run = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=limit,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return "no end", time.time() - began
    if run.returncode == 0:
        return None, time.time() - began
    names = re.findall(r"✘ Test (.+?) (?:failed|recorded)", run.stdout + run.stderr)
    return (names[0] if names else "crash"), time.time() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one part: " + ", ".join(PARTS))
    parser.add_argument("--limit", type=int, default=1200, help="seconds for one run of tests")
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args()
    root = arguments.folder.resolve()
    if subprocess.run(["git", "diff", "--quiet"], cwd=root).returncode != 0:
        sys.exit(f"{root} has changes of its own.")

    found = [one for one in candidates(root) if arguments.only in (None, one[0])]
    spare = choose(found, arguments.count * 3, arguments.seed)
    chosen = {number + 1: one for number, one in enumerate(spare[: arguments.count])}
    spare = spare[arguments.count:]
    print(f"{len(found)} places, {len(chosen)} mutants", flush=True)
    for target in {PARTS[part][0] for part, *_ in found}:
        (root / "Sources" / target / "Mutant.swift").write_text(SWITCH.replace("{{", "{").replace("}}", "}"))
    while True:
        texts = apply(root, chosen)
        wrong = build(root)
        if not wrong:
            break
        subprocess.run(["git", "checkout", "-q", "--", "Sources"], cwd=root, check=True)
        for number in sorted(wrong & set(chosen)):
            part = chosen[number][0]
            other = next((one for one in spare if one[0] == part), None)
            if other:
                spare.remove(other)
                chosen[number] = other
            else:
                del chosen[number]
        print(f"{len(wrong)} do not compile; others are taken", flush=True)

    results = []
    for number in sorted(texts):
        part, kind, path, line, text = texts[number]
        killer, seconds = None, 0
        for pattern in PARTS[part][1]:
            killer, more = tests(root, number, pattern, arguments.limit)
            seconds += more
            if killer:
                break
        results.append(
            {"number": number, "part": part, "kind": kind, "path": path, "line": line,
             "text": text, "killer": killer, "seconds": round(seconds)}
        )
        print(f"{number:3} {kind:9} {path}:{line}  {text}\n      "
              + (f"dies: {killer}" if killer else "LIVES") + f"  ({seconds:.0f} s)", flush=True)
        if arguments.report:
            arguments.report.write_text(json.dumps(results, indent=1))
    subprocess.run(["git", "checkout", "-q", "--", "Sources"], cwd=root, check=True)
    dead = sum(1 for one in results if one["killer"])
    print(f"{dead} of {len(results)} die")


if __name__ == "__main__":
    main()
