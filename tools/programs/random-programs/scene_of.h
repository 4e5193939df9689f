// SPDX-License-Identifier: MIT
//
// Makes a scene of a random shader and its data, for the emulator, lavapipe and RADV's code, and a state file for
// `dovetail draw`.
#pragma once

#include "src/base/error.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/programs/random-programs/interpret/interpret.h"
#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

// A stage's SPIR-V.
struct StageModule {
  Stage stage = Stage::Compute;
  std::vector<uint32_t> words;
};
lgc::ShaderStage stageOf(Stage stage);

// Errors: those of createShader() and makeShaderSet().
Result<DrawCase> caseOf(const Shader &shader, const std::vector<StageModule> &modules, unsigned optimizationLevel);

std::string stateFileOf(const Shader &shader);

// The first word that differs from the interpreter's, and the number of words that differ.
struct Difference {
  size_t count = 0;
  std::optional<uint32_t> program; // the small program that owns the word, if one does
  std::string text;
};
Difference compareWords(const Shader &shader, const Scene &scene, const SceneResult &result,
                        const Interpretation &expected);

} // namespace dovetail::random_programs
