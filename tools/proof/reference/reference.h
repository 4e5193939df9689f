// SPDX-License-Identifier: MIT
//
// The reference picture: the same scene drawn by lavapipe, Mesa's Vulkan driver for the CPU, in a process of its own
// (lavapipe-reference), which shares nothing with Dovetail but the scene's file format. And a third one, drawn by the
// machine code that Mesa's RADV makes of the scene's shaders (radv-reference).
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <filesystem>
#include <string>

namespace dovetail {

constexpr const char *LavapipeReference = "lavapipe-reference", *RadvReference = "radv-reference";

// Where one of these programs is for a program that lies in `folder`: beside it or in `reference` below, as in the
// build tree; in ../libexec/dovetail (or what the build calls libexec), as in an installed tree, wherever that was
// moved to; else where it was to be installed.
std::string findReferenceProgram(const std::filesystem::path &folder, const std::string &name = LavapipeReference);

// Whether the program of drawReference() is there. Errors: Io, with where it was looked for.
Result<void> checkReference();

// Thread-safe; the process is kept for the next scene. Its program is what the environment variable DOVETAIL_REFERENCE
// names, else what findReferenceProgram() says of the running program. Errors: Unsupported with the program's reason if
// it cannot draw the scene (a missing feature); InvalidInput as checkScene(); Io if it is not there, crashed or did not
// answer in time.
Result<SceneResult> drawReference(const Scene &scene);

// What RADV's code for a GPU like this one (LLVM's name), made by its back end ACO, draws in the emulator. As
// drawReference(); the environment variable is DOVETAIL_RADV_REFERENCE. Errors: Unsupported also if RADV is not
// installed, refuses a shader or the state, or does not know the GPU, and if its code traps.
Result<SceneResult> drawWithRadvCode(const Scene &scene, const std::string &gpu);

} // namespace dovetail
