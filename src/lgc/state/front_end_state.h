// SPDX-License-Identifier: MIT
//
// FrontEndState: what a front end says about the pipeline beside its shaders, as plain data. Pipeline::irLink() writes
// it to the module's metadata, and a compile begins by reading it back, so a linked module can be kept as text and
// compiled elsewhere.
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
  uint32_t stageMask = 0; // stageBit()s; 0: not said
  Options options;
  std::array<ShaderOptions, ShaderStageCount> shaderOptions; // by ShaderStage
  dovetail::ResourceForms resourceForms;
  uint32_t deviceIndex = DeviceIndexOfDriver;
  // What the rest of the pipeline and its state let this compile assume. Passes ask InterShaderData.
  dovetail::StageKnowledge knowledge;

  // Writes it to the module's metadata, replacing what is there.
  void record(llvm::Module &module) const;
  // Whether the module carries one, malformed or not.
  static bool isIn(const llvm::Module &module);
  // Replaces it by that of the module. False, and nothing changed, if it is malformed.
  bool read(const llvm::Module &module);
};

} // namespace lgc
