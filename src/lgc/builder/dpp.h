// SPDX-License-Identifier: MIT
//
// Data-parallel primitives (DPP): a lane reads another lane of its quad, its row of 16, or its wave as part of a VALU
// instruction. The control numbers are DPP_CTRL of the "Vega" Instruction Set Architecture, section 13.3.9.
#pragma once

#include "src/lgc/builder/builder_impl.h"
#include <array>

namespace lgc {

namespace dpp {
constexpr unsigned RowShiftRight = 0x110; // + lanes, 1 to 15
constexpr unsigned WaveShiftRight1 = 0x138;
constexpr unsigned RowMirror = 0x140;
constexpr unsigned RowHalfMirror = 0x141;
constexpr unsigned RowBroadcast15 = 0x142; // lane 15 of each row to the next row
constexpr unsigned RowBroadcast31 = 0x143; // lane 31 to rows 2 and 3
constexpr unsigned AllRows = 0xf;
constexpr unsigned OddRows = 0xa;
constexpr unsigned UpperRows = 0xc;
} // namespace dpp

// For each lane of a quad, the lane that it reads.
using QuadPermutation = std::array<unsigned, 4>;

// Moves an i32 by a DPP control. Lanes of rows outside rowMask, and lanes whose source lane does not exist, get `old`.
Value *moveDpp(BuilderImpl &builder, Value *dword, unsigned control, Value *old, unsigned rowMask = dpp::AllRows);

// readLane: in all lanes, the i32 of lane number `lane`. swizzleXor: in each lane, the i32 of the lane whose number
// differs in `bits` (below 32).
Value *readLane(BuilderImpl &builder, Value *dword, Value *lane);
Value *swizzleXor(BuilderImpl &builder, Value *dword, unsigned bits);

// A scalar that is computed with helper lanes on: always, or only if other code in the shader needs them. Only fragment
// shaders have helper lanes. Do not use these within whole-wave mode.
Value *withWholeQuads(BuilderImpl &builder, Value *value);
Value *withQuadsOfShader(BuilderImpl &builder, Value *value);

// A scalar or vector of any type, permuted within each quad.
Value *permuteQuad(BuilderImpl &builder, Value *value, const QuadPermutation &permutation);

} // namespace lgc
