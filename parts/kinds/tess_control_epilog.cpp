// SPDX-License-Identifier: MIT
#include "parts/kinds/tess_control_epilog.h"
#include "parts/kinds/key_bytes.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

namespace {

constexpr unsigned WaveSize = 64;

std::string_view toString(TessPrimitive primitive) {
  switch (primitive) {
  case TessPrimitive::Triangles:
    return "triangles";
  case TessPrimitive::Quads:
    return "quads";
  case TessPrimitive::Isolines:
    return "isolines";
  case TessPrimitive::Undeclared:
    break;
  }
  return "undeclared";
}

bool hands(const ShaderInterface &main, ValueKind kind) {
  return std::ranges::find(main.outputs, ValueName{kind}, &Binding::value) != main.outputs.end();
}

// The function has an argument for each input, and LLVM numbers those of each bank from 0.
bool isWithoutHoles(const std::vector<Binding> &inputs) {
  uint16_t next[2] = {};
  return std::ranges::all_of(inputs,
                             [&](const Binding &input) { return input.reg.index == next[size_t(input.reg.bank)]++; });
}

} // namespace

Result<TessControlEpilogKey> makeTessControlEpilogKey(const ShaderInterface &main, const ShaderInterface &evaluation,
                                                      const TargetInfo &target) {
  TessellationInterface modes = combineTessellation(main.tessellation, evaluation.tessellation);
  if (modes.primitive == TessPrimitive::Undeclared)
    return makeError(ErrorCode::StateMismatch, "neither tessellation shader says what primitives are tessellated");

  TessControlEpilogKey key;
  key.gpuName = target.gpuName;
  key.inputs = main.outputs;
  std::ranges::sort(key.inputs, {}, &Binding::reg);
  key.primitive = modes.primitive;
  key.factorsInLds = !modes.factorsInRegisters;
  key.needsBarrier = key.factorsInLds && (modes.outputVertices == 0 || WaveSize % modes.outputVertices != 0);
  key.evaluationReadsFactors = modes.readsFactors;
  key.writesControlWord = target.gfxIp.major <= 8;

  bool isComplete = isWithoutHoles(key.inputs);
  for (ValueKind kind : {ValueKind::GlobalTable, ValueKind::OffchipOffset, ValueKind::TessFactorOffset,
                         ValueKind::RelPatchId, ValueKind::TessInvocationId, ValueKind::TessFactorLds})
    isComplete &= hands(main, kind);
  if (!isComplete)
    return makeError(ErrorCode::Internal, "the tessellation control main part does not hand on what its epilog takes");
  return key;
}

PartKey TessControlEpilogKey::partKey() const {
  return {Kind, hashKey(*this)};
}

std::string TessControlEpilogKey::describe() const {
  std::string text = fmt::format("{}, factors in {}", toString(primitive), factorsInLds ? "LDS" : "registers");
  if (needsBarrier)
    text += ", barrier";
  if (evaluationReadsFactors)
    text += ", factors also off-chip";
  if (writesControlWord)
    text += ", control word";
  return text;
}

Contract TessControlEpilogKey::contract() const {
  Contract contract;
  for (const Binding &input : inputs) {
    const ValueName &value = input.value;
    bool isRead = true;
    if (value.kind == ValueKind::OffchipOffset)
      isRead = evaluationReadsFactors;
    else if (value.kind == ValueKind::TessFactorLds)
      isRead = factorsInLds;
    else if (value.kind == ValueKind::TessFactorOuter)
      isRead = !factorsInLds && value.index < outerFactorCount(primitive);
    else if (value.kind == ValueKind::TessFactorInner)
      isRead = !factorsInLds && value.index < innerFactorCount(primitive);
    if (isRead)
      contract.inputs.push_back(input);
  }
  contract.endsProgram = true;
  return contract;
}

} // namespace dovetail
