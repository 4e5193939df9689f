// SPDX-License-Identifier: MIT
//
// GraphicsState: what a front end says of a pipeline that no shader's own code depends on, as the metadata
// `lgc.graphics.state` of a pipeline module (src/lgc/pipeline_module.h). Linking needs it.
#pragma once

#include "src/state/pipeline_state.h"
#include "src/state/user_data_nodes.h"

namespace llvm {
class Module;
}

namespace lgc {

struct GraphicsState {
  dovetail::PipelineState state;
  dovetail::UserDataNodes userDataNodes;
  std::vector<uint32_t> immutableSamplers; // the dwords of nodes of that type, and of YCbCr conversions

  bool operator==(const GraphicsState &) const = default;

  // Replaces what the module has.
  void record(llvm::Module &module) const;
  // Takes it out of the module.
  static void erase(llvm::Module &module);
  // Whether the module carries one, malformed or not.
  static bool isIn(const llvm::Module &module);
  // Replaces it by that of the module. False, and nothing changed, if it is malformed.
  bool read(const llvm::Module &module);
};

} // namespace lgc
