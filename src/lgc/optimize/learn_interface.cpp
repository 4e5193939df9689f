// SPDX-License-Identifier: MIT
//
// An output is constant if all writes of it write the same value, and nobody can see its value before. So every path
// from the shader's start to the place where outputs are taken (its end, or a vertex that is emitted) must lead through
// a write. Or the value is 0, because outputs begin as 0 (OutputValues). A control shader's outputs lie in memory and
// begin with any value.
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/shader_steps.h"
#include "src/lgc/state/output_dword.h"
#include "src/lgc/state/patch_dword.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <map>

using namespace llvm;
using dovetail::ShaderInterface;
using dovetail::SlotComponents;

namespace lgc {

namespace {

constexpr uint8_t WholeSlot = 0xf;

void add(SlotComponents &components, VertexDword dword) {
  if (dword.slot < components.size())
    components[dword.slot] |= 1u << dword.component;
}

// Adds a read `offset` (i32) dwords behind a component, within slotCount slots.
void addRead(SlotComponents &components, unsigned slot, unsigned component, unsigned slotCount, Value *offset,
             const DataLayout &layout) {
  if (auto *constant = dyn_cast<ConstantInt>(offset)) {
    unsigned dword = slot * 4 + component + static_cast<unsigned>(constant->getZExtValue());
    return add(components, {dword / 4, dword % 4});
  }
  constexpr unsigned log2SlotDwords = 2;
  bool staysInComponent = computeKnownBits(offset, layout).countMinTrailingZeros() >= log2SlotDwords;
  for (unsigned at = slot; at < slot + slotCount && at < components.size(); ++at)
    components[at] |= staysInComponent ? 1u << component : WholeSlot;
}

// The writes of one dword of the outputs.
struct DwordWrites {
  SmallPtrSet<const Instruction *, 4> unconditional;
  const ConstantInt *value = nullptr;
  bool isConstant = true;

  void addValue(Value *written) {
    if (isa<UndefValue>(written))
      return;
    auto *constant = dyn_cast<Constant>(written);
    if (constant && constant->getType()->isFloatTy())
      constant = ConstantExpr::getBitCast(constant, Type::getInt32Ty(constant->getContext()));
    auto *number = dyn_cast_or_null<ConstantInt>(constant);
    isConstant &= number && (!value || value == number); // constants are unique
    value = number;
  }
};

class InterfaceLearner {
public:
  InterfaceLearner(Function &function, const PipelineState &state, ShaderInterface &interface)
      : m_function(function), m_layout(function.getParent()->getDataLayout()), m_state(state), m_interface(interface) {}

  void run() {
    for (Instruction &instruction : instructions(m_function))
      if (auto *op = dyn_cast<Op>(&instruction)) {
        const KnownOp known(*op);
        learnRead(known);
        learnWrite(known);
      }
    for (auto &[dword, writes] : m_writes)
      if (writes.isConstant && writes.value && isAlwaysWritten(dword, writes))
        m_interface.constantOutputs.push_back({static_cast<uint8_t>(dword.slot), static_cast<uint8_t>(dword.component),
                                               static_cast<uint32_t>(writes.value->getZExtValue())});
    for (unsigned slot = 0; slot < m_wideComponents.size(); ++slot)
      m_interface.fragment.narrowComponents[slot] &= ~m_wideComponents[slot];
  }

private:
  void learnRead(KnownOp op) {
    if (auto *smooth = op.as<SmoothFragmentInputOp>())
      learnParameter(*smooth);
    else if (auto *flat = op.as<FlatFragmentInputOp>())
      learnParameter(*flat);
    else if (auto *vertex = op.as<VertexFragmentInputOp>())
      learnParameter(*vertex);
    else if (auto *vertex = op.as<GeometryInputOp>())
      addRead(m_interface.inputComponents, vertex->slot(), vertex->component(), vertex->slotCount(),
              vertex->dwordOffset(), m_layout);
    else if (auto *input = op.as<PatchInputOp>())
      addRead(input->vertexIndex() ? m_interface.inputComponents : m_interface.patchInputComponents, input->slot(),
              input->component(), input->slotCount(), input->dwordOffset(), m_layout);
  }

