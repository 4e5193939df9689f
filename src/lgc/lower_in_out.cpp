// SPDX-License-Identifier: MIT
//
// Input and output lowering. Fragment inputs get their attribute numbers: each location that is used, in ascending
// order. Outputs are collected in one stack slot for each component, so that writes may be anywhere and conditional,
// and are read back in the shader's one returning block; the optimiser turns the slots into values. A vertex shader
// exports them there:
//
//   pos0      position; (0, 0, 0, 1) if the shader writes none
//   pos1      point size, edge flag (none), GFX9: layer [10:0] | viewport index [19:16] in z
//   pos next  clip distances, then cull distances, without a gap
//   param     generic locations in ascending order, then the built-ins that fragment shaders can read; only written
//   components
//
// `done` is on the last position export. A fragment shader returns them to its epilog.
#include "src/lgc/middle_end.h"
#include "src/lgc/op.h"
#include "src/lgc/pipeline_state.h"
#include <algorithm>
#include <bit>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::ColorOutput;
using dovetail::ErrorCode;
using dovetail::FragmentInput;
using dovetail::makeError;
using dovetail::NumericClass;
using dovetail::RegisterBank;
using dovetail::ShaderInterface;
using dovetail::ValueKind;

namespace lgc {

namespace {

constexpr unsigned ExportPos0 = 12;
constexpr unsigned ExportParam0 = 32;
constexpr unsigned MaxParameters = 32;

// The one block that returns. A path that ends in `unreachable` leads there too: its values do not matter, but code
// that falls through into the next part must not run off the end of the function.
BasicBlock *makeSingleExit(Function &function) {
  SmallVector<Instruction *, 4> ends;
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator()) || isa<UnreachableInst>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  if (ends.size() == 1 && isa<ReturnInst>(ends[0]))
    return ends[0]->getParent();
  BasicBlock *exit = BasicBlock::Create(function.getContext(), "exit", &function);
  ReturnInst::Create(function.getContext(), exit);
  for (Instruction *end : ends) {
    BranchInst::Create(exit, end->getParent());
    end->eraseFromParent();
  }
  return exit;
}

class InOutLowering {
public:
  InOutLowering(Function &function, PipelineState &state, ShaderInterface &interface)
      : m_function(function), m_state(state), m_usage(state.usage()), m_interface(interface),
        m_builder(function.getContext()) {}

  void lowerInputs() {
    for (Instruction &instruction : make_early_inc_range(instructions(m_function))) {
      m_builder.SetInsertPoint(&instruction);
      if (auto *smooth = dyn_cast<SmoothFragmentInputOp>(&instruction))
        replace(*smooth, interpolate(*smooth));
      else if (auto *flat = dyn_cast<FlatFragmentInputOp>(&instruction))
        replace(*flat, provokingVertexValue(*flat));
      else if (auto *mask = dyn_cast<SampleMaskInOp>(&instruction))
        replace(*mask, sampleMaskIn());
    }
  }

  // Afterwards the values can be read in the exit block.
  void lowerWrites() {
    for (Instruction &instruction : make_early_inc_range(instructions(m_function)))
      if (auto *write = dyn_cast<WriteOutputOp>(&instruction))
        lowerWrite(*write);
    m_builder.SetInsertPoint(makeSingleExit(m_function)->getTerminator());
  }

  dovetail::Result<void> exportVertex();
  ReturnValues returnFragment();

private:
  static void replace(Instruction &op, Value *by) {
    op.replaceAllUsesWith(by);
    op.eraseFromParent();
  }

  Value *hardwareValue(ValueKind kind) { return HardwareValueOp::create(m_builder, m_builder.getInt32Ty(), kind, 0); }

  Value *attributeNumber(unsigned location, bool isFlat) {
    auto found = std::ranges::find_if(m_usage.fragmentInputs, [&](const FragmentInput &input) {
      return input.location == location && input.flat == isFlat;
    });
    return m_builder.getInt32(found - m_usage.fragmentInputs.begin());
  }

