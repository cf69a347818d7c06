"""Writes the pages of a DocC archive as plain HTML, which opens from the disk and needs no script.

DocC's own site is a program that fetches its pages from a server; from the disk a browser shows nothing of it.
"""

import glob
import html
import json
import os
import re
import urllib.parse

STYLE = """
:root { color-scheme: light dark; --text: #1d1d1f; --back: #fff; --faint: #6e6e73; --line: #d2d2d7;
  --code: #f5f5f7; --link: #0066cc; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8ed; --back: #161618; --faint: #98989d;
  --line: #3a3a3d; --code: #242427; --link: #6cb2ff; } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 50rem; padding: 1rem 1.25rem 4rem; font: 1rem/1.55 system-ui, sans-serif;
  color: var(--text); background: var(--back); overflow-wrap: break-word }
a { color: var(--link); text-decoration: none }
a:hover, a:focus { text-decoration: underline }
nav { font-size: .875rem; color: var(--faint); border-bottom: 1px solid var(--line); padding-bottom: .6rem }
.kind { color: var(--faint); margin: 1.5rem 0 -.75rem }
h1 { font-size: 1.8rem; line-height: 1.2 } h2 { margin-top: 2.2rem; font-size: 1.35rem }
h3 { margin-top: 1.7rem; font-size: 1.1rem }
.abstract { font-size: 1.15rem; color: var(--faint) }
pre { background: var(--code); padding: .8rem 1rem; border-radius: .5rem; overflow-x: auto;
  font-size: .85rem; line-height: 1.45 }
code { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .9em; overflow-wrap: anywhere }
pre code { font-size: inherit; overflow-wrap: normal }
.table { overflow-x: auto }
table { border-collapse: collapse; font-size: .92rem }
th, td { text-align: left; vertical-align: top; padding: .4rem .7rem; border: 1px solid var(--line) }
th:empty { display: none }
td code, th code { overflow-wrap: normal }
img { max-width: 100%; border: 1px solid var(--line) }
.aside { border-left: 4px solid var(--line); padding: .1rem 1rem; margin: 1rem 0 }
dt { margin-top: .6rem } dd { margin: 0 0 0 1.2rem; color: var(--faint) }
"""


def escape(text):
    return html.escape(text, quote=True)


