"""For Scripts/test-packages: the tutorial's app, and the scripts of a workflow as a runner runs them.

    workflow.py app FOLDER                      writes the models of the tutorial
    workflow.py scripts SYSTEM FOLDER SCRIPT    writes the steps of github, gitlab or action into one script

The script ends with 0 where all steps succeed, with 1 where one after the installation fails, else with 2.
"""

import os
import re
import shlex
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def app(folder):
    article = read(f"{ROOT}/Sources/Waystone/Waystone.docc/TenMinutes.md")
    blocks = re.findall(r"```xml\n(.*?)```", article, re.DOTALL)
    for name, text in zip(("v1.xcdatamodel/contents", "v2.xcdatamodel/contents", ".xccurrentversion"), blocks):
        write(f"{folder}/Bookmarks.xcdatamodeld/{name}", text)


def exports(variables):
    return "".join(f"export {name}={shlex.quote(str(value))}\n" for name, value in variables.items())


def scripts(system, folder, path):
    import yaml

    workflow = yaml.safe_load(read(
        f"{folder}/.gitlab/waystone.yml" if system == "gitlab" else f"{folder}/.github/workflows/waystone.yml"
    ))
    if system == "gitlab":
        job = workflow["waystone"]
        text = "set -e\ncd /app\nexport CI_PROJECT_DIR=/app\n" + exports(job["variables"])
        # What is before the scripts ends a job like they do; here it is to be told from them.
        text += "failed=2\ntrap 'code=$?; [ $code -eq 0 ] || exit $failed' EXIT\n"
        write(path, text + "\n".join(job["before_script"] + ["failed=1"] + ["(" + step + ")" for step in job["script"]]))
        return
    steps = workflow["jobs"]["models"]["steps"]
    if system == "action":
        steps = yaml.safe_load(read(f"{ROOT}/Scripts/action/action.yml"))["runs"]["steps"]
    text = "cd /app\nexport RUNNER_TEMP=/tmp GITHUB_PATH=/tmp/path GITHUB_STEP_SUMMARY=/tmp/summary.md\n"
    text += "export GITHUB_REPOSITORY=team/app PULL=12\nrm -f /tmp/path\nfailed=0\n" + exports(workflow["env"])
    for step in steps:
        if "run" not in step:
            continue
        run = f"bash -e -c {shlex.quote(step['run'])}"
        if step.get("id") == "install":
            text += f'{run} || exit 2\nPATH="$(cat /tmp/path):$PATH"\n'
        else:
            text += f"echo {shlex.quote('== ' + step['name'])}\n{run} || failed=1\n"
    write(path, text + 'exit "$failed"\n')


if __name__ == "__main__":
    {"app": app, "scripts": scripts}[sys.argv[1]](*sys.argv[2:])
