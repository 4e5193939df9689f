// SPDX-License-Identifier: MIT
#include "tools/proof/reference/adapt/min_lod.h"
#include "tools/proof/reference/adapt/glsl_import.h"
#include <bit>
#include <optional>
#include <spirv/unified1/GLSL.std.450.h>
#include <unordered_map>
#include <utility>

namespace dovetail {

namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t BiasMask = 0x1, LodMask = 0x2, GradMask = 0x4, MinLodMask = 0x80;

class Rewriter {
public:
  explicit Rewriter(const Words &words)
      : m_words(words), m_bound(words[SpirvBoundWord]), m_glsl(findGlslImport(words)) {
    eachInstruction(words, [&](SpirvInstruction inst) { index(inst); });
  }

  Words run() {
    if (!m_isNeeded || m_float == 0)
      return m_words;
    m_out.assign(m_words.begin(), m_words.begin() + SpirvHeaderWords);
    appendInstruction(m_out, spv::Op::OpCapability, {static_cast<uint32_t>(spv::Capability::ImageQuery)});
    eachInstruction(m_words, [&](SpirvInstruction inst) {
      if (opcodeOf(inst) == spv::Op::OpMemoryModel && m_glsl == 0)
        appendGlslImport(m_out, m_glsl = m_bound++);
      if (opcodeOf(inst) == spv::Op::OpFunction && m_pair == 0) {
        m_pair = m_bound++;
        appendInstruction(m_out, spv::Op::OpTypeVector, {m_pair, m_float, 2});
      }
      const bool isRepeated = opcodeOf(inst) == spv::Op::OpCapability &&
                              static_cast<spv::Capability>(inst[1]) == spv::Capability::ImageQuery;
      if (!isRepeated && !rewrite(inst))
        m_out.insert(m_out.end(), inst.begin(), inst.end());
    });
    m_out[SpirvBoundWord] = m_bound;
    return std::move(m_out);
  }

private:
  struct Image {
    uint32_t coordinates = 0; // without the layer; 0: such images are not rewritten
    bool isArrayed = false;
  };

  void index(SpirvInstruction inst) {
    switch (opcodeOf(inst)) {
    case spv::Op::OpTypeFloat:
      if (inst[2] == 32)
        m_float = inst[1];
      return;
    case spv::Op::OpTypeVector:
      if (inst[2] == m_float && inst[3] == 2)
        m_pair = inst[1];
      return;
    case spv::Op::OpTypeImage: { // result, sampled type, dimension, depth, arrayed
      const auto dimension = static_cast<spv::Dim>(inst[3]);
      const uint32_t coordinates = dimension == spv::Dim::Dim1D   ? 1
                                   : dimension == spv::Dim::Dim2D ? 2
                                   : dimension == spv::Dim::Dim3D ? 3
                                                                  : 0;
      m_imageTypes[inst[1]] = {coordinates, inst[5] != 0};
      return;
    }
    case spv::Op::OpTypeSampledImage:
      m_imageTypes[inst[1]] = m_imageTypes[inst[2]];
      return;
    case spv::Op::OpLoad:
    case spv::Op::OpSampledImage:
    case spv::Op::OpCopyObject:
    case spv::Op::OpFunctionParameter:
      if (auto type = m_imageTypes.find(inst[1]); type != m_imageTypes.end())
        m_images[inst[2]] = type->second;
      return;
    default:
      m_isNeeded |= maskWord(inst).has_value();
    }
  }

  // The position of the operands' mask, if this instruction is to be changed.
  std::optional<size_t> maskWord(SpirvInstruction inst) const {
    const size_t word = opcodeOf(inst) == spv::Op::OpImageSampleImplicitLod       ? 5
                        : opcodeOf(inst) == spv::Op::OpImageSampleDrefImplicitLod ? 6
                                                                                  : 0;
    if (word == 0 || inst.size() <= word || !(inst[word] & MinLodMask) || (inst[word] & GradMask))
      return std::nullopt;
    auto image = m_images.find(inst[3]);
    return image == m_images.end() || image->second.coordinates == 0 ? std::nullopt : std::optional(word);
  }

  // The coordinate without its layer.
  uint32_t placeOf(uint32_t coordinate, const Image &image) {
    if (!image.isArrayed)
      return coordinate;
    const uint32_t place = m_bound++;
    if (image.coordinates == 1)
      appendInstruction(m_out, spv::Op::OpCompositeExtract, {m_float, place, coordinate, 0});
    else
      appendInstruction(m_out, spv::Op::OpVectorShuffle, {m_pair, place, coordinate, coordinate, 0, 1});
    return place;
  }

  bool rewrite(SpirvInstruction inst) {
    const std::optional<size_t> maskAt = maskWord(inst);
    if (!maskAt)
      return false;
    const uint32_t mask = inst[*maskAt];
    // Operands are in the order of their bits; MinLod is the last.
    SpirvInstruction operands = inst.subspan(*maskAt + 1);
    const size_t minLodAt = size_t(std::popcount(mask & (MinLodMask - 1)));
    const uint32_t minLod = operands[minLodAt];
    const uint32_t place = placeOf(inst[4], m_images.at(inst[3]));
    const uint32_t both = m_bound++, larger = m_bound++;
    uint32_t lod = m_bound++;
    appendInstruction(m_out, spv::Op::OpImageQueryLod, {m_pair, both, inst[3], place});
    appendInstruction(m_out, spv::Op::OpCompositeExtract, {m_float, lod, both, 1});
    if (mask & BiasMask) {
      const uint32_t biased = m_bound++;
      appendInstruction(m_out, spv::Op::OpFAdd, {m_float, biased, lod, operands[0]});
      lod = biased;
    }
    appendInstruction(m_out, spv::Op::OpExtInst, {m_float, larger, m_glsl, GLSLstd450FMax, lod, minLod});
    const size_t begin = m_out.size();
    m_out.insert(m_out.end(), inst.begin(), inst.begin() + *maskAt);
    m_out.push_back((mask & ~(BiasMask | MinLodMask)) | LodMask);
    m_out.push_back(larger);
    for (size_t i = mask & BiasMask ? 1 : 0; i < operands.size(); ++i)
      if (i != minLodAt)
        m_out.push_back(operands[i]);
    const spv::Op opcode = opcodeOf(inst) == spv::Op::OpImageSampleImplicitLod ? spv::Op::OpImageSampleExplicitLod
                                                                               : spv::Op::OpImageSampleDrefExplicitLod;
    m_out[begin] = static_cast<uint32_t>(m_out.size() - begin) << 16 | static_cast<uint32_t>(opcode);
    return true;
  }

  const Words &m_words;
  Words m_out;
  uint32_t m_bound = 0, m_glsl = 0, m_float = 0, m_pair = 0; // m_pair: two floats
  std::unordered_map<uint32_t, Image> m_imageTypes, m_images;
  bool m_isNeeded = false;
};

} // namespace

std::vector<uint32_t> withoutMinLod(const std::vector<uint32_t> &words) {
  return Rewriter(words).run();
}

} // namespace dovetail