  Value *interpolate(SmoothFragmentInputOp &input) {
    Value *component = m_builder.getInt32(input.component());
    Value *attribute = attributeNumber(input.location(), false);
    Value *primMask = hardwareValue(ValueKind::PrimMask);
    Value *partial =
        m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_p1, {}, {input.i(), component, attribute, primMask});
    return m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_p2, {},
                                     {partial, input.j(), component, attribute, primMask});
  }

  // The hardware puts the provoking vertex's value where v_interp_mov finds P0, if the attribute is marked flat.
  Value *provokingVertexValue(FlatFragmentInputOp &input) {
    constexpr unsigned parameterP0 = 2;
    return m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_mov, {},
                                     {m_builder.getInt32(parameterP0), m_builder.getInt32(input.component()),
                                      attributeNumber(input.location(), true), hardwareValue(ValueKind::PrimMask)});
  }

  // The hardware gives the coverage of the whole pixel, the API wants that of the samples that this lane shades.
  Value *sampleMaskIn() {
    Value *coverage = hardwareValue(ValueKind::SampleCoverage);
    if (!m_usage.runsAtSampleRate)
      return coverage;
    Value *sample = m_builder.CreateAnd(m_builder.CreateLShr(hardwareValue(ValueKind::Ancillary), 8), 0xf);
    return m_builder.CreateAnd(coverage, m_builder.CreateShl(m_builder.getInt32(1), sample));
  }

  void lowerWrite(WriteOutputOp &write) {
    OutputSlot slot = {write.kind(), write.slot()};
    auto found = m_usage.outputs.find(slot);
    unsigned component = write.component();
    if (found != m_usage.outputs.end() && (found->second.componentMask >> component & 1)) {
      AllocaInst *&place = m_places[{slot, component}];
      if (!place) {
        BasicBlock &entry = m_function.getEntryBlock();
        m_builder.SetInsertPoint(&entry, entry.begin());
        constexpr unsigned privateSpace = 5;
        place = m_builder.CreateAlloca(m_builder.getInt32Ty(), privateSpace);
        m_builder.CreateStore(m_builder.getInt32(0), place);
      }
      m_builder.SetInsertPoint(&write);
      Value *value = write.value();
      if (value->getType()->isFloatTy())
        value = m_builder.CreateBitCast(value, m_builder.getInt32Ty());
      if (write.condition())
        value = m_builder.CreateSelect(write.condition(), value, m_builder.CreateLoad(m_builder.getInt32Ty(), place));
      m_builder.CreateStore(value, place);
    }
    write.eraseFromParent();
  }

  uint8_t maskOf(OutputKind kind, unsigned slot = 0) const {
    auto found = m_usage.outputs.find({kind, slot});
    return found == m_usage.outputs.end() ? 0 : found->second.componentMask;
  }

  // The final value of one component, as float; poison if it is never written.
  Value *finalValue(OutputKind kind, unsigned slot, unsigned component) {
    auto found = m_places.find({OutputSlot{kind, slot}, component});
    if (found == m_places.end())
      return PoisonValue::get(m_builder.getFloatTy());
    Value *word = m_builder.CreateLoad(m_builder.getInt32Ty(), found->second);
    return m_builder.CreateBitCast(word, m_builder.getFloatTy());
  }

  void makeExport(unsigned target, unsigned mask, ArrayRef<Value *> values, bool done) {
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_exp, {m_builder.getFloatTy()},
                              {m_builder.getInt32(target), m_builder.getInt32(mask), values[0], values[1], values[2],
                               values[3], m_builder.getInt1(done), m_builder.getFalse()});
  }

  std::array<Value *, 4> positionValues();
  std::array<Value *, 4> miscellaneousValues(unsigned &mask);
  dovetail::Result<SmallVector<Value *, 8>> clipAndCullValues();
  void exportParameter(unsigned location, unsigned mask, ArrayRef<Value *> values);

  Function &m_function;
  PipelineState &m_state;
  const ResourceUsage &m_usage;
  ShaderInterface &m_interface;
  IRBuilder<> m_builder;
  std::map<std::pair<OutputSlot, unsigned>, AllocaInst *> m_places;
};

std::array<Value *, 4> InOutLowering::positionValues() {
  std::array<Value *, 4> values;
  for (unsigned c = 0; c < 4; ++c) {
    bool isWritten = maskOf(OutputKind::Position) >> c & 1;
    values[c] = isWritten ? finalValue(OutputKind::Position, 0, c)
                          : ConstantFP::get(m_builder.getFloatTy(), c == 3 ? 1.0 : 0.0);
  }
  return values;
}

