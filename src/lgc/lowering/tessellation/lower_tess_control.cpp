// SPDX-License-Identifier: MIT
//
// Control shaders. Each lane is one invocation: it makes a vertex of the output patch, whose outputs all invocations of
// the patch share.
//
// Inputs are in LDS, where the LS has left them: vertex v of patch p is number p * PatchControlPoints + v. Outputs go
// to the off-chip buffer for the evaluation shader. Outputs of any invocation that the shader reads back go to LDS,
// too, into the patch's own area:
//
//   TcsOutputBase + patch * ldsPatchStride
//     outer tessellation factors (4 dwords), inner ones (2): unless they are in registers
//     per patch: the slots that are read back, in ascending order
//     vertex by vertex: the slots that are read back
//
// If an array is indexed dynamically, either all of its slots are there or none, so that they are consecutive. The
// stride is an odd number of dwords, so that patches begin in different banks.
//
// The epilog takes a patch's factors from the registers of its invocation 0 if only that invocation's own writes count.
// For that, each write of a factor must be at a constant place, executed either by every invocation or by invocation 0
// alone, and no factor may be read back. Otherwise the epilog takes the factors from LDS.
#include "src/lgc/codegen/constants/link_constants.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/lowering/tessellation/hand_over_marks.h"
#include "src/lgc/lowering/tessellation/offchip_memory.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/shader_steps.h"
#include <algorithm>
#include <bit>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::LinkConstant;
using dovetail::makeError;
using dovetail::RegisterBank;
using dovetail::ShaderInterface;
using dovetail::SlotBytes;
using dovetail::SlotMask;
using dovetail::ValueKind;

namespace lgc {

namespace {

constexpr unsigned FactorCount = 6; // outer 0..3, inner 0..1
constexpr SlotMask FactorSlots = SlotMask(1) << dovetail::TessLevelOuterSlot | SlotMask(1)
                                                                                   << dovetail::TessLevelInnerSlot;
constexpr unsigned FactorBytes = dovetail::TessLevelInnerSlot * SlotBytes + 2 * 4;

bool isFactor(const PatchDword &dword) {
  return !dword.isPerVertex() && (dword.slots() & FactorSlots);
}

// The number of set bits of the mask below the slot.
unsigned rankIn(SlotMask mask, unsigned slot) {
  return static_cast<unsigned>(std::popcount(mask & ((SlotMask(1) << slot) - 1)));
}

bool isInvocationId(const Value *value) {
  auto *hardware = dyn_cast<HardwareValueOp>(value);
  return hardware && hardware->kind() == ValueKind::TessInvocationId;
}

// Whether only invocation 0 can see this outcome of the condition.
bool impliesFirstInvocation(const Value *condition, bool outcome) {
  using namespace PatternMatch;
  if (auto *compare = dyn_cast<ICmpInst>(condition)) {
    auto wanted = outcome ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE;
    const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    return compare->getPredicate() == wanted && isInvocationId(left) && match(right, m_Zero());
  }
  Value *left, *right;
  Value *any = const_cast<Value *>(condition);
  if (outcome ? match(any, m_LogicalAnd(m_Value(left), m_Value(right)))
              : match(any, m_LogicalOr(m_Value(left), m_Value(right))))
    return impliesFirstInvocation(left, outcome) || impliesFirstInvocation(right, outcome);
  return false;
}

class TessControlLowering {
public:
  TessControlLowering(Function &function, const PipelineState &state, ShaderInterface &interface)
      : m_function(function), m_mode(state.shaderModes().tessellation), m_others(state.interShaderData()),
        m_patchControlPoints(state.interShaderData().patchControlPoints()), m_interface(interface),
        m_builder(function.getContext()), m_dominators(function) {
    for (Instruction &instruction : instructions(function)) {
      if (auto *input = dyn_cast<PatchInputOp>(&instruction))
        m_inputs.push_back(input);
      else if (auto *read = dyn_cast<ReadPatchOutputOp>(&instruction))
        m_reads.push_back(read);
      else if (auto *write = dyn_cast<WritePatchOutputOp>(&instruction))
        m_writes.push_back(write);
    }
  }

  dovetail::Result<void> describe();
  void lower();
  void returnValues();

private:
  void findFirstInvocation();
  bool isOfFirstInvocation(const BasicBlock &block) const;
  bool firstInvocationKnowsFactors();
  void findReadBack();
  void prepare();
  void replaceIds();
  bool isOfOwnInvocation(const PatchInputOp &input) const;
  void lowerInput(PatchInputOp &input);
  Value *ownAddress(const PatchDword &dword);
  void lowerWrite(WritePatchOutputOp &write);
  Value *factorPlace(unsigned dword);

