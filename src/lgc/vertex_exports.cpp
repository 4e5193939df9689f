// SPDX-License-Identifier: MIT
#include "src/lgc/vertex_exports.h"
#include <bit>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::ShaderInterface;

namespace lgc {

namespace {

constexpr unsigned ExportPos0 = 12;
constexpr unsigned ExportParam0 = 32;
constexpr unsigned MaxParameters = 32;

class VertexExporter {
public:
  VertexExporter(IRBuilderBase &builder, const TargetInfo &target, const ResourceUsage &usage, OutputReader valueOf,
                 ShaderInterface &interface)
      : m_builder(builder), m_target(target), m_usage(usage), m_valueOf(valueOf), m_interface(interface) {}

  dovetail::Result<void> run(Value *primitiveId);

private:
  uint8_t maskOf(OutputKind kind) const { return writtenComponents(m_usage, kind); }
  Value *finalValue(OutputKind kind, unsigned slot, unsigned component) {
    if (!(writtenComponents(m_usage, kind, slot) >> component & 1))
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
  void exportParameter(unsigned location, unsigned mask, ArrayRef<Value *> values);

  IRBuilderBase &m_builder;
  const TargetInfo &m_target;
  const ResourceUsage &m_usage;
  OutputReader m_valueOf;
  ShaderInterface &m_interface;
};

std::array<Value *, 4> VertexExporter::positionValues() {
  std::array<Value *, 4> values;
  for (unsigned c = 0; c < 4; ++c) {
    bool isWritten = maskOf(OutputKind::Position) >> c & 1;
    values[c] = isWritten ? finalValue(OutputKind::Position, 0, c)
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
    values[0] = finalValue(OutputKind::PointSize, 0, 0);
    mask |= 1;
  }
  m_interface.writesLayer = maskOf(OutputKind::Layer);
  m_interface.writesViewportIndex = maskOf(OutputKind::ViewportIndex);
  // GFX8 has an enable bit and a component of its own for each; GFX9 packs them.
  if (!m_target.hasMergedStages) {
    if (m_interface.writesLayer)
      values[2] = finalValue(OutputKind::Layer, 0, 0), mask |= 4;
    if (m_interface.writesViewportIndex)
      values[3] = finalValue(OutputKind::ViewportIndex, 0, 0), mask |= 8;
  } else if (m_interface.writesLayer || m_interface.writesViewportIndex) {
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
dovetail::Result<SmallVector<Value *, 8>> VertexExporter::clipAndCullValues() {
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

void VertexExporter::exportParameter(unsigned location, unsigned mask, ArrayRef<Value *> values) {
  unsigned number = m_interface.parameters.size();
  m_interface.parameters.push_back({static_cast<uint8_t>(location), static_cast<uint8_t>(number)});
  if (number < MaxParameters)
    makeExport(ExportParam0 + number, mask, values, /*done=*/false);
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
  if (primitiveId) {
    Value *number = m_builder.CreateBitCast(primitiveId, m_builder.getFloatTy());
    exportParameter(dovetail::PrimitiveIdParameter, 1, {number, none, none, none});
  } else {
    exportSingle(OutputKind::PrimitiveId, dovetail::PrimitiveIdParameter);
  }
  exportSingle(OutputKind::Layer, dovetail::LayerParameter);
  exportSingle(OutputKind::ViewportIndex, dovetail::ViewportIndexParameter);
  exportDistances(OutputKind::ClipDistance, dovetail::ClipDistanceParameter0);
  exportDistances(OutputKind::CullDistance, dovetail::CullDistanceParameter0);
  if (m_interface.parameters.size() > MaxParameters)
    return makeError(ErrorCode::Unsupported, "a vertex has {} output locations; the hardware has {}",
                     m_interface.parameters.size(), MaxParameters);
  return {};
}

} // namespace

dovetail::Result<void> exportVertex(IRBuilderBase &builder, const TargetInfo &target, const ResourceUsage &usage,
                                    OutputReader valueOf, Value *primitiveId, ShaderInterface &interface) {
  return VertexExporter(builder, target, usage, valueOf, interface).run(primitiveId);
}

} // namespace lgc
