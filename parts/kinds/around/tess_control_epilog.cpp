// SPDX-License-Identifier: MIT
#include "parts/kinds/around/tess_control_epilog.h"
#include "parts/compile/compose_ir.h"
#include "parts/compile/key_bytes.h"
#include "parts/listing/listing.h"
#include "parts/listing/listing_ir.h"
#include "src/abi/driver_contract.h"
#include "src/abi/interface/interface_slots.h"
#include "src/abi/interface/link_constant.h"
#include "src/lgc/pipeline.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Module.h>

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

// The function has an argument for each input, and LLVM numbers the arguments of each bank from 0.
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

Result<std::optional<TessControlEpilogKey>> TessControlEpilogKey::make(const Surroundings &around) {
  if (!around.evaluation)
    return makeError(ErrorCode::Internal, "a tessellation control shader without an evaluation shader");
  return DOVETAIL_TRY(makeTessControlEpilogKey(around.main, *around.evaluation, around.target));
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

// ---- Listing ----

// The first invocation of a patch loads the factors in the order of the tessellator. It stores them for the
// tessellator, then off-chip. The control word comes last, because only the lanes of the group's first patch write it.
namespace {

constexpr uint32_t ControlWord = 0x80000000;
// Places in a patch's part of LDS.
constexpr unsigned OuterFactorsDword = 0, InnerFactorsDword = 4;

class TessControlEpilogLister {
public:
  explicit TessControlEpilogLister(const TessControlEpilogKey &key)
      : m_key(key), m_outerCount(outerFactorCount(key.primitive)), m_innerCount(innerFactorCount(key.primitive)) {}

  Listing list() {
    if (m_key.needsBarrier)
      m_listing.add(Step{.operation = Operation::Barrier});
    keepLanesWithZero(input({ValueKind::TessInvocationId}));
    Value table = input({ValueKind::GlobalTable});
    m_factorBuffer = descriptor(table, GlobalTableEntry::TessFactorBuffer);
    if (m_key.evaluationReadsFactors) {
      m_offchipBuffer = descriptor(table, GlobalTableEntry::OffchipBuffer);
      m_offchipOffset = input({ValueKind::OffchipOffset});
    }
    m_relPatchId = input({ValueKind::RelPatchId});
    m_factorBase = input({ValueKind::TessFactorOffset});

    findFactors();
    storeForTessellator();
    if (m_key.evaluationReadsFactors) {
      storeOffchip({m_outer.data(), m_outerCount}, TessLevelOuterSlot);
      storeOffchip({m_inner.data(), m_innerCount}, TessLevelInnerSlot);
    }
    if (m_key.writesControlWord) {
      keepLanesWithZero(m_relPatchId);
      const std::array word = {m_listing.constant(ControlWord)};
      store(word, m_factorBuffer, {}, m_factorBase, 0);
    }
    return std::move(m_listing);
  }

private:
  // A value of the main part; 0 if the main part does not hand it on. Call it once for each value.
  Value input(const ValueName &value) {
    auto found = std::ranges::find(m_key.inputs, value, &Binding::value);
    return found == m_key.inputs.end() ? m_listing.constant(0) : m_listing.input(found->reg.bank, found->reg.index);
  }
  Value descriptor(Value table, GlobalTableEntry entry) {
    return m_listing.addImmediate(Operation::LoadDescriptor, table, unsigned(entry));
  }
  void keepLanesWithZero(Value value) { m_listing.add(Operation::KeepLanes, m_listing.add(Operation::IsZero, value)); }

  void findFactors() {
    if (!m_key.factorsInLds) {
      for (uint8_t i = 0; i != m_outerCount; ++i)
        m_outer[i] = input({ValueKind::TessFactorOuter, i});
      for (uint8_t i = 0; i != m_innerCount; ++i)
        m_inner[i] = input({ValueKind::TessFactorInner, i});
      return;
    }
    struct Place {
      Value *factor;
      uint8_t dword;
    };
    std::array<Place, 6> places;
    unsigned count = 0;
    for (unsigned i = 0; i != m_outerCount; ++i)
      places[count++] = {&m_outer[tessellatorOrder(i)], uint8_t(OuterFactorsDword + tessellatorOrder(i))};
    for (unsigned i = 0; i != m_innerCount; ++i)
      places[count++] = {&m_inner[i], uint8_t(InnerFactorsDword + i)};

    Value address = input({ValueKind::TessFactorLds});
    for (unsigned first = 0; first < count; first += 4) {
      Step load{.operation = Operation::LoadLds, .operands = {address}};
      for (unsigned i = first; i != std::min(first + 4, count); ++i)
        load.lds.dwords[load.lds.count++] = places[i].dword;
      const Value loaded = m_listing.add(load);
      for (unsigned i = 0; i != load.lds.count; ++i)
        *places[first + i].factor = loaded.withChannel(i);
    }
  }

  // The hardware wants the number of segments first, then the number of lines.
  unsigned tessellatorOrder(unsigned outer) const {
    return m_key.primitive == TessPrimitive::Isolines ? 1 - outer : outer;
  }

  void storeForTessellator() {
    std::array<Value, 6> dwords;
    unsigned count = 0;
    for (unsigned i = 0; i != m_outerCount; ++i)
      dwords[count++] = m_outer[tessellatorOrder(i)];
    for (unsigned i = 0; i != m_innerCount; ++i)
      dwords[count++] = m_inner[i];
    const unsigned start = m_key.writesControlWord ? 4 : 0;
    const Value offset = m_listing.addImmediate(Operation::MultiplySmall, m_relPatchId, count * 4);
    for (unsigned first = 0; first < count; first += 4)
      store(std::span(dwords).subspan(first, std::min(4u, count - first)), m_factorBuffer, offset, m_factorBase,
            start + first * 4);
  }

  // Stores a per-patch slot of the off-chip buffer.
  void storeOffchip(std::span<const Value> values, unsigned slot) {
    if (values.empty())
      return;
    // A slot has 16 bytes of each patch of the group, so the second slot begins behind the first slots of all patches.
    static_assert(SlotBytes == 16 && TessLevelOuterSlot == 0 && TessLevelInnerSlot == 1);
    constexpr unsigned slotShift = 4;
    if (!m_offchipBase) {
      m_offchipBase =
          m_listing.add(Operation::AddScalars, m_offchipOffset, linkConstant(LinkConstant::OffchipPatchBase));
      m_offchipPlace = m_listing.addImmediate(Operation::ShiftLeft, m_relPatchId, slotShift);
    }
    Value base = m_offchipBase;
    if (slot == TessLevelInnerSlot)
      base = m_listing.add(
          Operation::AddScalars, base,
          m_listing.addImmediate(Operation::ShiftScalarLeft, linkConstant(LinkConstant::PatchesPerGroup), slotShift));
    store(values, m_offchipBuffer, m_offchipPlace, base, 0);
  }

  Value linkConstant(LinkConstant constant) {
    return m_listing.add(Step{.operation = Operation::LinkConstant, .immediate = uint32_t(constant)});
  }

  void store(std::span<const Value> dwords, Value buffer, Value offset, Value base, unsigned bytes) {
    Step step{.operation = Operation::StoreRaw, .immediate = bytes};
    std::ranges::copy(dwords, step.operands.begin());
    step.operands[4] = buffer;
    step.operands[5] = offset;
    step.operands[6] = base;
    m_listing.add(step);
  }

  const TessControlEpilogKey &m_key;
  const unsigned m_outerCount, m_innerCount;
  Listing m_listing{0, 0, true};
  Value m_factorBuffer, m_offchipBuffer, m_relPatchId, m_factorBase, m_offchipOffset, m_offchipBase, m_offchipPlace;
  std::array<Value, 4> m_outer;
  std::array<Value, 2> m_inner;
};

} // namespace

Listing listingOf(const TessControlEpilogKey &key) {
  return TessControlEpilogLister(key).list();
}

// ---- LLVM IR ----

// A tessellation control epilog as LLVM IR, for the amdgpu_vs calling convention.
llvm::Function *emitFunction(llvm::Module &module, const TessControlEpilogKey &key, std::string_view name) {
  llvm::LLVMContext &context = module.getContext();
  unsigned sgprCount = 0;
  for (const Binding &input : key.inputs)
    sgprCount += input.reg.bank == RegisterBank::Sgpr;
  llvm::SmallVector<llvm::Type *, 16> argumentTypes(key.inputs.size(), llvm::Type::getInt32Ty(context));
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), argumentTypes, false);
  llvm::Function *function = createFunction(module, type, sgprCount, llvm::CallingConv::AMDGPU_VS, name);
  // LLVM drops the barrier of a group that fits into one wave, so the group has several.
  function->addFnAttr("amdgpu-flat-work-group-size", "256,256");
  emitListing(*function, listingOf(key));
  return function;
}

Result<void> composeAround(lgc::HardwareFormShader &shader, const TessControlEpilogKey &key) {
  llvm::Function &main = *DOVETAIL_TRY(findHardwareEntry(*shader.module));
  DOVETAIL_CHECK(composeEpilog(main, *emitFunction(*shader.module, key, toSymbol(key.Kind))));
  shader.interface.outputs.clear();
  return {};
}

} // namespace dovetail
