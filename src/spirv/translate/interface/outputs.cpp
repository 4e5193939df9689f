// SPDX-License-Identifier: MIT
#include "src/spirv/translate/interface/outputs.h"
#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

namespace {

constexpr uint32_t MaxStride = 2048; // bytes; Vulkan's maxTransformFeedbackBufferDataStride is at least 512

// Each emission writes all outputs; real shaders have a few emissions.
constexpr size_t MaxEmissions = 2048;

} // namespace

Result<void> Outputs::visitLeaves(const Variable &variable, const VisitLeaf &visit) {
  Instruction inst; // for error texts
  inst.opcode = spv::Op::OpVariable;
  inst.result = variable.id;
  OutputLeaf leaf;
  const std::function<Result<void>(const TypeInfo &, const InterfacePlace &)> descend =
      [&](const TypeInfo &info, const InterfacePlace &place) -> Result<void> {
    if (!info.hasParts()) {
      leaf.type = &info;
      leaf.place = place;
      DOVETAIL_CHECK(visit(leaf));
      ++leaf.number;
      return {};
    }
    for (uint32_t i = 0; i < info.partCount(); ++i) {
      const InterfacePart part = DOVETAIL_TRY(m_places.part(inst, info, place, i));
      leaf.path.push_back(i);
      DOVETAIL_CHECK(descend(part.type, part.place));
      leaf.path.pop_back();
    }
    return {};
  };
  return descend(m_context.type(variable.type), DOVETAIL_TRY(m_places.of(inst, variable.id)));
}

Result<void>
Outputs::visitStored(const std::function<Result<void>(const Variable &, const OutputLeaf &, uint32_t mask)> &visit) {
  for (const Variable &variable : m_context.variables)
    if (!variable.writtenMasks.empty())
      DOVETAIL_CHECK(visitLeaves(variable, [&](const OutputLeaf &leaf) -> Result<void> {
        const uint32_t mask = variable.writtenMasks[leaf.number];
        return mask ? visit(variable, leaf, mask) : Result<void>();
      }));
  return {};
}

Result<void> Outputs::noteStore(const Instruction &inst, const Pointer &pointer) {
  if (!pointer.variable)
    return unsupported(inst, "a store to an output through a variable pointer is not supported");
  Variable &variable = *pointer.variable;
  const std::vector<uint32_t> &stored = pointer.outputPath;
  return visitLeaves(variable, [&](const OutputLeaf &leaf) -> Result<void> {
    if (variable.writtenMasks.size() <= leaf.number)
      variable.writtenMasks.resize(leaf.number + 1);
    size_t common = std::min(stored.size(), leaf.path.size());
    if (!std::equal(stored.begin(), stored.begin() + common, leaf.path.begin()))
      return {};
    if (stored.size() > leaf.path.size() && stored[leaf.path.size()] < 32)
      variable.writtenMasks[leaf.number] |= 1u << stored[leaf.path.size()];
    else
      variable.writtenMasks[leaf.number] |= (1u << (leaf.type->kind == TypeKind::Vector ? leaf.type->count : 1)) - 1;
    return {};
  });
}

Result<void> Outputs::emitVertex(const Instruction &inst, unsigned stream) {
  if (m_emissions.size() >= MaxEmissions)
    return unsupported(inst, fmt::format("more than {} places that emit vertices are not supported", MaxEmissions));
  llvm::BasicBlock *after = m_context.createBlock();
  llvm::Instruction *terminator = m_builder.CreateBr(after);
  m_emissions.push_back({terminator, &m_variableValues.current(), stream});
  m_builder.SetInsertPoint(after);
  m_variableValues.goOn(terminator);
  m_builder.CreateEmitVertex(stream);
  return {};
}

Result<void> Outputs::finish() {
  VariableValues::Stretch &exit = m_variableValues.current();
  for (const Emission &emission : m_emissions) {
    m_builder.SetInsertPoint(emission.terminator);
    m_variableValues.enter(*emission.stretch);
    DOVETAIL_CHECK(write(emission.stream));
  }
  m_variableValues.enter(exit);
  m_builder.SetInsertPoint(m_context.exitBlock);
  if (m_context.options.stage != lgc::ShaderStage::Geometry)
    DOVETAIL_CHECK(write(0));
  if (!m_builder.shaderModes().transformFeedback)
    return {};
  return visitStored([&](const Variable &variable, const OutputLeaf &leaf, uint32_t mask) {
    return captureLeaf(variable, leaf, mask);
  });
}

