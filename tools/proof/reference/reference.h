// SPDX-License-Identifier: MIT
//
// Draws reference pictures: lavapipe, Mesa's Vulkan driver for the CPU, draws the same scene. It runs in a process of
// its own (lavapipe-reference), which shares only the scene's file format with Dovetail. A third picture comes from the
// machine code that Mesa's RADV makes of the scene's shaders (radv-reference).
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <filesystem>
#include <string>

namespace dovetail {

constexpr const char *LavapipeReference = "lavapipe-reference", *RadvReference = "radv-reference";

// Finds a reference program for a program in `folder`:
// - beside it, or in `proof/reference` below, as in the build tree;
// - in ../libexec/dovetail (or the build's name for libexec), as in an installed tree, even if the tree was moved;
// - else where it was to be installed.
std::string findReferenceProgram(const std::filesystem::path &folder, const std::string &name = LavapipeReference);

// Whether the program of drawReference() exists. Errors: Io, with the places that were searched.
Result<void> checkReference();

// Thread-safe; keeps the process for the next scene. The environment variable DOVETAIL_REFERENCE names the program;
// without it, findReferenceProgram() finds it for the running program. Errors: Unsupported with the program's reason if
// it cannot draw the scene (a missing feature); InvalidInput as checkScene(); Io if the program is missing, crashed or
// did not answer in time.
Result<SceneResult> drawReference(const Scene &scene);

// The picture that RADV's code for this GPU (LLVM's name) draws in the emulator; its back end is ACO. Otherwise as
// drawReference(); the environment variable is DOVETAIL_RADV_REFERENCE. Errors: Unsupported also if RADV is not
// installed, refuses a shader or the state, or does not know the GPU, and if its code traps.
Result<SceneResult> drawWithRadvCode(const Scene &scene, const std::string &gpu);

} // namespace dovetail
