"""Makes the site of the documentation from what is built, and checks it. Scripts/docs calls it."""

import argparse
import functools
import glob
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import catalog
import links
import listings
import plain

ROOT = catalog.ROOT
LIMIT = 300
START = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waystone</title>
<link rel="stylesheet" href="plain/style.css">
<script>if (location.protocol != "file:") location.replace("documentation/waystone/")</script>
<body>
<h1>Waystone</h1>
<p><a href="plain/waystone.html">Read the documentation</a>, from here, with any browser.</p>
<p>The <a href="documentation/waystone/index.html">site with search</a> needs a server, such as
<code>Scripts/docs --serve</code>: its pages are fetched by a script, which no browser allows from the disk.</p>
</body>
</html>
"""


class Failure(Exception):
    """What the site cannot be made of, in one sentence."""


def run(arguments):
    """Runs a tool within the time that it has, and returns what it prints."""
    try:
        done = subprocess.run(arguments, cwd=ROOT, timeout=LIMIT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"{arguments[0]} has not ended after {LIMIT} s") from None
    except FileNotFoundError:
        raise Failure(f"{arguments[0]} is missing: it comes with Swift's toolchain") from None
    if done.returncode != 0:
        raise Failure(f"{' '.join(arguments[:3])}:\n{done.stdout}")
    return done.stdout


def modules():
    """The modules whose public symbols have pages, each with those that it exports beside its own."""
    exporting = re.findall(r"^@_exported public import (\w+)$",
                           catalog.read("Sources/Waystone/Waystone.swift"), flags=re.MULTILINE)
    found = {"Waystone": exporting, "WaystoneCommand": []}
    if sys.platform == "linux":
        found["CoreData"] = []
    return found


def search_paths(products):
    """Where the compiler finds the modules: what is built, and the C that it imports."""
    places = [products, f"{products}/Modules"]
    for pattern in (f"{ROOT}/Sources/*", f"{ROOT}/Sources/*/include",
                    f"{ROOT}/.build/checkouts/*/Sources/*/include"):
        places += [place for place in glob.glob(pattern) if os.path.exists(f"{place}/module.modulemap")]
    flags = [flag for place in places for flag in ("-I", place)]
    if shutil.which("pkg-config"):
        flags += run(["pkg-config", "--cflags-only-I", "libxml-2.0", "sqlite3"]).split()
    return flags


def extract(folder, products):
    """Writes the graphs of public symbols."""
    target = json.loads(run(["swift", "-print-target-info"]))["target"]["triple"]
    for module, exported in modules().items():
        os.makedirs(f"{folder}/{module}")
        run(["swift", "symbolgraph-extract", "-module-name", module, "-target", target,
             "-minimum-access-level", "public", "-emit-extension-block-symbols", "-skip-synthesized-members",
             "-skip-inherited-docs", "-output-dir", f"{folder}/{module}", *search_paths(products)]
            + ([f"-experimental-allowed-reexported-modules={','.join(exported)}"] if exported else []))


def convert(work, output, base):
    """Makes the archive; a warning is a failure."""
    said = run(["docc", "convert", f"{work}/Waystone.docc", "--additional-symbol-graph-dir", f"{work}/graphs",
                "--output-path", output, "--fallback-display-name", "Waystone",
                "--fallback-bundle-identifier", "Waystone", "--transform-for-static-hosting"]
               + (["--hosting-base-path", base] if base else []))
    if "warning:" in said or "error:" in said:
        raise Failure(f"docc warns:\n{said.replace(work, '…')}")


def build(output, base, products):
    """Makes the site in a folder that is not there yet."""
    with tempfile.TemporaryDirectory() as work:
        articles, findings = catalog.write(f"{work}/Waystone.docc")
        extract(f"{work}/graphs", products)
        convert(work, output, base)
    site = plain.PlainSite(output, f"{output}/plain")
    site.write()
    with open(f"{output}/index.html", "w", encoding="utf-8") as file:
        file.write(START)
    for folder, kind in [("schemas", "*.json"), ("resources", "*.yaml")]:
        os.makedirs(f"{output}/{folder}")
        for file in glob.glob(f"{ROOT}/Sources/*/*.docc/Resources/{kind}"):
            shutil.copy(file, f"{output}/{folder}")
    print(f"{len(site.pages)} pages: {articles} articles, {findings} findings, "
          f"{len(site.pages) - articles - findings} of modules and their symbols", file=sys.stderr)


def check(output, products):
    """Checks the links of the site and of what lies in the repository, and compiles what is Swift."""
    mistakes = links.in_site(output) + links.in_repository()
    compiled, more = listings.mistakes(search_paths(products))
    mistakes += more
    if mistakes:
        raise Failure("\n".join(mistakes))
    print(f"all links lead somewhere, {compiled} listings of Swift compile", file=sys.stderr)


def serve(folder, port):
    """Serves a folder until it is interrupted."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/ has the documentation; Ctrl-C ends it", file=sys.stderr)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


def main():
    parser = argparse.ArgumentParser(prog="Scripts/docs", description=__doc__)
    parser.add_argument("--output", default=f"{ROOT}/.build/documentation", metavar="FOLDER",
                        help="the folder of the site; what Scripts/docs made there before is replaced")
    parser.add_argument("--base-path", metavar="PATH", help="the path below which a server has the site")
    parser.add_argument("--check", action="store_true", help="check links and listings, too")
    parser.add_argument("--serve", type=int, nargs="?", const=8080, metavar="PORT",
                        help="serve the site here afterwards")
    parser.add_argument("--products", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    output = os.path.abspath(arguments.output)
    if os.path.exists(output) and not os.path.exists(f"{output}/plain/waystone.html"):
        raise Failure(f"{output} is there, and holds no documentation: name another folder")
    os.makedirs(os.path.dirname(output), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(output)) as made:
        build(f"{made}/site", arguments.base_path, arguments.products)
        if arguments.check:
            check(f"{made}/site", arguments.products)
        shutil.rmtree(output, ignore_errors=True)
        os.rename(f"{made}/site", output)
    print(f"{output}/index.html", file=sys.stderr)
    if arguments.serve is not None:
        serve(output, arguments.serve)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"docs: {failure}")
