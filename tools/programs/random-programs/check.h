// SPDX-License-Identifier: MIT
//
// A random shader compiled, executed in the emulator, and compared word by word with what the interpreter has.
#pragma once

#include "tools/common/command/worker_pool.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/programs/random-programs/program/program.h"
#include "tools/programs/random-programs/scene_of.h"
#include <functional>
#include <optional>

namespace dovetail::random_programs {

// One way to run a shader.
struct Way {
  std::string gpu = "gfx900";
  DrawnCode code = DrawnCode::Joined;
  unsigned optimizationLevel = 2;
  bool isGlsl = false;     // by way of GLSL and glslang; what GLSL cannot say is left out
  std::string spirvPasses; // spirv-opt's, which the module goes through before
};
std::string toString(const Way &way);

enum class FindingKind : uint8_t {
  None,
  WrongWord,
  Refused, // an Error of the compiler, of checkImage() or of the emulator
  Crash,   // the process has gone
  Hang,
  Undefined, // the program is no valid one
  Producer,  // spirv-opt failed, or it or glslang made an invalid module
};
std::string_view toString(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::None;
  std::string text;                // what is wrong, in a line
  std::optional<uint32_t> program; // the small program, if it is known
  Way way;
};

// Before the first child process, so that none has to do it.
void openDevices(const std::vector<std::string> &gpus);

// In this process, which a crash of the compiler ends. `written`: what is compiled instead of the shader, to plant a
// defect.
Finding check(const Shader &shader, const Way &way, const Shader *written = nullptr);

// A Finding through a pipe.
std::string encode(const Finding &finding);
Finding decode(const WorkerReply &reply, const Way &way);

// Whether a reduced shader fails as the whole one did.
bool isSameFailure(const Finding &first, const Finding &second);

// What is compiled for a way: the shader without what the way cannot say.
Shader shaderFor(const Shader &shader, const Way &way);
// As SPIR-V, which glslang has made and spirv-opt has changed if the way says so. Errors: InvalidInput.
Result<std::vector<StageModule>> modulesFor(const Shader &shader, const Way &way,
                                            SubgroupSpelling subgroups = SubgroupSpelling::Own);

// Of the shader's words, who agrees with the interpreter: lavapipe, and RADV's code for the way's GPU. They get the
// modules that are compiled.
std::string askOthers(const Shader &shader, const Way &way);
// What askOthers() begins with if lavapipe does not; the first word that differs follows, as Finding::text has it.
constexpr std::string_view LavapipeHas = "lavapipe is not: ";

} // namespace dovetail::random_programs