  bool isReadBack(const PatchDword &dword) const {
    return dword.slots() & (dword.isPerVertex() ? m_vertexReadBack : m_patchReadBack);
  }

  Function &m_function;
  const TessellationMode &m_mode;
  const InterShaderData &m_others;
  const uint32_t m_patchControlPoints; // 0: a link constant
  ShaderInterface &m_interface;
  IRBuilder<> m_builder;
  DominatorTree m_dominators; // lowering keeps the blocks
  SmallVector<BasicBlockEdge, 4> m_toFirstInvocation;
  SmallVector<PatchInputOp *, 16> m_inputs;
  SmallVector<ReadPatchOutputOp *, 16> m_reads;
  SmallVector<WritePatchOutputOp *, 16> m_writes;

  // Slots in LDS, without factors.
  SlotMask m_vertexReadBack = 0;
  SlotMask m_patchReadBack = 0;
  unsigned m_patchArea = 0;  // byte offset of the patch's read-back slots in the patch's LDS
  unsigned m_vertexArea = 0; // and of its vertices' read-back slots

  // Values that dominate all accesses.
  Value *m_relPatch = nullptr;
  Value *m_invocation = nullptr;
  Value *m_firstVertex = nullptr; // of the input patch, in its group
  Value *m_lsVertexStride = nullptr;
  Value *m_ownLds = nullptr; // address of the patch's area
  std::optional<OffchipMemory> m_offchip;
  std::array<AllocaInst *, FactorCount> m_factors = {};
};

// Finds the branches that only invocation 0 takes.
void TessControlLowering::findFirstInvocation() {
  for (BasicBlock &block : m_function) {
    if (auto *branches = dyn_cast<SwitchInst>(block.getTerminator());
        branches && isInvocationId(branches->getCondition()))
      for (auto &choice : branches->cases())
        if (choice.getCaseValue()->isZero() && branches->findCaseDest(choice.getCaseSuccessor()))
          m_toFirstInvocation.push_back({&block, choice.getCaseSuccessor()});
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (bool outcome : {true, false})
      if (impliesFirstInvocation(branch->getCondition(), outcome))
        m_toFirstInvocation.push_back({&block, branch->getSuccessor(outcome ? 0 : 1)});
  }
}

bool TessControlLowering::isOfFirstInvocation(const BasicBlock &block) const {
  return any_of(m_toFirstInvocation, [&](const BasicBlockEdge &edge) { return m_dominators.dominates(edge, &block); });
}

bool TessControlLowering::firstInvocationKnowsFactors() {
  if (any_of(m_reads, [](ReadPatchOutputOp *read) { return isFactor(patchDwordOf(*read)); }))
    return false;
  BasicBlock *exit = nullptr;
  for (BasicBlock &block : m_function)
    if (isa<ReturnInst>(block.getTerminator()))
      exit = &block;
  return all_of(m_writes, [&](WritePatchOutputOp *write) {
    PatchDword dword = patchDwordOf(*write);
    const BasicBlock *block = write->getParent();
    return !isFactor(dword) ||
           (dword.isAtConstant() && (m_dominators.dominates(block, exit) || isOfFirstInvocation(*block)));
  });
}

// Finds the slots that are read back, and those that must lie beside them.
void TessControlLowering::findReadBack() {
  SmallVector<PatchDword, 32> accesses;
  for (ReadPatchOutputOp *read : m_reads) {
    PatchDword dword = patchDwordOf(*read);
    accesses.push_back(dword);
    (dword.isPerVertex() ? m_vertexReadBack : m_patchReadBack) |= dword.slots();
  }
  for (WritePatchOutputOp *write : m_writes)
    accesses.push_back(patchDwordOf(*write));
  m_patchReadBack &= ~FactorSlots;
  bool hasGrown = true;
  while (hasGrown) {
    hasGrown = false;
    for (const PatchDword &dword : accesses) {
      SlotMask &mask = dword.isPerVertex() ? m_vertexReadBack : m_patchReadBack;
      if (isFactor(dword) || !(mask & dword.slots()) || !(dword.slots() & ~mask))
        continue;
      mask |= dword.slots();
      hasGrown = true;
    }
  }
}

dovetail::Result<void> TessControlLowering::describe() {
  constexpr unsigned maxVertices = 32;
  if (m_mode.outputVertices == 0 || m_mode.outputVertices > maxVertices)
    return makeError(ErrorCode::InvalidInput, "a control shader of {} output vertices; the hardware has 1 to {}",
                     m_mode.outputVertices, maxVertices);
  for (PatchInputOp *input : m_inputs)
    m_interface.inputSlots |= patchDwordOf(*input).slots();
  for (WritePatchOutputOp *write : m_writes) {
    PatchDword dword = patchDwordOf(*write);
    if (isHandedOn(m_others, dword))
      (dword.isPerVertex() ? m_interface.outputSlots : m_interface.patchOutputSlots) |= dword.slots();
  }

  dovetail::TessellationInterface &tessellation = m_interface.tessellation;
  tessellation.primitive = m_mode.primitive;
  tessellation.spacing = m_mode.spacing;
  tessellation.vertexOrder = m_mode.vertexOrder;
  tessellation.pointMode = m_mode.pointMode;
  tessellation.outputVertices = static_cast<uint8_t>(m_mode.outputVertices);
  findFirstInvocation();
  tessellation.factorsInRegisters = firstInvocationKnowsFactors();
  findReadBack();
  m_patchArea = tessellation.factorsInRegisters ? 0 : FactorBytes;
  m_vertexArea = m_patchArea + std::popcount(m_patchReadBack) * SlotBytes;
  unsigned size = m_vertexArea + m_mode.outputVertices * std::popcount(m_vertexReadBack) * SlotBytes;
  tessellation.ldsPatchStride = size ? size | 4 : 0;
  return {};
}

// Makes values for many accesses at the start of the function.
void TessControlLowering::prepare() {
  BasicBlock &entry = m_function.getEntryBlock();
  m_builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  Value *ids = hardwareDword(m_builder, ValueKind::RelIds);
  m_relPatch = m_builder.CreateAnd(ids, 0xff);
  m_invocation = m_builder.CreateAnd(m_builder.CreateLShr(ids, 8), 0x1f);
  if (!m_inputs.empty()) {
    Value *vertices = m_patchControlPoints ? static_cast<Value *>(m_builder.getInt32(m_patchControlPoints))
                                           : linkConstant(m_builder, LinkConstant::PatchControlPoints);
    m_firstVertex = multiply24(m_builder, m_relPatch, vertices);
    m_lsVertexStride = linkConstant(m_builder, LinkConstant::LsVertexStride);
  }
  unsigned stride = m_interface.tessellation.ldsPatchStride;
  Value *offset = m_builder.CreateMul(m_relPatch, m_builder.getInt32(stride));
  m_ownLds = m_builder.CreateAdd(offset, linkConstant(m_builder, LinkConstant::TcsOutputBase));
  m_offchip.emplace(m_builder, m_relPatch, m_builder.getInt32(m_mode.outputVertices));
}

void TessControlLowering::replaceIds() {
  for (Instruction &instruction : make_early_inc_range(instructions(m_function))) {
    if (!isInvocationId(&instruction))
      continue;
    instruction.replaceAllUsesWith(m_invocation);
    instruction.eraseFromParent();
  }
}

// The place of an output in LDS.
Value *TessControlLowering::ownAddress(const PatchDword &dword) {
  Value *base = m_ownLds;
  unsigned first = dword.firstDword();
  unsigned area = m_patchArea;
  if (isFactor(dword)) {
    area = 0;
  } else if (dword.isPerVertex()) {
    unsigned vertexBytes = std::popcount(m_vertexReadBack) * SlotBytes;
    base = m_builder.CreateAdd(base, m_builder.CreateMul(dword.vertexIndex, m_builder.getInt32(vertexBytes)));
    area = m_vertexArea;
    first = rankIn(m_vertexReadBack, first / 4) * 4 + first % 4;
  } else {
    first = rankIn(m_patchReadBack, first / 4) * 4 + first % 4;
  }
  if (!dword.isAtConstant())
    base = m_builder.CreateAdd(base, m_builder.CreateMul(dword.dwordOffset, m_builder.getInt32(4)));
  return ldsPointer(m_builder, base, area / 4 + first);
}

// The stack slot for a factor that this invocation has written.
Value *TessControlLowering::factorPlace(unsigned dword) {
  AllocaInst *&place = m_factors[dword];
  if (!place) {
    IRBuilderBase::InsertPointGuard guard(m_builder);
    BasicBlock &entry = m_function.getEntryBlock();
    m_builder.SetInsertPoint(&entry, entry.begin());
    constexpr unsigned privateSpace = 5;
    place = m_builder.CreateAlloca(m_builder.getInt32Ty(), privateSpace);
    m_builder.CreateStore(m_builder.getInt32(0), place);
  }
  return place;
}

void TessControlLowering::lowerWrite(WritePatchOutputOp &write) {
  PatchDword dword = patchDwordOf(write);
  m_builder.SetInsertPoint(&write);
  if (isFactor(dword) && m_interface.tessellation.factorsInRegisters)
    m_builder.CreateStore(write.value(), factorPlace(dword.firstDword()));
  else if (isFactor(dword) || isReadBack(dword))
    m_builder.CreateAlignedStore(write.value(), ownAddress(dword), Align(4));
  // The epilog hands on the factors if the evaluation shader reads them.
  if (!isFactor(dword) && isHandedOn(m_others, dword))
    m_offchip->store(m_builder, dword, write.value());
  write.eraseFromParent();
}

bool TessControlLowering::isOfOwnInvocation(const PatchInputOp &input) const {
  const Value *vertex = input.vertexIndex();
  auto *constant = dyn_cast<ConstantInt>(vertex);
  return isInvocationId(vertex) || m_mode.outputVertices == 1 ||
         (constant && constant->isZero() && isOfFirstInvocation(*input.getParent()));
}

void TessControlLowering::lowerInput(PatchInputOp &input) {
  m_builder.SetInsertPoint(&input);
  PatchDword dword = patchDwordOf(input);
  Value *vertex = m_builder.CreateAdd(m_firstVertex, dword.vertexIndex);
  Value *base = multiply24(m_builder, vertex, m_lsVertexStride);
  if (!dword.isAtConstant())
    base = m_builder.CreateAdd(base, m_builder.CreateMul(dword.dwordOffset, m_builder.getInt32(4)));
  LoadInst *load =
      m_builder.CreateAlignedLoad(m_builder.getInt32Ty(), ldsPointer(m_builder, base, dword.firstDword()), Align(4));
  markHandOver(*load, {dword.firstDword(), dword.isAtConstant() ? 1 : dword.slotCount * 4 - dword.component,
                       isOfOwnInvocation(input)});
  input.replaceAllUsesWith(load);
  input.eraseFromParent();
}

void TessControlLowering::lower() {
  prepare();
  for (PatchInputOp *input : m_inputs)
    lowerInput(*input);
  for (ReadPatchOutputOp *read : m_reads) {
    m_builder.SetInsertPoint(read);
    Value *pointer = ownAddress(patchDwordOf(*read));
    read->replaceAllUsesWith(m_builder.CreateAlignedLoad(m_builder.getInt32Ty(), pointer, Align(4)));
    read->eraseFromParent();
  }
  for (WritePatchOutputOp *write : m_writes)
    lowerWrite(*write);
  replaceIds();
}

// Returns the values for the epilog.
void TessControlLowering::returnValues() {
  for (BasicBlock &block : m_function)
    if (isa<ReturnInst>(block.getTerminator()))
      m_builder.SetInsertPoint(block.getTerminator());
  unsigned count = 0;
  auto add = [&](dovetail::ValueName name, Value *value) {
    m_interface.outputs.push_back({name, {RegisterBank::Vgpr, static_cast<uint16_t>(count)}});
    ReturnValueOp::create(m_builder, value, count++);
  };
  add({ValueKind::RelPatchId}, m_relPatch);
  add({ValueKind::TessInvocationId}, m_invocation);
  if (!m_interface.tessellation.factorsInRegisters) {
    add({ValueKind::TessFactorLds}, m_ownLds);
    return;
  }
  add({ValueKind::TessFactorLds}, PoisonValue::get(m_builder.getInt32Ty()));
  for (uint8_t i = 0; i < FactorCount; ++i) {
    Value *factor = m_factors[i] ? static_cast<Value *>(m_builder.CreateLoad(m_builder.getInt32Ty(), m_factors[i]))
                                 : m_builder.getInt32(0);
    constexpr uint8_t outerCount = 4;
    if (i < outerCount)
      add({ValueKind::TessFactorOuter, i}, factor);
    else
      add({ValueKind::TessFactorInner, static_cast<uint8_t>(i - outerCount)}, factor);
  }
}

} // namespace

dovetail::Result<void> lowerTessControl(Function &function, const PipelineState &state, ShaderInterface &interface) {
  TessControlLowering lowering(function, state, interface);
  DOVETAIL_CHECK(lowering.describe());
  lowering.lower();
  lowering.returnValues();
  return {};
}

} // namespace lgc
