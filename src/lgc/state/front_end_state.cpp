// SPDX-License-Identifier: MIT
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/state_fields.h"
#include "src/lgc/state/struct_metadata.h"

namespace lgc {

namespace {

constexpr char StateMetadata[] = "lgc.pipeline.state";

} // namespace

void FrontEndState::record(llvm::Module &module) const {
  writeStructMetadata(module, StateMetadata, *this);
}

bool FrontEndState::isIn(const llvm::Module &module) {
  return module.getNamedMetadata(StateMetadata);
}

bool FrontEndState::read(const llvm::Module &module) {
  return readStructMetadata(module, StateMetadata, *this) == StructMetadata::Good;
}

} // namespace lgc
