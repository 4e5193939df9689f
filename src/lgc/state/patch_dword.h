// SPDX-License-Identifier: MIT
//
// PatchDword is one dword of an input or output of a tessellation stage, of a vertex of the patch or of the patch
// itself.
#pragma once

#include "src/abi/interface/interface_slots.h"
#include <llvm/IR/Constants.h>

namespace lgc {

// The operands that PatchInputOp, ReadPatchOutputOp and WritePatchOutputOp share.
struct PatchDword {
  unsigned slot;
  unsigned component;
  unsigned slotCount;
  llvm::Value *dwordOffset; // i32: distance from the component
  llvm::Value *vertexIndex; // i32; null: of the patch

  bool isPerVertex() const { return vertexIndex; }
  bool isAtConstant() const { return llvm::isa<llvm::ConstantInt>(dwordOffset); }

  // The dword's number, counted from slot 0, without a variable offset.
  unsigned firstDword() const {
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(dwordOffset);
    return slot * 4 + component + (constant ? static_cast<unsigned>(constant->getZExtValue()) : 0);
  }

  // The slots in which it may lie; none if it is behind all of them.
  dovetail::SlotMask slots() const {
    constexpr unsigned maskBits = sizeof(dovetail::SlotMask) * 8;
    const unsigned first = isAtConstant() ? firstDword() / 4 : slot, count = isAtConstant() ? 1 : slotCount;
    if (first >= maskBits)
      return 0;
    return (count < maskBits ? (dovetail::SlotMask(1) << count) - 1 : ~dovetail::SlotMask(0)) << first;
  }
};

template <typename PatchOp> PatchDword patchDwordOf(const PatchOp &op) {
  return {op.slot(), op.component(), op.slotCount(), op.dwordOffset(), op.vertexIndex()};
}

} // namespace lgc
