// SPDX-License-Identifier: MIT
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/optimize/shader_steps.h"
#include <bit>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <map>

using namespace llvm;
using dovetail::DwordPart;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::PreRasterInterface;

namespace lgc {

namespace {

constexpr unsigned ExportPos0 = 12;
constexpr unsigned ExportParam0 = 32;
constexpr unsigned MaxParameters = 32;

class VertexExporter {
public:
  VertexExporter(IRBuilderBase &builder, const dovetail::TargetInfo &target, const ResourceUsage &usage,
                 OutputReader valueOf, const InterShaderData &others, PreRasterInterface &interface)
      : m_builder(builder), m_target(target), m_usage(usage), m_valueOf(valueOf), m_others(others),
        m_interface(interface) {}

  dovetail::Result<void> run(Value *primitiveId);

private:
  // The components that are exported to the fixed function, and to the fragment shader.
  uint8_t maskOf(OutputKind kind) const { return exportedComponents(kind, 0, isFixedFunctionInput); }
  uint8_t parameterMaskOf(OutputKind kind, unsigned slot = 0) const {
    return exportedComponents(kind, slot, static_cast<Filter *>(isHandedOn));
  }
  using Filter = bool(const InterShaderData &, OutputSlot, unsigned);
  uint8_t exportedComponents(OutputKind kind, unsigned slot, Filter *isWanted) const {
    uint8_t mask = writtenComponents(m_usage, kind, slot);
    for (unsigned component = 0; component < 8; ++component)
      if (mask >> component & 1 && !isWanted(m_others, {kind, slot}, component))
        mask &= ~(1u << component);
    return mask;
  }
  // `mask`: the components that are exported.
  Value *finalValue(unsigned mask, OutputKind kind, unsigned slot, unsigned component) {
    if (!(mask >> component & 1))
      return PoisonValue::get(m_builder.getFloatTy());
    return m_valueOf({kind, slot}, component);
  }

  void makeExport(unsigned target, unsigned mask, ArrayRef<Value *> values, bool done) {
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_exp, {m_builder.getFloatTy()},
                              {m_builder.getInt32(target), m_builder.getInt32(mask), values[0], values[1], values[2],
                               values[3], m_builder.getInt1(done), m_builder.getFalse()});
  }

  std::array<Value *, 4> positionValues();
  std::array<Value *, 4> miscellaneousValues(unsigned &mask);
  dovetail::Result<SmallVector<Value *, 8>> clipAndCullValues();
  void addParameter(unsigned location, unsigned mask, ArrayRef<Value *> values);
  Value *withHalf(Value *dword, Value *value, DwordPart part);
  dovetail::Result<void> exportParameters();

  struct Parameter {
    unsigned mask = 0;
    std::array<Value *, 4> values = {};
  };