std::array<Value *, 4> InOutLowering::miscellaneousValues(unsigned &mask) {
  Value *none = PoisonValue::get(m_builder.getFloatTy());
  std::array<Value *, 4> values = {none, none, none, none};
  mask = 0;
  if (maskOf(OutputKind::PointSize)) {
    m_interface.writesPointSize = true;
    values[0] = finalValue(OutputKind::PointSize, 0, 0);
    mask |= 1;
  }
  m_interface.writesLayer = maskOf(OutputKind::Layer);
  m_interface.writesViewportIndex = maskOf(OutputKind::ViewportIndex);
  if (m_interface.writesLayer || m_interface.writesViewportIndex) {
    auto word = [&](OutputKind kind) -> Value * {
      return maskOf(kind) ? m_builder.CreateBitCast(finalValue(kind, 0, 0), m_builder.getInt32Ty())
                          : static_cast<Value *>(m_builder.getInt32(0));
    };
    Value *viewport = m_builder.CreateShl(word(OutputKind::ViewportIndex), 16);
    Value *both = m_builder.CreateOr(viewport, word(OutputKind::Layer));
    values[2] = m_builder.CreateBitCast(both, m_builder.getFloatTy());
    mask |= 4;
  }
  return values;
}

// Clip distances up to the highest that is written, then the cull distances.
dovetail::Result<SmallVector<Value *, 8>> InOutLowering::clipAndCullValues() {
  SmallVector<Value *, 8> values;
  unsigned clipMask = maskOf(OutputKind::ClipDistance);
  unsigned cullMask = maskOf(OutputKind::CullDistance);
  unsigned clipCount = std::bit_width(clipMask), cullCount = std::bit_width(cullMask);
  if (clipCount + cullCount > 8)
    return makeError(ErrorCode::InvalidInput, "{} clip and {} cull distances; the hardware has 8 together", clipCount,
                     cullCount);
  for (unsigned i = 0; i < clipCount; ++i)
    values.push_back(finalValue(OutputKind::ClipDistance, 0, i));
  for (unsigned i = 0; i < cullCount; ++i)
    values.push_back(finalValue(OutputKind::CullDistance, 0, i));
  m_interface.clipDistanceMask = clipMask;
  m_interface.cullDistanceMask = cullMask << clipCount;
  return values;
}

void InOutLowering::exportParameter(unsigned location, unsigned mask, ArrayRef<Value *> values) {
  unsigned number = m_interface.parameters.size();
  m_interface.parameters.push_back({static_cast<uint8_t>(location), static_cast<uint8_t>(number)});
  if (number < MaxParameters)
    makeExport(ExportParam0 + number, mask, values, /*done=*/false);
}

dovetail::Result<void> InOutLowering::exportVertex() {
  for (auto &[location, input] : m_usage.vertexInputs)
    m_interface.vertexInputs.push_back(input);
  m_interface.usesInstanceId = m_usage.uses(ValueKind::InstanceId);
  m_interface.usesPrimitiveId = m_state.options().exportPrimitiveId;

  Value *none = PoisonValue::get(m_builder.getFloatTy());
  struct PositionExport {
    unsigned mask;
    std::array<Value *, 4> values;
  };
  SmallVector<PositionExport, 4> positions = {{0xf, positionValues()}};
  unsigned miscellaneousMask;
  std::array<Value *, 4> miscellaneous = miscellaneousValues(miscellaneousMask);
  if (miscellaneousMask)
    positions.push_back({miscellaneousMask, miscellaneous});
  SmallVector<Value *, 8> distances = DOVETAIL_TRY(clipAndCullValues());
  for (unsigned first = 0; first < distances.size(); first += 4) {
    PositionExport position = {0, {none, none, none, none}};
    for (unsigned c = 0; c < 4 && first + c < distances.size(); ++c) {
      position.values[c] = distances[first + c];
      position.mask |= 1u << c;
    }
    positions.push_back(position);
  }
  m_interface.positionExports = positions.size();
  for (unsigned i = 0; i < positions.size(); ++i)
    makeExport(ExportPos0 + i, positions[i].mask, positions[i].values, i + 1 == positions.size());

  for (auto &[slot, usage] : m_usage.outputs) {
    if (slot.kind != OutputKind::Generic)
      continue;
    std::array<Value *, 4> values;
    for (unsigned c = 0; c < 4; ++c)
      values[c] = finalValue(OutputKind::Generic, slot.slot, c);
    exportParameter(slot.slot, usage.componentMask, values);
  }
  // Fragment shaders may read these; whether one does is not known here.
  auto exportSingle = [&](OutputKind kind, unsigned location) {
    if (maskOf(kind))
      exportParameter(location, 1, {finalValue(kind, 0, 0), none, none, none});
  };
  auto exportDistances = [&](OutputKind kind, unsigned first) {
    for (unsigned half = 0; half < 2; ++half) {
      unsigned mask = maskOf(kind) >> half * 4 & 0xf;
      std::array<Value *, 4> values;
      for (unsigned c = 0; c < 4; ++c)
        values[c] = finalValue(kind, 0, half * 4 + c);
      if (mask)
        exportParameter(first + half, mask, values);
    }
  };
  if (m_state.options().exportPrimitiveId) {
    Value *primitive = m_builder.CreateBitCast(hardwareValue(ValueKind::VertexPrimitiveId), m_builder.getFloatTy());
    exportParameter(dovetail::PrimitiveIdParameter, 1, {primitive, none, none, none});
  }
  exportSingle(OutputKind::Layer, dovetail::LayerParameter);
  exportSingle(OutputKind::ViewportIndex, dovetail::ViewportIndexParameter);
  exportDistances(OutputKind::ClipDistance, dovetail::ClipDistanceParameter0);
  exportDistances(OutputKind::CullDistance, dovetail::CullDistanceParameter0);
  if (m_interface.parameters.size() > MaxParameters)
    return makeError(ErrorCode::Unsupported, "the vertex shader writes {} output locations; the hardware has {}",
                     m_interface.parameters.size(), MaxParameters);
  return {};
}

