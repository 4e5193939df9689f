// SPDX-License-Identifier: MIT
//
// The reference picture: the same scene drawn by lavapipe, Mesa's Vulkan driver for the CPU, in a process of its own
// (lavapipe-reference), which shares nothing with Dovetail but the scene's file format.
#pragma once

#include "src/base/error.h"
#include "tools/scene/scene.h"
#include <filesystem>
#include <string>

namespace dovetail {

// Where the reference's program is for a program that lies in `folder`: beside it or in `reference` below, as in the
// build tree; in ../libexec/dovetail (or what the build calls libexec), as in an installed tree, wherever that was
// moved to; else where it was to be installed.
std::string findReferenceProgram(const std::filesystem::path &folder);

// Thread-safe; the process is kept for the next scene. Its program is what the environment variable DOVETAIL_REFERENCE
// names, else what findReferenceProgram() says of the running program. Errors: Unsupported with the program's reason if
// it cannot draw the scene (a missing feature); InvalidInput as checkScene(); Io if it is not there, crashed or did not
// answer in time.
Result<SceneResult> drawReference(const Scene &scene);

} // namespace dovetail
