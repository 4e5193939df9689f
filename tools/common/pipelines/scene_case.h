// SPDX-License-Identifier: MIT
//
// Reads a scene file (tools/proof/scene/scene_file.h), which the layer writes for a draw that differs, as a case to
// draw.
#pragma once

#include "tools/common/pipelines/draw_case.h"

namespace dovetail {

// Whether a name on a command line names a scene: "draw.scene".
bool namesScene(std::string_view name);

// All of the case is the file's: nothing is made up. Errors: those of readWholeFile(), readScene(), createShader() and
// makeShaderSet().
Result<DrawCase> readSceneCase(const std::string &path);

} // namespace dovetail
