"""Compiles the listings of Swift in articles, README and comments, each as a program of its own."""

import concurrent.futures
import glob
import os
import re
import subprocess
import tempfile

import catalog

# What listings take as given: a name, and its declaration.
GIVEN = {
    "url": "let url = URL(fileURLWithPath: \"/\")",
    "storeURL": "let storeURL = URL(fileURLWithPath: \"/\")",
    "json": "let json = Data()",
    "decoder": "let decoder = JSONDecoder()",
    "options": "var options = MigrationOptions()",
    "source": "func object() -> ManagedObject { fatalError() }\nlet source = object()",
    "destination": "let destination = object()",
    "ImagePolicy": "final class ImagePolicy: EntityMigrationPolicy {}",
    "ImageAttachmentPolicy": "final class ImageAttachmentPolicy: EntityMigrationPolicy {}",
    "Color": "struct Color { var name = \"\" }",
    "ColorTransformer": """struct ColorTransformer: AttributeTransformer {
      func value(of bytes: [UInt8]) throws -> Color { Color() }
      func bytes(of value: Color) throws -> [UInt8] { [] }
    }""",
    "description": "let description = NSPersistentStoreDescription()",
}


def listings():
    """The listings, each with its page and line."""
    sources = glob.glob("Sources/**/*.swift", root_dir=catalog.ROOT, recursive=True)
    for path in catalog.articles() + ["README.md"] + sorted(sources):
        text = catalog.read(path)
        if path.endswith(".swift"):
            if "```swift" not in text:
                continue
            # What is no comment keeps its line, and nothing else.
            text = re.sub(r"^ *(?:/// ?(.*)|.*)$", r"\1", text, flags=re.MULTILINE)
        for match in re.finditer(r"^```swift\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
            yield path, text.count("\n", 0, match.start()) + 2, match[1]


def program(listing):
    """The listing with what it takes as given."""
    imports = set(re.findall(r"^import \w+$", listing, flags=re.MULTILINE))
    body = re.sub(r"^import \w+\n", "", listing, flags=re.MULTILINE)
    imports |= {"import Foundation", "import Waystone", "import WaystoneCommand"}
    if re.search(r"\bNS[A-Z]|\bWaystoneMigrationOptions", listing):
        imports.add("import CoreData")
    given = [declaration for name, declaration in GIVEN.items()
             if re.search(rf"(?<![.\w]){name}\b(?!:)", body)
             and not re.search(rf"\b(?:let|var|class|struct|func) {name}\b", body)]
    return "\n".join(sorted(imports) + given + ["#sourceLocation(file: \"listing\", line: 1)", body])


def compile_listing(entry, flags):
    path, line, listing = entry
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "main.swift")
        with open(file, "w", encoding="utf-8") as output:
            output.write(program(listing))
        done = subprocess.run(["swiftc", "-typecheck", "-swift-version", "6", *flags, file],
                              capture_output=True, text=True, timeout=120, check=False)
    if done.returncode == 0:
        return []
    said = [text for text in done.stderr.split("\n") if "error:" in text][:3]
    return [f"{path}:{line}: the listing does not compile:\n  " + "\n  ".join(said or [done.stderr])]


def mistakes(flags):
    """How many listings there are, and what the compiler says of those that do not compile."""
    entries = list(listings())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda entry: compile_listing(entry, flags), entries)
    return len(entries), [mistake for part in found for mistake in part]
