// SPDX-License-Identifier: MIT
//
// Output variables are allocas while the shader runs. The exit block, or each place where a geometry shader emits a
// vertex, writes every output that the shader stores to anywhere. An output that is declared but never stored to costs
// no export and no register; this holds down to single components of a vector. Transform feedback captures those
// outputs that have an Offset.
#include "src/spirv/translate/interface/output_leaf.h"
#include <algorithm>
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

Result<void> Translator::visitOutputLeaves(const Variable &variable,
                                           const std::function<Result<void>(const OutputLeaf &)> &visit) {
  Instruction inst; // for error texts
  inst.opcode = spv::Op::OpVariable;
  inst.result = variable.id;
  OutputLeaf leaf;
  DOVETAIL_CHECK(applyInterfaceDecorations(inst, m_module.decorations(variable.id), leaf.place));

  std::function<Result<void>(const TypeInfo &, const InterfacePlace &)> descend =
      [&](const TypeInfo &info, const InterfacePlace &place) -> Result<void> {
    switch (info.kind) {
    case TypeKind::Struct:
      for (uint32_t i = 0; i < info.members.size(); ++i) {
        InterfacePlace memberPlace = place;
        DOVETAIL_CHECK(enterMember(inst, info, i, memberPlace));
        leaf.path.push_back(i);
        DOVETAIL_CHECK(descend(type(info.members[i].type), memberPlace));
        leaf.path.pop_back();
      }
      return {};
    case TypeKind::Array:
    case TypeKind::Matrix: {
      InterfacePlace elementPlace = place;
      for (uint32_t i = 0; i < info.count; ++i) {
        if (place.builtIn)
          elementPlace.arrayIndex = m_builder.getInt32(i);
        leaf.path.push_back(i);
        DOVETAIL_CHECK(descend(type(info.element), elementPlace));
        leaf.path.pop_back();
        moveLocation(elementPlace, locationCountOf(type(info.element)));
        if (elementPlace.xfbOffset)
          *elementPlace.xfbOffset += captureSize(type(info.element));
      }
      return {};
    }
    default:
      leaf.type = &info;
      leaf.place = place;
      DOVETAIL_CHECK(visit(leaf));
      ++leaf.number;
      return {};
    }
  };
  // The walk changes leaf.place, so its start is copied.
  const InterfacePlace start = leaf.place;
  return descend(type(variable.type), start);
}

Result<void> Translator::noteOutputStore(const Instruction &inst, const Pointer &pointer) {
  if (!pointer.variable)
    return unsupported(inst, "a store to an output through a variable pointer is not supported");
  Variable &variable = *pointer.variable;
  const std::vector<uint32_t> &stored = pointer.outputPath;
  return visitOutputLeaves(variable, [&](const OutputLeaf &leaf) -> Result<void> {
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

Result<void> Translator::writeOutputs(unsigned stream) {
  for (const std::unique_ptr<Variable> &variable : m_variables) {
    if (variable->writtenMasks.empty())
      continue;
    DOVETAIL_CHECK(visitOutputLeaves(*variable, [&](const OutputLeaf &leaf) {
      bool isOther = leaf.place.stream != stream;
      return isOther ? Result<void>() : writeOutputLeaf(*variable, leaf, variable->writtenMasks[leaf.number]);
    }));
  }
  return {};
}

Result<void> Translator::writeOutputLeaf(const Variable &variable, const OutputLeaf &leaf, uint32_t mask) {
  if (mask == 0)
    return {};
  std::vector<Value *> indices = {m_builder.getInt32(0)};
  for (uint32_t index : leaf.path)
    indices.push_back(m_builder.getInt32(index));
  Value *memory = m_builder.CreateGEP(type(variable.type).memory, variable.memory, indices);
  Value *value = toValueForm(*leaf.type, m_builder.CreateLoad(leaf.type->memory, memory));

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
  const auto &element = isVector ? type(leaf.type->element) : *leaf.type;
  uint32_t index = 0;
  if (decorationOperand(variable.id, spv::Decoration::Index).value_or(0))
    index = lgc::SecondBlendSource;
  if (element.kind == TypeKind::Int && element.isSigned)
    index |= lgc::SignedOutput;
  index |= leaf.place.stream << lgc::OutputStreamShift;
  uint32_t width = componentsOf(element);
  // Each run of consecutive stored components is one write.
  for (uint32_t first = 0; mask >> first;) {
    if (!(mask >> first & 1)) {
      ++first;
      continue;
    }
    uint32_t end = first;
    while (mask >> end & 1)
      ++end;
    Value *part = value;
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

} // namespace dovetail::spirv
