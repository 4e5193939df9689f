// SPDX-License-Identifier: MIT
//
// Reads the "scene" object of a state file: the data that is drawn with the state. docs/state-file.md describes it.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <string>
#include <string_view>

namespace dovetail {

// Members of the object replace those of the scene; the rest of the scene stays. A file without a scene changes
// nothing. Errors: Io; InvalidInput naming the place in the file and what was expected there.
Result<void> readSceneFile(const std::string &path, Scene &scene);

// Does the same from text. `name` is the name in Errors; files in the text are relative to its folder.
Result<void> parseScene(std::string_view text, const std::string &name, Scene &scene);

} // namespace dovetail
