// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/shader_steps.h"
#include "src/lgc/state/pipeline_state.h"
#include <algorithm>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;
using dovetail::HardwareStage;
using dovetail::SlotComponents;
using dovetail::XfbOutput;

namespace lgc {

namespace {

bool isIn(const SlotComponents &components, VertexDword dword) {
  return dword.slot < components.size() && components[dword.slot] >> dword.component & 1;
}

// The FragmentOutputSlot and component of an output of a fragment shader.
std::optional<VertexDword> fragmentDwordOf(OutputSlot output, unsigned component) {
  switch (output.kind) {
  case OutputKind::Generic:
    return VertexDword{dovetail::ColorOutputSlot + output.slot, component};
  case OutputKind::Depth:
    return VertexDword{dovetail::DepthOutputSlot, 0};
  case OutputKind::Stencil:
    return VertexDword{dovetail::StencilOutputSlot, 0};
  case OutputKind::SampleMask:
    return VertexDword{dovetail::SampleMaskOutputSlot, 0};
  default:
    return std::nullopt;
  }
}

// Whether interpolation of three vertices with this float (of 16 or 32 bits) gives the same float. The hardware
// computes differences of vertices, which are NaN for infinity; it may flush denormals, and makes a zero positive.
bool isInterpolatedExactly(uint32_t bits, unsigned elementBits) {
  const fltSemantics &semantics = elementBits == 16 ? APFloat::IEEEhalf() : APFloat::IEEEsingle();
  APFloat value(semantics, APInt(32, bits).trunc(elementBits));
  return value.isNormal() || value.isPosZero();
}

class KnowledgeApplier {
public:
  KnowledgeApplier(Function &function, PipelineState &state)
      : m_function(function), m_state(state), m_others(state.interShaderData()), m_builder(function.getContext()) {}

  bool run() {
    if (m_others.dropsTransformFeedback())
      m_state.usage().xfb = {};
    for (Instruction &instruction : instructions(m_function))
      if (auto *read = dyn_cast<ReadPatchOutputOp>(&instruction))
        m_readBack.push_back(patchDwordOf(*read));
    findKeptComponents();
    bool hasFound = false;
    for (Instruction &instruction : make_early_inc_range(instructions(m_function)))
      if (auto *op = dyn_cast<Op>(&instruction))
        hasFound |= isUnwanted(*op) ? drop(*op) : replaceInput(*op);
    return hasFound;
  }

private:
  // Finds the lowest written component of each colour that must stay although all of its components are dropped.
  void findKeptComponents() {
    if (m_state.shaderModes().stage != ShaderStage::Fragment)
      return;
    SlotComponents written = {};
    for (Instruction &instruction : instructions(m_function))
      if (auto *write = dyn_cast<WriteOutputOp>(&instruction); write && write->kind() == OutputKind::Generic)
        if (std::optional<VertexDword> dword = fragmentDwordOf({write->kind(), write->slot()}, write->component());
            dword && dword->slot < written.size() && !isa<UndefValue>(write->value()))
          written[dword->slot] |= 1u << dword->component;
    for (unsigned slot = 0; slot < written.size(); ++slot) {
      uint8_t left = written[slot];
      for (unsigned component = 0; component < 4; ++component)
        if (left >> component & 1 && m_others.isOutputDropped(slot, component))
          left &= ~(1u << component);
      if (written[slot] && !left && m_others.isColorKept(slot))
        m_keptComponents[slot] = written[slot] & -written[slot];
    }
  }

  // Returns whether that changed anything.
  bool drop(Op &op) {
    auto *write = dyn_cast<WriteOutputOp>(&op);
    if (!write || m_state.shaderModes().stage != ShaderStage::Fragment)
      return erase(op);
    std::optional<VertexDword> dword = fragmentDwordOf({write->kind(), write->slot()}, write->component());
    if (!dword || !isIn(m_keptComponents, *dword))
      return erase(op);
    Value *value = write->value();
    if (isa<Constant>(value))
      return false;
    write->replaceUsesOfWith(value, Constant::getNullValue(value->getType()));
    return true;
  }

  static bool erase(Op &op) {
    op.eraseFromParent();
    return true;
  }

  bool isUnwanted(Op &op) const {
    if (auto *write = dyn_cast<WriteOutputOp>(&op))
      return !isWanted({write->kind(), write->slot()}, write->component());
    if (auto *write = dyn_cast<WritePatchOutputOp>(&op))
      return !isWanted(patchDwordOf(*write));
    return false;
  }

  bool isWanted(OutputSlot output, unsigned component) const {
    if (m_state.shaderModes().stage == ShaderStage::Fragment) {
      std::optional<VertexDword> dword = fragmentDwordOf(output, component);
      return !dword || !m_others.isOutputDropped(dword->slot, dword->component);
    }
    if (isHandedOn(m_others, output, component))
      return true;
    HardwareStage stage = m_state.hardwareStage();
    bool isLast = stage == HardwareStage::Vs || stage == HardwareStage::Gs;
    return isLast && (isFixedFunctionInput(m_others, output, component) || isCaptured(output, component));
  }

