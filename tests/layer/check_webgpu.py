#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Small WebGPU programs on Dawn, under the layer: they check their own results, and the layer follows each draw.
#
#   check_webgpu.py LAYER_FOLDER PACKAGES
#
# PACKAGES is the folder for npm's packages. Without npm, or if it does not answer, the programs are skipped.
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "tools/applications")]
import layer_environment
import npm_packages

# Dawn checks the arguments of indirect dispatches by a dispatch of its own.
PROGRAMS = {"triangles": {"draws": 3, "dispatches": 0}, "sums": {"draws": 0, "dispatches": 3}, "textures": {"draws": 2, "dispatches": 1}}


def main():
    layer, packages = map(pathlib.Path, sys.argv[1:])
    try:
        node = npm_packages.install(packages, [npm_packages.WEBGPU])
    except npm_packages.Missing as why:
        print(f"webgpu: skipped: {why}")
        return layer_environment.SKIPPED
    problems = []
    for name, counts in PROGRAMS.items():
        with tempfile.TemporaryDirectory() as folder:
            variables = layer_environment.layered(layer, folder, **npm_packages.variables(packages))
            done = subprocess.run([node, HERE / f"webgpu/{name}.mjs"], env=variables, capture_output=True, text=True, timeout=120, check=False)
            if done.returncode != 0:
                problems.append(f"{name}: status {done.returncode}, {done.stderr.strip()[-500:]}")
            report = layer_environment.report_in(folder)
            problems += [f"{name}: {problem}" for problem in layer_environment.problems_of(report, engine="Dawn", **counts)]
            if report and not any(name in pipeline["name"] for pipeline in report["drawsByPipeline"]):
                problems.append(f"{name}: no pipeline is named after the program's shaders")
    # Without the features, there is no adapter: the option is what makes the difference.
    variables = layer_environment.layered(layer, "", **{**npm_packages.variables(packages), "DOVETAIL_SHADOW_FEATURES": "drivers"})
    done = subprocess.run([node, HERE / "webgpu/sums.mjs"], env=variables, capture_output=True, text=True, timeout=120, check=False)
    if "there is no adapter" not in done.stderr:
        problems.append(f"features: Dawn takes the driver as it is: {done.stderr.strip()[-500:]}")
    return layer_environment.tell("webgpu", problems, len(PROGRAMS) + 1)


sys.exit(main())
