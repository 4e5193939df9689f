// SPDX-License-Identifier: MIT
//
// The "scene" object of a state file: what is drawn with the state. docs/state-file.md describes it.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <string>
#include <string_view>

namespace dovetail {

// What the object names replaces what is in the scene; the rest stays as it is. A file without a scene changes nothing.
// Errors: Io; InvalidInput naming the place in the file and what was expected there.
Result<void> readSceneFile(const std::string &path, Scene &scene);

// The same from text; `name` is what Errors call it, and the files that it names are looked for beside it.
Result<void> parseScene(std::string_view text, const std::string &name, Scene &scene);

} // namespace dovetail
