// SPDX-License-Identifier: MIT
//
// Compiles a random shader, runs it in the emulator, and compares its results with the interpreter's, word by word.
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
  bool isGlsl = false;     // goes through GLSL and glslang; programs that GLSL cannot say are left out
  std::string spirvPasses; // spirv-opt's passes for the module
};
std::string toString(const Way &way);

enum class FindingKind : uint8_t {
  None,
  WrongWord,
  Refused, // an Error of the compiler, of checkImage() or of the emulator
  Crash,   // the process has died
  Hang,
  Undefined, // the program itself is not valid
  Producer,  // spirv-opt failed, or spirv-opt or glslang made an invalid module
};
std::string_view toString(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::None;
  std::string text;                // the error, in a line
  std::optional<uint32_t> program; // the small program with the error, if it is known
  Way way;
  FirstCodeCounts firstCode; // DrawnCode::FirstCode; not encoded
};

// To be called before the first child process: children then inherit the devices.
void openDevices(const std::vector<std::string> &gpus);

// Checks in this process; a crash of the compiler ends it. `written` is compiled instead of the shader: tests plant a
// defect this way.
Finding check(const Shader &shader, const Way &way, const Shader *written = nullptr);

// Encodes a Finding for a pipe.
std::string encode(const Finding &finding);
Finding decode(const WorkerReply &reply, const Way &way);

// Whether a reduced shader fails in the same way as the whole one.
bool isSameFailure(const Finding &first, const Finding &second);

// The shader without the programs that the way cannot express.
Shader shaderFor(const Shader &shader, const Way &way);
// The shader as SPIR-V, made by glslang and changed by spirv-opt if the way says so. Errors: InvalidInput.
Result<std::vector<StageModule>> modulesFor(const Shader &shader, const Way &way,
                                            SubgroupSpelling subgroups = SubgroupSpelling::Own);

// Asks lavapipe, and RADV's code for the way's GPU, whether their words agree with the interpreter's. Both get the
// modules that are compiled.
std::string askOthers(const Shader &shader, const Way &way);
// The beginning of askOthers() if lavapipe differs; the first wrong word follows, in Finding::text's form.
constexpr std::string_view LavapipeHas = "lavapipe is not: ";

} // namespace dovetail::random_programs