class PlainSite:
    """The pages of an archive, each with the file that it is written to."""

    def __init__(self, archive, folder):
        self.archive = archive
        self.folder = folder
        self.pages = {}
        self.files = {}
        taken = set()
        for path in sorted(glob.glob(f"{archive}/data/documentation/**/*.json", recursive=True)):
            name = os.path.relpath(path, f"{archive}/data/documentation")[:-len(".json")]
            # Names that every file system takes.
            safe = re.sub(r"[^a-z0-9._/-]+", "-", name.lower()).replace("..", ".")
            file, number = safe, 1
            while file in taken:
                number += 1
                file = f"{safe}-{number}"
            taken.add(file)
            self.files["/documentation/" + name.lower()] = file + ".html"
            with open(path, encoding="utf-8") as source:
                self.pages[file + ".html"] = json.load(source)

    def write(self):
        for file, page in self.pages.items():
            path = os.path.join(self.folder, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as output:
                output.write(PlainPage(self, file, page).text())
        with open(os.path.join(self.folder, "style.css"), "w", encoding="utf-8") as output:
            output.write(STYLE.lstrip())
        images = os.path.join(self.folder, "images")
        os.makedirs(images, exist_ok=True)
        for path in glob.glob(f"{self.archive}/images/**/*.*", recursive=True):
            with open(path, "rb") as source, \
                    open(os.path.join(images, os.path.basename(path)), "wb") as output:
                output.write(source.read())


class PlainPage:
    """One page as HTML."""

    def __init__(self, site, file, page):
        self.site = site
        self.file = file
        self.page = page
        self.references = page["references"]

    def link(self, target):
        return urllib.parse.quote(os.path.relpath(target, os.path.dirname(self.file) or "."))

    def href(self, reference):
        """The address of a reference; nil of one that leads nowhere."""
        url = reference.get("url")
        if url is None:
            return None
        if not url.startswith("/"):
            return url
        path, _, anchor = url.partition("#")
        file = self.site.files.get(path.lower())
        return file and self.link(file) + (f"#{anchor}" if anchor else "")

    def anchor(self, identifier, text=None):
        reference = self.references.get(identifier, {})
        if text is None:
            title = reference.get("title", identifier.rsplit("/", 1)[-1])
            is_code = reference.get("kind") == "symbol"
            text = f"<code>{escape(title)}</code>" if is_code else escape(title)
            if "titleInlineContent" in reference:
                text = self.inline(reference["titleInlineContent"])
        href = self.href(reference)
        return f'<a href="{escape(href)}">{text}</a>' if href else text

    def inline(self, content):
        return "".join(self.inline_element(element) for element in content)

    def inline_element(self, element):
        kind = element["type"]
        if kind == "text":
            return escape(element["text"])
        if kind == "codeVoice":
            return f"<code>{escape(element['code'])}</code>"
        if kind in ("strong", "emphasis", "newTerm", "inlineHead"):
            tag = "em" if kind == "emphasis" else "strong"
            return f"<{tag}>{self.inline(element['inlineContent'])}</{tag}>"
        if kind == "reference":
            shown = element.get("overridingTitleInlineContent")
            return self.anchor(element["identifier"], shown and self.inline(shown))
        if kind == "link":
            return f'<a href="{escape(element["destination"])}">{escape(element["title"])}</a>'
        if kind == "image":
            image = self.references[element["identifier"]]
            name = os.path.basename(image["variants"][0]["url"])
            source = escape(self.link("images/" + name))
            return f'<img src="{source}" alt="{escape(image.get("alt") or "")}">'
        raise ValueError(f"{self.file}: an inline element of the kind {kind}")

    def blocks(self, content):
        return "\n".join(self.block(element) for element in content)

    def block(self, element):
        kind = element["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(element['inlineContent'])}</p>"
        if kind == "heading":
            level = element["level"]
            return f'<h{level} id="{escape(element["anchor"])}">{escape(element["text"])}</h{level}>'
        if kind == "codeListing":
            return "<pre><code>" + escape("\n".join(element["code"])) + "</code></pre>"
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            items = "".join(f"<li>{self.blocks(item['content'])}</li>" for item in element["items"])
            return f"<{tag}>{items}</{tag}>"
        if kind == "aside":
            name = escape(element.get("name") or element["style"].capitalize())
            return f'<div class="aside"><p><strong>{name}</strong></p>{self.blocks(element["content"])}</div>'
        if kind == "table":
            rows = []
            for index, row in enumerate(element["rows"]):
                tag = "th" if index == 0 and element.get("header") == "row" else "td"
                cells = [self.blocks(cell).replace("<p>", "").replace("</p>", "") for cell in row]
                if tag == "td" or any(cells):
                    rows.append("<tr>" + "".join(f"<{tag}>{c}</{tag}>" for c in cells) + "</tr>")
            return '<div class="table"><table>' + "\n".join(rows) + "</table></div>"
        raise ValueError(f"{self.file}: a block of the kind {kind}")

    def section(self, section):
        kind = section["kind"]
        if kind == "content":
            return self.blocks(section["content"])
        if kind == "declarations":
            return "\n".join(
                "<pre><code>" + "".join(self.token(token) for token in declaration["tokens"]) + "</code></pre>"
                for declaration in section["declarations"])
        if kind == "parameters":
            terms = "".join(
                f"<dt><code>{escape(parameter['name'])}</code></dt><dd>{self.blocks(parameter['content'])}</dd>"
                for parameter in section["parameters"])
            return f'<h2 id="parameters">Parameters</h2><dl>{terms}</dl>'
        if kind == "mentions":
            items = "".join(f"<li>{self.anchor(mention)}</li>" for mention in section["mentions"])
            return f'<h2 id="mentions">Mentioned in</h2><ul>{items}</ul>'
        raise ValueError(f"{self.file}: a section of the kind {kind}")

    def token(self, token):
        text = escape(token["text"])
        return self.anchor(token["identifier"], text) if "identifier" in token else text

    def group(self, section):
        """A group of topics: its title, and each page with its abstract."""
        title = section.get("title", "")
        anchor = section.get("anchor") or title.replace(" ", "-")
        terms = []
        for identifier in section["identifiers"]:
            abstract = self.inline(self.references.get(identifier, {}).get("abstract", []))
            terms.append(f"<dt>{self.anchor(identifier)}</dt>" + (f"<dd>{abstract}</dd>" if abstract else ""))
        return f'<h3 id="{escape(anchor)}">{escape(title)}</h3><dl>{"".join(terms)}</dl>'

    def text(self):
        page = self.page
        metadata = page["metadata"]
        title = metadata["title"]
        trail = [self.anchor(parent) for parent in (page["hierarchy"].get("paths") or [[]])[0]]
        home = f'<a href="{escape(self.link("waystone.html"))}">Waystone</a>'
        if not trail or not trail[0].endswith(">Waystone</a>") and "<code>Waystone</code>" not in trail[0]:
            trail.insert(0, home)
        parts = [f"<nav>{' / '.join(trail)}</nav>"]
        if metadata.get("roleHeading"):
            parts.append(f'<p class="kind">{escape(metadata["roleHeading"])}</p>')
        parts.append(f"<h1>{escape(title)}</h1>")
        if page.get("abstract"):
            parts.append(f'<p class="abstract">{self.inline(page["abstract"])}</p>')
        parts += [self.section(section) for section in page.get("primaryContentSections", [])]
        for key, heading in [("topicSections", "Topics"), ("relationshipsSections", "Relationships"),
                             ("seeAlsoSections", "See also")]:
            groups = page.get(key, [])
            if groups:
                parts.append(f'<h2 id="{heading.lower().replace(" ", "-")}">{heading}</h2>')
                parts += [self.group(group) for group in groups]
        body = "\n".join(parts)
        return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="stylesheet" href="{escape(self.link("style.css"))}">
<body>
{body}
</body>
</html>
"""