Result<void> Outputs::write(unsigned stream) {
  return visitStored([&](const Variable &variable, const OutputLeaf &leaf, uint32_t mask) {
    return leaf.place.stream == stream ? writeLeaf(variable, leaf, mask) : Result<void>();
  });
}

Result<void> Outputs::writeLeaf(const Variable &variable, const OutputLeaf &leaf, uint32_t mask) {
  Pointer place = *m_context.values.find(variable.id)->pointer;
  for (uint32_t index : leaf.path)
    m_ownMemory.step(place, m_builder.getInt32(index));
  llvm::Value *value = m_ownMemory.load(place, {});

  if (leaf.place.builtIn) {
    // Only transform feedback sees vertices of other streams than the first.
    const bool isSeen = leaf.place.stream == 0 ||
                        (m_builder.shaderModes().transformFeedback && leaf.place.xfbOffset && leaf.place.xfbStride);
    if (!isSeen)
      return {};
    m_builder.CreateWriteBuiltInOutput(value, *leaf.place.builtIn, leaf.place.arrayIndex, nullptr);
    return {};
  }
  if (!leaf.place.hasLocation)
    return makeError(ErrorCode::Unsupported,
                     "OpVariable %{}: an output with neither Location nor BuiltIn is not supported", variable.id);
  bool isVector = leaf.type->kind == TypeKind::Vector;
  const auto &element = isVector ? m_context.type(leaf.type->element) : *leaf.type;
  uint32_t index = 0;
  if (m_context.declarations.decoration(variable.id, spv::Decoration::Index).value_or(0))
    index = lgc::SecondBlendSource;
  if (element.kind == TypeKind::Int && element.isSigned)
    index |= lgc::SignedOutput;
  index |= leaf.place.stream << lgc::OutputStreamShift;
  uint32_t width = TypeTable::componentsOf(element);
  // Each run of consecutive stored components is one write.
  for (uint32_t first = 0; mask >> first;) {
    if (!(mask >> first & 1)) {
      ++first;
      continue;
    }
    uint32_t end = first;
    while (mask >> end & 1)
      ++end;
    llvm::Value *part = value;
    if (isVector && end - first == 1) {
      part = m_builder.CreateExtractElement(value, uint64_t(first));
    } else if (isVector && end - first < leaf.type->count) {
      llvm::SmallVector<int, 4> shuffle;
      for (uint32_t i = first; i < end; ++i)
        shuffle.push_back(i);
      part = m_builder.CreateShuffleVector(value, shuffle);
    }
    uint32_t component = leaf.place.component + first * width;
    m_builder.CreateWriteGenericOutput(part, leaf.place.location + component / 4, m_builder.getInt32(0), component % 4,
                                       (component % 4 + (end - first) * width + 3) / 4, index, nullptr);
    first = end;
  }
  return {};
}

Result<void> Outputs::captureLeaf(const Variable &variable, const OutputLeaf &leaf, uint32_t mask) {
  const InterfacePlace &place = leaf.place;
  if (!place.xfbOffset || place.xfbStride == 0)
    return {};
  const TypeInfo &element = leaf.type->kind == TypeKind::Vector ? m_context.type(leaf.type->element) : *leaf.type;
  if (element.width < 32)
    return makeError(ErrorCode::Unsupported, "OpVariable %{}: transform feedback of {}-bit values is not supported",
                     variable.id, element.width);
  uint32_t words = TypeTable::componentsOf(element);
  for (uint32_t i = 0; mask >> i; ++i) {
    if (!(mask >> i & 1))
      continue;
    for (uint32_t word = i * words; word < (i + 1) * words; ++word) {
      uint32_t offset = *place.xfbOffset + word * 4;
      if (place.xfbBuffer >= MaxXfbBuffers || place.xfbStride > MaxStride || offset + 4 > place.xfbStride)
        return makeError(ErrorCode::Unsupported,
                         "OpVariable %{}: transform feedback to offset {} of stride {} in buffer {} is not supported",
                         variable.id, offset, place.xfbStride, place.xfbBuffer);
      unsigned first = place.builtIn ? static_cast<unsigned>(*place.builtIn) : place.location;
      unsigned component = place.component + word;
      if (place.builtIn && place.arrayIndex)
        component += llvm::cast<llvm::ConstantInt>(place.arrayIndex)->getZExtValue();
      else if (!place.builtIn) {
        first += component / 4;
        component %= 4;
      }
      m_builder.CreateCaptureOutput(place.builtIn.has_value(), first, component, place.xfbBuffer, place.xfbStride,
                                    offset, place.stream);
    }
  }
  return {};
}

} // namespace dovetail::spirv
