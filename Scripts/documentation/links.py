"""Follows the links of the site, and of the pages that lie in the repository."""

import glob
import html
import json
import os
import re
import subprocess
import urllib.parse

import catalog

ROOT = catalog.ROOT


def in_site(site):
    """The links of the site's pages that lead nowhere, each as a sentence."""
    return in_archive(site) + in_plain(f"{site}/plain")


def in_archive(site):
    """Those of DocC's pages, to pages, to parts of pages and to images."""
    folder = f"{site}/data"
    pages = {}
    for path in glob.glob(f"{folder}/documentation/**/*.json", recursive=True):
        with open(path, encoding="utf-8") as file:
            page = json.load(file)
        pages["/" + os.path.relpath(path, folder)[:-len(".json")].lower()] = (page, anchors(page))
    mistakes = []
    for name, (page, _) in pages.items():
        for reference in page["references"].values():
            if reference["type"] == "image":
                for variant in reference["variants"]:
                    if not os.path.exists(f"{site}{variant['url']}"):
                        mistakes.append(f"{name}: no image {variant['url']}")
            url = reference.get("url", "")
            if not url.startswith("/"):
                continue
            path, _, anchor = url.partition("#")
            if path.lower() not in pages:
                mistakes.append(f"{name}: no page {url}")
            elif anchor and urllib.parse.unquote(anchor) not in pages[path.lower()][1]:
                mistakes.append(f"{name}: no part {url}")
    return mistakes


def anchors(content):
    """The anchors in a page of DocC's."""
    if isinstance(content, dict):
        own = {content["anchor"]} if isinstance(content.get("anchor"), str) else set()
        return own.union(*(anchors(part) for key, part in content.items() if key != "references"))
    if isinstance(content, list):
        return set().union(*(anchors(part) for part in content))
    return set()


def in_plain(folder):
    """Those of the plain pages."""
    texts = {}
    for path in glob.glob(f"{folder}/**/*.html", recursive=True):
        with open(path, encoding="utf-8") as file:
            texts[path] = file.read()
    ids = {path: set(map(html.unescape, re.findall(r' id="([^"]*)"', text))) for path, text in texts.items()}
    mistakes = []
    for path, text in texts.items():
        for target in map(html.unescape, re.findall(r' (?:href|src)="([^"]*)"', text)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            found = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(file))) if file \
                else path
            if not os.path.exists(found):
                mistakes.append(f"{os.path.relpath(path, folder)}: no file {target}")
            elif anchor and urllib.parse.unquote(anchor) not in ids.get(found, ()):
                mistakes.append(f"{os.path.relpath(path, folder)}: no part {target}")
    return mistakes


def slug(heading):
    """The anchor that GitHub gives to a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def without_code(text):
    """A text without its blocks and spans of code."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`(?:(?!\n\n)[^`])*`", "", text)


def in_repository():
    """The links of the repository's pages to files, to parts of pages, and to findings."""
    paths = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.split("\n")[:-1]
    slugs = {}
    for path in paths:
        text = re.sub(r"^```.*?^```$", "", catalog.read(path), flags=re.MULTILINE | re.DOTALL)
        slugs[path] = {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)}
    codes = {code for _, code, *_ in catalog.finding_pages()}
    names = {os.path.basename(path)[:-len(".md")] for path in catalog.articles()} | codes
    landing = catalog.read("Sources/Waystone/Waystone.docc/Waystone.md")
    mistakes = [f"Waystone.md: the landing page does not list {name}"
                for name in sorted(names - codes - {"Waystone", "WaystoneCommand", "CoreData"})
                if f"<doc:{name}>" not in landing]
    for path in paths:
        text = catalog.read(path)
        for code in sorted(set(re.findall(r"\bWS\d{3}\b", text)) - codes):
            mistakes.append(f"{path}: no finding {code}")
        for name in re.findall(r"<doc:([\w-]+)>", without_code(text)):
            if name not in names:
                mistakes.append(f"{path}: no article {name}")
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            found = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(os.path.join(ROOT, found)):
                mistakes.append(f"{path}: no file {target}")
            elif anchor and anchor not in slugs.get(found, ()):
                mistakes.append(f"{path}: no part {target}")
    return mistakes


if __name__ == "__main__":
    raise SystemExit("\n".join(in_repository()) or 0)