  IRBuilderBase &m_builder;
  const dovetail::TargetInfo &m_target;
  const ResourceUsage &m_usage;
  OutputReader m_valueOf;
  const InterShaderData &m_others;
  PreRasterInterface &m_interface;
  std::map<unsigned, Parameter> m_parameters; // by the location at which they travel
};

std::array<Value *, 4> VertexExporter::positionValues() {
  std::array<Value *, 4> values;
  unsigned mask = maskOf(OutputKind::Position);
  for (unsigned c = 0; c < 4; ++c) {
    bool isWritten = mask >> c & 1;
    values[c] = isWritten ? finalValue(mask, OutputKind::Position, 0, c)
                          : ConstantFP::get(m_builder.getFloatTy(), c == 3 ? 1.0 : 0.0);
  }
  return values;
}

std::array<Value *, 4> VertexExporter::miscellaneousValues(unsigned &mask) {
  Value *none = PoisonValue::get(m_builder.getFloatTy());
  std::array<Value *, 4> values = {none, none, none, none};
  mask = 0;
  if (maskOf(OutputKind::PointSize)) {
    m_interface.writesPointSize = true;
    values[0] = finalValue(1, OutputKind::PointSize, 0, 0);
    mask |= 1;
  }
  m_interface.writesLayer = maskOf(OutputKind::Layer);
  m_interface.writesViewportIndex = maskOf(OutputKind::ViewportIndex);
  // GFX8 has an enable bit and a component of its own for each of the two; GFX9 packs them.
  if (!m_target.hasMergedStages) {
    if (m_interface.writesLayer)
      values[2] = finalValue(1, OutputKind::Layer, 0, 0), mask |= 4;
    if (m_interface.writesViewportIndex)
      values[3] = finalValue(1, OutputKind::ViewportIndex, 0, 0), mask |= 8;
  } else if (m_interface.writesLayer || m_interface.writesViewportIndex) {
    auto word = [&](OutputKind kind) -> Value * {
      return maskOf(kind) ? m_builder.CreateBitCast(finalValue(1, kind, 0, 0), m_builder.getInt32Ty())
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
dovetail::Result<SmallVector<Value *, 8>> VertexExporter::clipAndCullValues() {
  SmallVector<Value *, 8> values;
  unsigned clipMask = maskOf(OutputKind::ClipDistance);
  unsigned cullMask = maskOf(OutputKind::CullDistance);
  unsigned clipCount = std::bit_width(clipMask), cullCount = std::bit_width(cullMask);
  if (clipCount + cullCount > 8)
    return makeError(ErrorCode::InvalidInput, "{} clip and {} cull distances; the hardware has 8 together", clipCount,
                     cullCount);
  for (unsigned i = 0; i < clipCount; ++i)
    values.push_back(finalValue(clipMask, OutputKind::ClipDistance, 0, i));
  for (unsigned i = 0; i < cullCount; ++i)
    values.push_back(finalValue(cullMask, OutputKind::CullDistance, 0, i));
  m_interface.clipDistanceMask = clipMask;
  m_interface.cullDistanceMask = cullMask << clipCount;
  return values;
}

void VertexExporter::addParameter(unsigned location, unsigned mask, ArrayRef<Value *> values) {
  for (unsigned component = 0; component < 4; ++component)
    if (mask >> component & 1) {
      const auto [declared, place, part] = parameterPlace(m_others, location, component);
      Parameter &parameter = m_parameters[place.location];
      parameter.mask |= 1u << place.component;
      Value *&value = parameter.values[place.component];
      value = part == DwordPart::Whole ? values[component] : withHalf(value, values[component], part);
    }
}

// `dword`: the dword with the other half; nullptr if that half comes later.
Value *VertexExporter::withHalf(Value *dword, Value *value, DwordPart part) {
  constexpr unsigned halfBits = 16, lowHalf = 0xffff;
  Value *bits = m_builder.CreateBitCast(value, m_builder.getInt32Ty());
  bits = part == DwordPart::HighHalf ? m_builder.CreateShl(bits, halfBits) : m_builder.CreateAnd(bits, lowHalf);
  if (dword)
    bits = m_builder.CreateOr(m_builder.CreateBitCast(dword, m_builder.getInt32Ty()), bits);
  return m_builder.CreateBitCast(bits, m_builder.getFloatTy());
}

dovetail::Result<void> VertexExporter::exportParameters() {
  if (m_parameters.size() > MaxParameters)
    return makeError(ErrorCode::Unsupported, "a vertex has {} output locations; the hardware has {}",
                     m_parameters.size(), MaxParameters);
  for (auto &[location, parameter] : m_parameters) {
    for (Value *&value : parameter.values)
      if (!value)
        value = PoisonValue::get(m_builder.getFloatTy());
    unsigned number = m_interface.parameters.size();
    m_interface.parameters.push_back({static_cast<uint8_t>(location), static_cast<uint8_t>(number)});
    makeExport(ExportParam0 + number, parameter.mask, parameter.values, /*done=*/false);
  }
  return {};
}

dovetail::Result<void> VertexExporter::run(Value *primitiveId) {
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
    unsigned mask = parameterMaskOf(OutputKind::Generic, slot.slot);
    std::array<Value *, 4> values;
    for (unsigned c = 0; c < 4; ++c)
      values[c] = finalValue(mask, OutputKind::Generic, slot.slot, c);
    addParameter(slot.slot, mask, values);
  }
  // Fragment shaders may read these, and main parts do not know whether one does.
  auto addSingle = [&](OutputKind kind, unsigned location) {
    if (parameterMaskOf(kind))
      addParameter(location, 1, {finalValue(1, kind, 0, 0)});
  };
  auto addDistances = [&](OutputKind kind, unsigned first) {
    for (unsigned half = 0; half < 2; ++half) {
      unsigned written = parameterMaskOf(kind), mask = written >> half * 4 & 0xf;
      std::array<Value *, 4> values;
      for (unsigned c = 0; c < 4; ++c)
        values[c] = finalValue(written, kind, 0, half * 4 + c);
      addParameter(first + half, mask, values);
    }
  };
  if (primitiveId) {
    Value *number = m_builder.CreateBitCast(primitiveId, m_builder.getFloatTy());
    addParameter(dovetail::PrimitiveIdParameter, 1, {number});
  } else {
    addSingle(OutputKind::PrimitiveId, dovetail::PrimitiveIdParameter);
  }
  addSingle(OutputKind::Layer, dovetail::LayerParameter);
  addSingle(OutputKind::ViewportIndex, dovetail::ViewportIndexParameter);
  addDistances(OutputKind::ClipDistance, dovetail::ClipDistanceParameter0);
  addDistances(OutputKind::CullDistance, dovetail::CullDistanceParameter0);
  return exportParameters();
}

} // namespace

dovetail::Result<void> exportVertex(IRBuilderBase &builder, const dovetail::TargetInfo &target,
                                    const ResourceUsage &usage, OutputReader valueOf, Value *primitiveId,
                                    const InterShaderData &others, PreRasterInterface &interface) {
  return VertexExporter(builder, target, usage, valueOf, others, interface).run(primitiveId);
}

} // namespace lgc
