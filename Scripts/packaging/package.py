"""Packs a program that is built: a tarball, a Debian package, a wheel, an artifact bundle with a plugin,
what an image is built of, and a bill of materials.

    package.py PROGRAM-FOLDER OUTPUT-FOLDER [RELEASE-URL]

The program's folder has `waystone`, `parts.json` and `licenses`, as Scripts/packaging/program leaves them.
Equal programs and times give equal packages: the time in all of them is SOURCE_DATE_EPOCH.
"""

import base64
import glob
import hashlib
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
# The one machine that the program is for, as each system calls it.
MACHINE, DEBIAN_MACHINE, TRIPLE = "x86_64", "amd64", "x86_64-unknown-linux-gnu"
SUMMARY = "Find out what the next release does to users' data; migrate Core Data stores."
DESCRIPTION = """\
Waystone reads all versions of the models of an app that is built on Core Data
or SwiftData, says before a release which of them the app still opens and which
lose data, and migrates old stores on Linux, without Apple's framework."""


def printed(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def digest(path):
    return hashlib.sha256(read(path)).hexdigest()


def xz(data):
    # Blocks of a fixed size: the result does not depend on the number of processors. A higher level takes
    # twice the time, and saves a twentieth.
    command = ["xz", "-4", "--threads=2", "--block-size=33554432", "--stdout"]
    return subprocess.run(command, check=True, input=data, stdout=subprocess.PIPE).stdout


class Release:
    """What all packages are made of: the program, and files that are made with it."""

    def __init__(self, folder):
        self.program = os.path.join(folder, "waystone")
        self.version = printed(self.program, "--version").strip()
        self.name = f"waystone-{self.version}-linux-{MACHINE}"
        with open(os.path.join(folder, "parts.json"), encoding="utf-8") as file:
            self.parts = json.load(file)
        self.licenses = {
            name: read(folder, "licenses", name) for name in sorted(os.listdir(f"{folder}/licenses"))
        }
        self.glibc = max(
            (tuple(int(part) for part in found.split("."))
             for found in re.findall(r"GLIBC_([0-9.]+)", printed("objdump", "-T", self.program))),
        )
        described = printed(self.program, "--version", "--verbose")
        self.commit = re.search(r"^commit +(.*)$", described, re.MULTILINE).group(1)
        self.completions = {
            shell: re.sub("^#!.*\n", "", printed(self.program, "completions", shell)).encode()
            for shell in ("bash", "zsh", "fish")
        }
        with tempfile.TemporaryDirectory() as home:
            printed(self.program, "completions", "bash", "--install", env={"HOME": home})
            self.manual = read(home, ".local/share/man/man1/waystone.1")
        # What editors and readers of JSON hold files against.
        self.schemas = {
            os.path.basename(path): read(path)
            for path in sorted(glob.glob(f"{ROOT}/Sources/*/*.docc/Resources/*.schema.json"))
        }
        self.materials = json.dumps(self.bill(), indent=2, ensure_ascii=False).encode() + b"\n"

    def bill(self):
        """The bill of materials, as SPDX 2.3."""
        sum = digest(self.program)
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))

        def package(name, version, license, home):
            identifier = "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", name)
            return {
                "SPDXID": identifier,
                "name": name,
                "versionInfo": version,
                "downloadLocation": home,
                "filesAnalyzed": False,
                "licenseConcluded": license,
                "licenseDeclared": license,
                "copyrightText": "NOASSERTION",
            }

        own = package("waystone", self.version, "Apache-2.0", "NOASSERTION")
        own["sourceInfo"] = f"commit {self.commit}"
        own["checksums"] = [{"algorithm": "SHA256", "checksumValue": sum}]
        own["packageFileName"] = "bin/waystone"
        others = [package(*(part[key] for key in ("name", "version", "license", "home")))
                  for part in self.parts]
        describes = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
        links = [(own["SPDXID"], "STATIC_LINK", other["SPDXID"]) for other in others]
        return {
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": self.name,
            "documentNamespace": f"https://example.invalid/spdx/{self.name}/{sum}",
            "creationInfo": {"created": when, "creators": ["Tool: waystone-package"]},
            "packages": [own] + others,
            "relationships": [
                {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                for one, kind, other in describes + links
            ],
        }


def tar(files, root=""):
    """An archive of files, and of the folders that they are in: path to content and mode."""
    result = io.BytesIO()
    folders = {""} if root == "./" else set()
    for path in files:
        parts = path.split("/")[:-1]
        folders |= {"/".join(parts[:count]) for count in range(1, len(parts) + 1)}
    with tarfile.open(fileobj=result, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(folders | set(files)):
            entry = tarfile.TarInfo(root + path)
            entry.mtime, entry.uname, entry.gname = EPOCH, "root", "root"
            if path in folders:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                content, mode = files[path]
                entry.size, entry.mode = len(content), mode
                archive.addfile(entry, io.BytesIO(content))
    return result.getvalue()


def tarball(release, output):
    """`bin` and `share`, to be unpacked into /usr/local, or anywhere."""
    base, document = release.name, f"{release.name}/share/doc/waystone"
    files = {
        f"{base}/bin/waystone": (read(release.program), 0o755),
        f"{base}/share/man/man1/waystone.1": (release.manual, 0o644),
        f"{base}/share/bash-completion/completions/waystone": (release.completions["bash"], 0o644),
        f"{base}/share/zsh/site-functions/_waystone": (release.completions["zsh"], 0o644),
        f"{base}/share/fish/vendor_completions.d/waystone.fish": (release.completions["fish"], 0o644),
        f"{document}/LICENSE": (read(ROOT, "LICENSE"), 0o644),
        f"{document}/CHANGELOG.md": (read(ROOT, "CHANGELOG.md"), 0o644),
        f"{document}/waystone.spdx.json": (release.materials, 0o644),
    }
    for name, text in release.licenses.items():
        files[f"{document}/licenses/{name}"] = (text, 0o644)
    for name, text in release.schemas.items():
        files[f"{base}/share/waystone/schemas/{name}"] = (text, 0o644)
    with open(os.path.join(output, base + ".tar.xz"), "wb") as file:
        file.write(xz(tar(files)))


def gzipped(data):
    command = ["gzip", "-9", "--no-name", "--stdout"]
    return subprocess.run(command, check=True, input=data, stdout=subprocess.PIPE).stdout


def debian(release, output):
    """A Debian package; an archive of three files, whose format is deb(5)."""
    text = read(HERE, "debian", "copyright").decode()
    licenses = "\n".join(
        f"{part['name']} {part['version']} ({part['license']})" for part in release.parts
    )
    copyright = text.replace("@PARTS@", licenses)
    for name, license in release.licenses.items():
        copyright += f"\n\n---- {name.removesuffix('.txt')} ----\n\n"
        # Debian's packages refer to its own copy of the Apache License.
        copyright += re.sub(
            r"\s*Apache License\s+Version 2\.0.*?END OF TERMS AND CONDITIONS",
            "The Apache License, Version 2.0: see /usr/share/common-licenses/Apache-2.0.",
            license.decode(),
            flags=re.DOTALL,
        )
    when = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(EPOCH))
    changelog = read(HERE, "debian", "changelog").decode()
    changelog = changelog.replace("@VERSION@", release.version).replace("@DATE@", when)
    document = "usr/share/doc/waystone"
    files = {
        "usr/bin/waystone": (read(release.program), 0o755),
        "usr/share/man/man1/waystone.1.gz": (gzipped(release.manual), 0o644),
        "usr/share/bash-completion/completions/waystone": (release.completions["bash"], 0o644),
        "usr/share/zsh/vendor-completions/_waystone": (release.completions["zsh"], 0o644),
        "usr/share/fish/vendor_completions.d/waystone.fish": (release.completions["fish"], 0o644),
        f"{document}/copyright": (copyright.encode(), 0o644),
        f"{document}/changelog.gz": (gzipped(changelog.encode()), 0o644),
        f"{document}/waystone.spdx.json": (release.materials, 0o644),
        "usr/share/lintian/overrides/waystone": (read(HERE, "debian", "overrides"), 0o644),
    }
    for name, text in release.schemas.items():
        files[f"usr/share/waystone/schemas/{name}"] = (text, 0o644)
    glibc = ".".join(str(part) for part in release.glibc)
    control = read(HERE, "debian", "control").decode()
    for key, value in {
        "@VERSION@": release.version,
        "@MACHINE@": DEBIAN_MACHINE,
        "@GLIBC@": glibc,
        "@SIZE@": str(sum(-(-len(content) // 1024) for content, _ in files.values())),
        "@SUMMARY@": "finds out what an app's release does to users' Core Data stores",
        "@DESCRIPTION@": "".join(f" {line}\n" for line in DESCRIPTION.splitlines()),
    }.items():
        control = control.replace(key, value)
    sums = "".join(
        f"{hashlib.md5(content).hexdigest()}  {path}\n" for path, (content, _) in sorted(files.items())
    )
    members = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": xz(
            tar({"control": (control.encode(), 0o644), "md5sums": (sums.encode(), 0o644)}, "./")
        ),
        "data.tar.xz": xz(tar(files, "./")),
    }
    with open(os.path.join(output, f"waystone_{release.version}_{DEBIAN_MACHINE}.deb"), "wb") as file:
        file.write(b"!<arch>\n")
        for name, content in members.items():
            head = f"{name:<16}{EPOCH:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n"
            file.write(head.encode() + content + b"\n" * (len(content) % 2))


def archive(path, files):
    """A zip archive of files: path to content and mode."""
    when = time.gmtime(max(EPOCH, 315532800))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as result:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, when)
            entry.create_system, entry.external_attr = 3, (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            result.writestr(entry, content)


def wheel(release, output):
    """A wheel: the program as a script, as Python's installers put it on the PATH."""
    about, data = f"waystone-{release.version}.dist-info", f"waystone-{release.version}.data"
    tag = "py3-none-manylinux_{}_{}_{}".format(*release.glibc, MACHINE)
    metadata = (
        f"Metadata-Version: 2.1\nName: waystone\nVersion: {release.version}\nSummary: {SUMMARY}\n"
        "License: Apache-2.0\nClassifier: Environment :: Console\n"
        "Classifier: Operating System :: POSIX :: Linux\nRequires-Python: >=3.7\n"
        f"Description-Content-Type: text/plain\n\n{DESCRIPTION}\n"
    )
    files = {
        f"{data}/scripts/waystone": (read(release.program), 0o755),
        f"{data}/data/share/man/man1/waystone.1": (release.manual, 0o644),
        f"{about}/METADATA": (metadata.encode(), 0o644),
        f"{about}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: waystone\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
            0o644,
        ),
        f"{about}/waystone.spdx.json": (release.materials, 0o644),
        f"{about}/licenses/LICENSE": (read(ROOT, "LICENSE"), 0o644),
    }
    for name, text in release.schemas.items():
        files[f"{data}/data/share/waystone/schemas/{name}"] = (text, 0o644)
    # pip removes a folder whose files it installed, and of those above it none that has folders alone.
    about_schemas = b"JSON Schemas of waystone.yml, of hop and staged files, and of the JSON of each verb.\n"
    files[f"{data}/data/share/waystone/README"] = (about_schemas, 0o644)
    for name, text in release.licenses.items():
        files[f"{about}/licenses/{name}"] = (text, 0o644)
    record = ""
    for name, (content, _) in files.items():
        sum = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        record += f"{name},sha256={sum},{len(content)}\n"
    files[f"{about}/RECORD"] = (f"{record}{about}/RECORD,,\n".encode(), 0o644)
    archive(os.path.join(output, f"waystone-{release.version}-{tag}.whl"), files)


def bundle(release, output, url):
    """An artifact bundle, and the package that offers it as a plugin of Swift's package manager."""
    name = f"waystone-{release.version}-{TRIPLE}"
    information = {
        "schemaVersion": "1.0",
        "artifacts": {
            "waystone": {
                "type": "executable",
                "version": release.version,
                "variants": [{"path": f"{name}/bin/waystone", "supportedTriples": [TRIPLE]}],
            }
        },
    }
    files = {
        "info.json": (json.dumps(information, indent=2).encode() + b"\n", 0o644),
        f"{name}/bin/waystone": (read(release.program), 0o755),
        "LICENSE": (read(ROOT, "LICENSE"), 0o644),
        "waystone.spdx.json": (release.materials, 0o644),
    }
    for license, text in release.licenses.items():
        files[f"licenses/{license}"] = (text, 0o644)
    title = f"waystone-{release.version}.artifactbundle"
    zipped = os.path.join(output, title + ".zip")
    archive(zipped, {f"waystone.artifactbundle/{path}": file for path, file in files.items()})
    manifest = read(HERE, "plugin", "Package.swift.template").decode()
    source = (
        f'url: "{url}/{title}.zip",\n      checksum: "{digest(zipped)}"'
        if url else f'path: "{title}.zip"'
    )
    plugin = {
        "Package.swift": (manifest.replace("@SOURCE@", source).encode(), 0o644),
        "Plugins/WaystoneCheck/WaystoneCheck.swift": (
            read(HERE, "plugin", "WaystoneCheck.swift.template"), 0o644,
        ),
    }
    if not url:
        # Without an address the program comes along: the package works where it is unpacked.
        plugin[f"{title}.zip"] = (read(zipped), 0o644)
    base = f"waystone-plugin-{release.version}"
    with open(os.path.join(output, base + ".tar"), "wb") as file:
        file.write(tar({f"{base}/{path}": content for path, content in plugin.items()}))


def main(folder, output, url=""):
    release = Release(folder)
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    tarball(release, output)
    debian(release, output)
    wheel(release, output)
    bundle(release, output, url.rstrip("/"))
    image = read(HERE, "Containerfile").decode().replace("@VERSION@", release.version)
    for name, content in {
        "Containerfile": image.encode(),
        f"waystone-{release.version}.spdx.json": release.materials,
    }.items():
        with open(os.path.join(output, name), "wb") as file:
            file.write(content)
    names = sorted(os.listdir(output))
    with open(os.path.join(output, "SHA256SUMS"), "w", encoding="utf-8") as file:
        for name in names:
            file.write(f"{digest(os.path.join(output, name))}  {name}\n")
    for name in names:
        print(f"{os.path.getsize(os.path.join(output, name)) / 1e6:8.1f} MB  {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
