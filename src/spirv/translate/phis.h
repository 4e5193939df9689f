// SPDX-License-Identifier: MIT
//
// The phis of a function. The values of a phi may be defined behind it, so its incoming values are added once the whole
// function is translated.
#pragma once

#include "src/spirv/translate/ops/services.h"

namespace dovetail::spirv {

// Where a function's blocks start and end, by label.
struct BlockMap {
  std::unordered_map<uint32_t, VariableValues::Stretch *> stretchOf; // only reachable blocks have one
  std::unordered_map<uint32_t, llvm::BasicBlock *> endOf;            // the LLVM block with its terminator
};

class Phis {
public:
  explicit Phis(Services &services) : m_services(services), m_builder(services.builder) {}

  // Binds the result of an OpPhi in this block. Error: Unsupported for types that have no values.
  Result<void> add(const Instruction &inst, uint32_t block);
  // Adds the values that come in along all edges. Error: Unsupported if these are of different kinds.
  Result<void> complete(const BlockMap &blocks);

private:
  struct Phi {
    const Instruction *inst;
    uint32_t block;
    llvm::SmallVector<llvm::PHINode *, 2> parts; // two for a pointer into a buffer
    PointeeLayout layout;                        // of a pointer
    // A large composite. `composite`: its value; `incoming`: its value at the block's next start. `composite` does not
    // change along other edges and for other phis.
    std::optional<Pointer> composite = {};
    Pointer incoming = {};
  };
  Result<void> addPointer(Phi &phi);
  llvm::PHINode *makePart(Phi &phi, llvm::Type *type);
  Result<void> complete(const Phi &phi, const BlockMap &blocks);
  // The values that come in along one edge, one for each of the parts.
  Result<llvm::SmallVector<llvm::Value *, 2>> incomingValues(const Phi &phi, uint32_t id);

  Services &m_services;
  lgc::Builder &m_builder;
  std::vector<Phi> m_phis;
};

} // namespace dovetail::spirv
