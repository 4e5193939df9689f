// SPDX-License-Identifier: MIT
//
// The tables of buffer descriptors (V#, 16 bytes each) that the driver sets up: the global table, which every program
// can reach, and the transform feedback buffers.
#pragma once

#include "src/abi/value.h"
#include <llvm/IR/IRBuilder.h>

namespace lgc {

// Entries of ValueKind::GlobalTable: PAL's ShaderRingSrd (gfx6ShaderRingSet.h, gfx9ShaderRingSet.h) and LLPC's
// (lgc/state/Abi.h). The table of ValueKind::StreamoutTable has one for each transform feedback buffer.
enum GlobalTableEntry : unsigned {
  EsRingOut = 2,  // GFX8: swizzled, for the writing ES
  GsRingIn = 3,   // GFX8: the same memory, for the reading GS
  GsRingOut = 4,  // the GSVS ring: only its base address counts
  CopyRingIn = 8, // the same memory, for the reading copy shader
  TessFactorBuffer = 9,
  OffchipBuffer = 10,
  SamplePositions = 12, // src/abi/sample_positions.h
  // Not one of PAL's, whose table ends with entry 12 on GFX8 and 16 on GFX9 (gfx6ShaderRingSet.h, gfx9ShaderRingSet.h,
  // ShaderRingSrd).
  PolygonStipple = 32, // 32 rows of 32 pixels, a dword each
};

// Loads a descriptor: <4 x i32>, the same in all lanes. `table` is the table's SGPR. Makes HardwareValueOp and
// ExtendAddressOp, so it is for passes in front of lowerUserData.
llvm::Value *loadTableEntry(llvm::IRBuilderBase &builder, dovetail::ValueKind table, unsigned entry);

// What the operand of llvm.amdgcn.raw.buffer.load and .store says about caches and addresses.
enum BufferPolicy : unsigned {
  GloballyCoherent = 1, // glc: past the vector L1 cache
  StreamOnce = 2,       // slc
  Swizzled = 8,         // the addresses of neighbouring dwords are not neighbours: accesses are not merged
};

} // namespace lgc
