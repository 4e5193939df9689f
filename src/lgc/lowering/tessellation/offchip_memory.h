// SPDX-License-Identifier: MIT
//
// A control shader's outputs reach the evaluation shader through memory: the off-chip buffer. A group of patches has a
// part of it, which begins at OffchipOffset:
//
//   per vertex  ((slot * PatchesPerGroup + patch) * TcsOutputVertices + vertex) * 16
//   per patch   OffchipPatchBase + (slot * PatchesPerGroup + patch) * 16
//
// `patch` is the patch's number in the group. Lanes that work on neighbouring vertices access neighbouring memory.
#pragma once

#include "src/lgc/state/patch_dword.h"
#include <llvm/IR/IRBuilder.h>

namespace lgc {

class OffchipMemory {
public:
  // relPatch: the patch's number in its group; outputVertices: vertices of a patch. The builder must stand where both
  // are available and which dominates all accesses.
  OffchipMemory(llvm::IRBuilderBase &builder, llvm::Value *relPatch, llvm::Value *outputVertices);

  llvm::Value *load(llvm::IRBuilderBase &builder, const PatchDword &dword) const;
  void store(llvm::IRBuilderBase &builder, const PatchDword &dword, llvm::Value *value) const;

private:
  struct Address {
    llvm::Value *perLane;
    llvm::Value *perWave;
  };
  Address addressOf(llvm::IRBuilderBase &builder, const PatchDword &dword) const;

  llvm::Value *m_relPatch;
  llvm::Value *m_outputVertices;
  llvm::Value *m_descriptor;
  llvm::Value *m_groupOffset;    // OffchipOffset
  llvm::Value *m_patchBase;      // OffchipPatchBase
  llvm::Value *m_patchSlotBytes; // from a slot to the next
  llvm::Value *m_vertexSlotBytes;
};

// x * y of numbers below 2^24, with an instruction of full rate. y may be a constant.
llvm::Value *multiply24(llvm::IRBuilderBase &builder, llvm::Value *x, llvm::Value *y);

} // namespace lgc
