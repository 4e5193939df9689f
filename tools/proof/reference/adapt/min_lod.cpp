// SPDX-License-Identifier: MIT
#include "tools/proof/reference/adapt/min_lod.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <algorithm>
#include <bit>
#include <spirv/unified1/GLSL.std.450.h>

namespace dovetail {

namespace {

using spv::Op;

constexpr uint32_t BiasMask = 0x1, LodMask = 0x2, GradMask = 0x4, MinLodMask = 0x80;

class Rewriter : SpirvEditor {
public:
  using SpirvEditor::SpirvEditor;

  Words run() {
    return rewrite([&](Instruction inst) {
      // Behind the image and the coordinate, and the depth to compare with.
      if (inst.opcode == Op::OpImageSampleImplicitLod)
        replace(inst, Op::OpImageSampleExplicitLod, 2);
      if (inst.opcode == Op::OpImageSampleDrefImplicitLod)
        replace(inst, Op::OpImageSampleDrefExplicitLod, 3);
      emit(inst);
    });
  }

private:
  // The number of coordinates without the layer; 0: such images are not rewritten.
  static uint32_t coordinatesOf(const Instruction &image) {
    return image.is(1, spv::Dim::Dim1D) ? 1 : image.is(1, spv::Dim::Dim2D) ? 2 : image.is(1, spv::Dim::Dim3D) ? 3 : 0;
  }

  // The coordinate without its layer.
  uint32_t placeOf(uint32_t coordinate, const Instruction &image) {
    constexpr size_t Arrayed = 3;
    if (image.operands[Arrayed] == 0)
      return coordinate;
    return coordinatesOf(image) == 1 ? emit(Op::OpCompositeExtract, m_float, {coordinate, 0})
                                     : emit(Op::OpVectorShuffle, m_pair, {coordinate, coordinate, 0, 1});
  }

  void replace(Instruction &inst, Op opcode, size_t maskAt) {
    const uint32_t mask = maskAt < inst.operands.size() ? inst.operands[maskAt] : 0, sampledImage = inst.operands[0];
    const Instruction *image = imageOf(typeOf(sampledImage));
    if (!(mask & MinLodMask) || (mask & GradMask) || !image || coordinatesOf(*image) == 0)
      return;
    declareCapability(spv::Capability::ImageQuery);
    const uint32_t glsl = declareImport("GLSL.std.450");
    m_float = declareType(Op::OpTypeFloat, {32});
    m_pair = declareType(Op::OpTypeVector, {m_float, 2});
    // Operands are in the order of their bits: the bias is the first, and MinLod is the last.
    const auto operand = inst.operands.begin() + ptrdiff_t(maskAt) + 1;
    const auto minLod = operand + std::popcount(mask & (MinLodMask - 1));
    const uint32_t both = emit(Op::OpImageQueryLod, m_pair, {sampledImage, placeOf(inst.operands[1], *image)});
    uint32_t lod = emit(Op::OpCompositeExtract, m_float, {both, 1});
    if (mask & BiasMask)
      lod = emit(Op::OpFAdd, m_float, {lod, *operand});
    lod = emit(Op::OpExtInst, m_float, {glsl, GLSLstd450FMax, lod, *minLod});
    inst.opcode = opcode;
    inst.operands[maskAt] = (mask & ~(BiasMask | MinLodMask)) | LodMask;
    // The LOD takes the place of the bias, or moves the others up to that of MinLod.
    if (!(mask & BiasMask))
      std::shift_right(operand, minLod + 1, 1);
    else
      inst.operands.erase(minLod);
    *operand = lod;
  }

  uint32_t m_float = 0, m_pair = 0; // m_pair: two floats
};

} // namespace

std::vector<uint32_t> withoutMinLod(const std::vector<uint32_t> &words) {
  return Rewriter(words).run();
}

} // namespace dovetail