  template <typename T> void learnParameter(T &read) {
    const std::optional<VertexDword> parameter = vertexDwordOfParameter(read.location(), read.component());
    if (!parameter)
      return;
    add(m_interface.inputComponents, *parameter);
    add(read.elementBits() == 16 ? m_interface.fragment.narrowComponents : m_wideComponents, *parameter);
  }

  void learnWrite(KnownOp op) {
    if (auto *write = op.as<WriteOutputOp>()) {
      std::optional<VertexDword> dword = vertexDwordOf({write->kind(), write->slot()}, write->component());
      if (!dword || m_state.shaderModes().stage == ShaderStage::Fragment)
        return;
      DwordWrites &writes = m_writes[*dword];
      writes.addValue(write->value());
      if (!write->condition())
        writes.unconditional.insert(write);
    } else if (auto *write = op.as<WritePatchOutputOp>(); write && write->vertexIndex()) {
      learnPatchWrite(*write);
    } else if (auto *vertex = op.as<SendVertexOp>(); vertex && vertex->stream() == 0) {
      m_readers.insert(vertex);
    }
  }

  // A write of an invocation's own vertex may be constant; any other write is not.
  void learnPatchWrite(WritePatchOutputOp &write) {
    PatchDword dword = patchDwordOf(write);
    auto *vertex = dyn_cast<HardwareValueOp>(static_cast<Value *>(write.vertexIndex()));
    bool isOwn = vertex && vertex->kind() == dovetail::ValueKind::TessInvocationId;
    if (dword.isAtConstant() && isOwn) {
      DwordWrites &writes = m_writes[{dword.firstDword() / 4, dword.firstDword() % 4}];
      writes.addValue(write.value());
      writes.unconditional.insert(&write);
      return;
    }
    for (unsigned slot = dword.slot; slot < dword.slot + dword.slotCount; ++slot)
      for (unsigned component = 0; component < 4; ++component)
        m_writes[{slot, component}].isConstant = false;
  }

  bool isAlwaysWritten(VertexDword, const DwordWrites &writes) const {
    bool beginsAsZero = m_state.shaderModes().stage != ShaderStage::TessControl;
    if (beginsAsZero && writes.value->isZero())
      return true;
    // Follows the paths on which the output is not written yet.
    SmallPtrSet<const BasicBlock *, 16> seen;
    SmallVector<const BasicBlock *, 16> waiting = {&m_function.getEntryBlock()};
    while (!waiting.empty()) {
      const BasicBlock *block = waiting.pop_back_val();
      if (!seen.insert(block).second)
        continue;
      bool isWritten = false;
      for (const Instruction &instruction : *block) {
        isWritten = writes.unconditional.contains(&instruction);
        if (isWritten)
          break;
        if (isReader(instruction))
          return false;
      }
      if (!isWritten)
        append_range(waiting, successors(block));
    }
    return true;
  }

  bool isReader(const Instruction &instruction) const {
    if (m_state.shaderModes().stage == ShaderStage::Geometry)
      return m_readers.contains(&instruction);
    return isa<ReturnInst>(instruction);
  }

  Function &m_function;
  const DataLayout &m_layout;
  const PipelineState &m_state;
  ShaderInterface &m_interface;
  SlotComponents m_wideComponents = {}; // parameters that are read as 32 bits
  std::map<VertexDword, DwordWrites> m_writes;
  SmallPtrSet<const Instruction *, 4> m_readers; // geometry shaders: the places where vertices of stream 0 are emitted
};

} // namespace

void learnInterface(Function &function, const PipelineState &state, ShaderInterface &interface) {
  InterfaceLearner(function, state, interface).run();
}

} // namespace lgc
