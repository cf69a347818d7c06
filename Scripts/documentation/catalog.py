"""Joins the catalogs of articles, with a page for each finding, into the one that the site is made of."""

import glob
import os
import re
import shutil

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FINDINGS = "Sources/Waystone/Waystone.docc/Findings.md"


def articles():
    """The paths of all articles, from the package's folder."""
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(f"{ROOT}/Sources/*/*.docc/*.md"))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def finding_pages():
    """The parts of the article on findings, which is made of the catalogue: (group, code, title, text)."""
    group = ""
    pages = []
    for part in re.split(r"^(?=###? )", read(FINDINGS), flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        if heading.startswith("## "):
            group = heading[3:]
            continue
        code = heading[4:].strip()
        match = re.match(r"\*\*(.+?)\*\* ?(.*)", text.strip(), flags=re.DOTALL)
        if match is None:
            raise ValueError(f"{FINDINGS}: {code} has no sentence in bold")
        pages.append((group, code, match.group(1), match.group(2)))
    return pages


def page(group, code, summary, text):
    """The page of a finding: its meaning, an example, and the fix."""
    pieces = re.split(r"^(```\n.*?^```\n)", text.strip() + "\n", flags=re.MULTILINE | re.DOTALL)
    if len(pieces) == 3:
        meaning, example, fix = pieces
    else:
        meaning, _, fix = pieces[0].rpartition("\n\n")
        example = ""
    parts = [f"# {code}", summary, "## Meaning", meaning.strip()]
    if example:
        parts += ["## Example", example.strip()]
    parts += ["## What to do", fix.strip(),
              f"A finding of the group *{group}*. `waystone rules {code}` prints the same; <doc:Findings> has all."]
    return "\n\n".join(parts) + "\n"


def index(pages):
    """The list of all findings, by groups."""
    head = read(FINDINGS).split("\n## ")[0].strip()
    lines = [head, "", "## Topics", ""]
    for group in dict.fromkeys(group for group, *_ in pages):
        lines += [f"### {group}", ""]
        lines += [f"- <doc:{code}>" for of, code, *_ in pages if of == group] + [""]
    return "\n".join(lines)


def linked(text, codes):
    """A text with codes of findings as links and options as code, but in code, in headings and in links."""
    kept = re.compile(r"(^```.*?^```$|^#.*?$|`(?:(?!\n\n)[^`])*`|\[[^\]]*\]\([^)]*\)|<[^>\n]*>)",
                      flags=re.MULTILINE | re.DOTALL)
    pieces = kept.split(text)
    for place in range(0, len(pieces), 2):
        # What is typed as it is shown: DocC would make its quotation marks and dashes those of a text.
        pieces[place] = re.sub(r"(?<!\w)(--[a-z][a-z-]*|\w+=\"[^\"\n]*\")", r"`\1`", pieces[place])
        pieces[place] = re.sub(r"\bWS\d{3}\b",
                               lambda match: f"<doc:{match[0]}>" if match[0] in codes else match[0], pieces[place])
    return "".join(pieces)


def write(folder):
    """Writes the catalog into a folder, which is made. Returns how many articles and findings it has."""
    os.makedirs(folder)
    pages = finding_pages()
    codes = {code for _, code, *_ in pages}
    texts = {}
    for path in articles():
        name = os.path.basename(path)
        if name in texts:
            raise ValueError(f"two articles have the name {name}")
        texts[name] = index(pages) if path == FINDINGS else read(path)
    texts.update({f"{entry[1]}.md": page(*entry) for entry in pages})
    for name, text in texts.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            # DocC knows images by their names; other readers of an article, by their paths.
            file.write(linked(text.replace("](Resources/", "]("), codes))
    for image in glob.glob(f"{ROOT}/Sources/*/*.docc/Resources/*.png"):
        shutil.copy(image, folder)
    # DocC's pages ask for it, and complain where it is missing.
    with open(f"{folder}/theme-settings.json", "w", encoding="utf-8") as file:
        file.write("{}\n")
    return len(texts) - len(pages), len(pages)
