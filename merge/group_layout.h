// SPDX-License-Identifier: MIT
//
// How the threads of tessellation and geometry programs are put into groups, and how a group shares out LDS and the
// off-chip buffer. The join decides it, from the slots that both sides of each border write and read and from the
// state. The values reach the code as link constants and the hardware as registers.
#pragma once

#include "src/abi/interface/link_constant.h"
#include "src/abi/interface/shader_interface.h"
#include "src/base/error.h"
#include <cstdint>

namespace dovetail {

struct Image;

// An LS-HS group. Its LDS holds the vertices of all patches (lsVertexStride each), then each patch's outputs
// (ldsPatchStride). Its part of the off-chip buffer holds the per-vertex outputs: slot by slot, in each slot patch by
// patch, vertex by vertex. From offchipPatchBase on, it holds the per-patch outputs: slot by slot, patch by patch. Each
// output takes 16 bytes.
struct TessellationLayout {
  uint32_t inputControlPoints = 0, outputControlPoints = 0; // of a patch
  uint32_t patchesPerGroup = 0;
  uint32_t lsVertexStride = 0; // bytes
  uint32_t ldsPatchStride = 0; // bytes of a patch's outputs
  uint32_t outputBase = 0;     // bytes from the start of the LDS
  uint32_t offchipPatchBase = 0;
  uint32_t ldsBytes = 0;     // of a group
  uint32_t offchipBytes = 0; // of a group
};

// The geometry program. GFX9: an ES-GS group has its ESGS ring in LDS. GFX8: the ESGS ring is in memory, and the group
// sizes are 0.
struct GeometryLayout {
  uint32_t esVertexStride = 0; // bytes: VGT_ESGS_RING_ITEMSIZE * 4
  uint32_t esVerticesPerGroup = 0;
  uint32_t gsPrimitivesPerGroup = 0;         // without instancing
  uint32_t gsInstancePrimitivesPerGroup = 0; // without instancing, times the invocations
  uint32_t ldsBytes = 0;
  // The GSVS ring, in dwords: the size that one lane of a wave takes for each stream.
  uint32_t gsvsItemDwords[MaxVertexStreams] = {};
};

// Errors: StateMismatch if the number is not in 1 to 32.
Result<void> checkPatchControlPoints(uint32_t patchControlPoints);

// Errors: those of checkPatchControlPoints(); StateMismatch if control and evaluation shader contradict each other, or
// if neither of them declares the tessellator's primitives; JoinRefused if one patch is too large for LDS or for the
// off-chip buffer, with the sizes.
Result<TessellationLayout> layOutTessellation(const ShaderInterface &vertex, const ShaderInterface &control,
                                              const ShaderInterface &evaluation, uint32_t patchControlPoints);

// `es` is the shader in front of the geometry shader; ringInLds: GFX9. Errors: JoinRefused if one primitive is too
// large for LDS or a vertex too large for the GSVS ring, with the sizes.
Result<GeometryLayout> layOutGeometry(const ShaderInterface &es, const ShaderInterface &geometry, bool ringInLds);

// The value of a link constant in an image whose groups are laid out. Errors: JoinRefused if the image has no stages
// that decide it.
Result<uint32_t> linkConstantValue(const Image &image, LinkConstant constant);

} // namespace dovetail