ReturnValues InOutLowering::returnFragment() {
  m_interface.fragmentInputs = m_usage.fragmentInputs;
  for (auto &[index, mask] : m_usage.colorInputs) {
    const ColorInputLocations &locations = m_state.options().colorInputs[index];
    m_interface.colorInputs.push_back(
        {index, mask, static_cast<uint8_t>(locations.front), static_cast<uint8_t>(locations.back)});
  }
  m_interface.usesDiscard = m_usage.usesDiscard;
  m_interface.writesMemory = m_usage.writesMemory;
  m_interface.runsAtSampleRate = m_usage.runsAtSampleRate;
  const FragmentShaderMode &mode = m_state.shaderModes().fragment;
  m_interface.earlyFragmentTests = mode.earlyFragmentTests;
  m_interface.postDepthCoverage = mode.postDepthCoverage;
  m_interface.conservativeDepth = static_cast<uint8_t>(mode.conservativeDepth);
  m_interface.pixelCenterInteger = mode.pixelCenterInteger;

  ReturnValues values;
  auto add = [&](ValueName name, OutputKind kind, unsigned slot) {
    m_interface.outputs.push_back({name, {RegisterBank::Vgpr, static_cast<uint16_t>(values.size())}});
    values.push_back(finalValue(kind, slot, name.component));
  };
  auto addColor = [&](unsigned location, unsigned index) {
    auto found = m_usage.outputs.find({OutputKind::Generic, location + index * 8});
    if (found == m_usage.outputs.end())
      return;
    const OutputUsage &usage = found->second;
    m_interface.colors.push_back(
        {static_cast<uint8_t>(location), static_cast<uint8_t>(index), usage.componentMask, usage.numericClass});
    ValueKind kind = index ? ValueKind::ColorSource1 : ValueKind::Color;
    for (unsigned c = 0; c < 4; ++c)
      if (usage.componentMask >> c & 1)
        add({kind, static_cast<uint8_t>(location), static_cast<uint8_t>(c)}, OutputKind::Generic, found->first.slot);
  };
  for (unsigned location = 0; location < 8; ++location) {
    addColor(location, 0);
    addColor(location, 1);
  }
  m_interface.writesDepth = maskOf(OutputKind::Depth);
  m_interface.writesStencil = maskOf(OutputKind::Stencil);
  m_interface.writesSampleMask = maskOf(OutputKind::SampleMask);
  if (m_interface.writesDepth)
    add({ValueKind::Depth}, OutputKind::Depth, 0);
  if (m_interface.writesStencil)
    add({ValueKind::Stencil}, OutputKind::Stencil, 0);
  if (m_interface.writesSampleMask)
    add({ValueKind::SampleMask}, OutputKind::SampleMask, 0);
  return values;
}

} // namespace

dovetail::Result<ReturnValues> lowerInputsAndOutputs(Function &function, PipelineState &state,
                                                     ShaderInterface &interface) {
  InOutLowering lowering(function, state, interface);
  lowering.lowerInputs();
  lowering.lowerWrites();
  switch (state.shaderModes().stage) {
  case ShaderStage::Vertex:
    DOVETAIL_CHECK(lowering.exportVertex());
    return ReturnValues();
  case ShaderStage::Fragment:
    return lowering.returnFragment();
  default:
    interface.writesMemory = state.usage().writesMemory;
    return ReturnValues();
  }
}

} // namespace lgc
