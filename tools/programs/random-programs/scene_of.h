// SPDX-License-Identifier: MIT
//
// A random shader with all that it reads, as a scene that the emulator, lavapipe and RADV's code can be given, and as a
// state file for `dovetail draw`.
#pragma once

#include "src/base/error.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/programs/random-programs/interpret/interpret.h"
#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

// The shaders of all stages.
struct StageModule {
  Stage stage = Stage::Compute;
  std::vector<uint32_t> words;
};
lgc::ShaderStage stageOf(Stage stage);

// Errors: those of createShader() and makeShaderSet().
Result<DrawCase> caseOf(const Shader &shader, const std::vector<StageModule> &modules, unsigned optimizationLevel);

std::string stateFileOf(const Shader &shader);

// The first word that differs from what the interpreter has, and how many do.
struct Difference {
  size_t count = 0;
  std::optional<uint32_t> program; // the small program whose word it is, if it is one's own
  std::string text;
};
Difference compareWords(const Shader &shader, const Scene &scene, const SceneResult &result,
                        const Interpretation &expected);

} // namespace dovetail::random_programs
