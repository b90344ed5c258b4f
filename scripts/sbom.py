#!/usr/bin/env python3
"""Writes a software bill of materials (SPDX 2.3, JSON) of programs that were built here.

    scripts/sbom.py build/release/cases/rankine build/release/cases/rankine-*reader > sbom.spdx.json

It lists the Debian packages of the shared libraries that these programs load, and those of
scripts/packages.txt whose headers are compiled into it. Nothing is kept by hand: the packages and
their versions are those of the machine that built the program. Licences are in NOTICE and in
/usr/share/doc/PACKAGE/copyright.
"""
import datetime, hashlib, json, pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ("libeigen3-dev", "libtomlplusplus-dev", "nlohmann-json3-dev", "libcli11-dev",
           "libfmt-dev")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def owners(libraries):
    """Names of the Debian packages that own these files; merged /usr hides some of them."""
    found = set()
    for library in libraries:
        for path in (library, "/usr" + library, library.removeprefix("/usr")):
            answer = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
            if answer.returncode == 0:
                found.add(answer.stdout.split(":")[0])
                break
    return found


def package(name, version, supplier, **more):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^\w.-]", "-", name), "name": name,
            "versionInfo": version, "supplier": supplier, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION", **more}


def main():
    if len(sys.argv) < 2 or not all(pathlib.Path(name).is_file() for name in sys.argv[1:]):
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1])
    libraries = {path for each in sys.argv[1:]
                 for path in re.findall(r"=> (/\S+)", output("ldd", each))}
    listed = (ROOT / "scripts/packages.txt").read_text().split()
    names = owners(libraries) | {name for name in HEADERS if name in listed}
    info = json.loads(output(program, "info", "--json", "-"))
    if info["libraries"]["cgal"][0].isdigit():  # optional, headers only
        names.add("libcgal-dev")
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    version = info["version"]
    packages = [package("rankine", version, "NOASSERTION",
                        licenseDeclared=info["licence"].split()[0],
                        checksums=[{"algorithm": "SHA256", "checksumValue": digest}])]
    for name in sorted(names):
        installed = output("dpkg-query", "-W", "-f=${Version} ${Architecture}", name).split()
        purl = f"pkg:deb/debian/{name}@{installed[0]}?arch={installed[1]}"
        packages.append(package(name, installed[0], "Organization: Debian", externalRefs=[
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
             "referenceLocator": purl}]))
    related = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-rankine")]
    related += [("SPDXRef-rankine", "DEPENDS_ON", each["SPDXID"]) for each in packages[1:]]
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
               "name": "rankine-" + version,
               "documentNamespace": "https://spdx.org/spdxdocs/rankine-" + digest,
               "creationInfo": {"created": now, "creators": ["Tool: scripts/sbom.py"]},
               "packages": packages, "relationships": [
                   {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                   for a, kind, b in related]}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
