// SPDX-License-Identifier: MIT
//
// FrontEndState is what a front end says about the pipeline beside its shaders, as plain data. Pipeline::irLink()
// writes it to the module's metadata, and a compile begins by reading it back. So a linked module can be kept as text
// and compiled elsewhere.
#pragma once

#include "src/lgc/state/compile_options.h"
#include "src/lgc/state/shader_modes.h"
#include "src/state/resource_form.h"
#include "src/state/stage_knowledge.h"
#include <array>

namespace llvm {
class Module;
}

namespace lgc {

struct FrontEndState {
  uint32_t stageMask = 0; // stageBit()s; 0: not given
  Options options;
  std::array<ShaderOptions, ShaderStageCount> shaderOptions; // by ShaderStage
  dovetail::ResourceForms resourceForms;
  uint32_t deviceIndex = DeviceIndexOfDriver;
  // The facts about the rest of the pipeline and its state that this compile may assume. Passes ask InterShaderData.
  dovetail::StageKnowledge knowledge;

  // Writes it to the module's metadata; replaces a state that is there.
  void record(llvm::Module &module) const;
  // Whether the module carries one, malformed or not.
  static bool isIn(const llvm::Module &module);
  // Replaces this state by that of the module. If that is malformed, returns false and changes nothing.
  bool read(const llvm::Module &module);
};

} // namespace lgc
