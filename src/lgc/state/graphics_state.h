// SPDX-License-Identifier: MIT
//
// GraphicsState is what a front end says about a pipeline that linking needs and no shader's own code. It is the
// metadata `lgc.graphics.state` of a pipeline module (src/lgc/pipeline_module.h).
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

  // Writes it to the module's metadata; replaces a state that is there.
  void record(llvm::Module &module) const;
  // Removes it from the module.
  static void erase(llvm::Module &module);
  // Whether the module carries one, malformed or not.
  static bool isIn(const llvm::Module &module);
  // Replaces this state by that of the module. If that is malformed, returns false and changes nothing.
  bool read(const llvm::Module &module);
};

} // namespace lgc