  bool isCaptured(OutputSlot output, unsigned component) const {
    std::optional<VertexDword> dword = vertexDwordOf(output, component);
    return dword && any_of(m_state.usage().xfb.outputs, [&](const XfbOutput &captured) {
             return captured.slot == dword->slot && captured.component == dword->component;
           });
  }

  // Whether anybody reads a dword of a control shader's output.
  bool isWanted(const PatchDword &dword) const {
    auto mayMeanTheSame = [&](const PatchDword &read) {
      return read.isPerVertex() == dword.isPerVertex() && (read.slots() & dword.slots());
    };
    return isHandedOn(m_others, dword) || any_of(m_readBack, mayMeanTheSame);
  }

  bool replaceInput(Op &op) {
    std::optional<VertexDword> dword;
    auto *smooth = dyn_cast<SmoothFragmentInputOp>(&op);
    if (smooth)
      dword = vertexDwordOfParameter(smooth->location(), smooth->component());
    else if (auto *flat = dyn_cast<FlatFragmentInputOp>(&op))
      dword = vertexDwordOfParameter(flat->location(), flat->component());
    else if (auto *vertex = dyn_cast<VertexFragmentInputOp>(&op))
      dword = vertexDwordOfParameter(vertex->location(), vertex->component());
    else if (auto *color = dyn_cast<ColorInputOp>(&op))
      dword = vertexDwordOfParameter(m_state.options().colorInputs[color->index()].front, color->component());
    else if (auto *vertex = dyn_cast<GeometryInputOp>(&op); vertex && isa<ConstantInt>(vertex->dwordOffset()))
      dword = behind(vertex->slot(), vertex->component(), vertex->dwordOffset());
    else if (auto *input = dyn_cast<PatchInputOp>(&op); input && input->vertexIndex())
      if (isa<ConstantInt>(input->dwordOffset()))
        dword = behind(input->slot(), input->component(), input->dwordOffset());
    const bool isInterpolated = smooth || isa<ColorInputOp>(op);
    const unsigned elementBits = smooth ? smooth->elementBits() : 32;
    if (!dword)
      return false;
    const std::optional<uint32_t> known = m_others.constantInput(dword->slot, dword->component);
    if (!known || (isInterpolated && !isInterpolatedExactly(*known, elementBits)))
      return false;
    m_builder.SetInsertPoint(&op);
    op.replaceAllUsesWith(m_builder.CreateBitCast(m_builder.getInt32(*known), op.getType()));
    return erase(op);
  }

  static VertexDword behind(unsigned slot, unsigned component, const Value *dwordOffset) {
    unsigned number = slot * 4 + component + static_cast<unsigned>(cast<ConstantInt>(dwordOffset)->getZExtValue());
    return {number / 4, number % 4};
  }

  Function &m_function;
  PipelineState &m_state;
  const InterShaderData &m_others;
  IRBuilder<> m_builder;
  SmallVector<PatchDword, 16> m_readBack;
  SlotComponents m_keptComponents = {};
};

} // namespace

bool applyKnowledge(Function &function, PipelineState &state) {
  if (state.interShaderData().isEmpty())
    return false;
  return KnowledgeApplier(function, state).run();
}

bool isHandedOn(const InterShaderData &others, OutputSlot output, unsigned component) {
  std::optional<VertexDword> dword = vertexDwordOf(output, component);
  return dword && !others.isOutputDropped(dword->slot, dword->component);
}

bool isHandedOn(const InterShaderData &others, const PatchDword &dword) {
  auto isDropped = [&](unsigned number) {
    return dword.isPerVertex() ? others.isOutputDropped(number / 4, number % 4)
                               : others.isPatchOutputDropped(number / 4, number % 4);
  };
  if (dword.isAtConstant())
    return !isDropped(dword.firstDword());
  for (unsigned number = dword.slot * 4; number < (dword.slot + dword.slotCount) * 4; ++number)
    if (!isDropped(number))
      return true;
  return false;
}

dovetail::PackedParameter parameterPlace(const InterShaderData &others, unsigned location, unsigned component) {
  return others.placeOf({static_cast<uint8_t>(location), static_cast<uint8_t>(component)});
}

bool isFixedFunctionInput(const InterShaderData &others, OutputSlot output, unsigned component) {
  if (output.kind == OutputKind::Generic || output.kind == OutputKind::PrimitiveId)
    return false;
  std::optional<VertexDword> dword = vertexDwordOf(output, component);
  return dword && !others.isFixedFunctionOutputDropped(dword->slot, dword->component);
}

} // namespace lgc
