// SPDX-License-Identifier: MIT
//
// The operations of geometry shaders alone: reading the vertices of a primitive, emitting vertices, ending primitives.
// Also transform feedback, which other stages declare, too.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/state/output_dword.h"
#include "src/lgc/state/pipeline_state.h"
#include <algorithm>
#include <fmt/format.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::GeometryInput;
using dovetail::ValueKind;

namespace lgc {

namespace {

constexpr unsigned MaxDistances = 8;

} // namespace

// The offset of an input vertex, in dwords.
Value *BuilderImpl::geometryVertexOffset(Value *vertexIndex) {
  unsigned count = dovetail::VerticesOfInput[size_t(shaderModes().geometry.input)];
  auto offsetOf = [&](unsigned vertex) -> Value * {
    return HardwareValueOp::create(*this, getInt32Ty(), ValueKind::GsVertexOffset, vertex);
  };
  if (!vertexIndex) {
    fail(ErrorCode::InvalidInput, "a geometry shader reads an input without saying of which vertex");
    return PoisonValue::get(getInt32Ty());
  }
  if (auto *constant = dyn_cast<ConstantInt>(vertexIndex)) {
    if (constant->getValue().uge(count)) // undefined
      return PoisonValue::get(getInt32Ty());
    return offsetOf(constant->getZExtValue());
  }
  Value *offset = offsetOf(0);
  for (unsigned vertex = 1; vertex < count; ++vertex)
    offset = CreateSelect(CreateICmpEQ(vertexIndex, getInt32(vertex)), offsetOf(vertex), offset);
  return offset;
}

Value *BuilderImpl::readGeometryInput(Type *type, unsigned location, Value *locationOffset, unsigned component,
                                      unsigned locationCount, Value *vertexIndex) {
  Value *vertex = geometryVertexOffset(vertexIndex);
  Value *dwordOffset = getInt32(0);
  if (auto *constant = dyn_cast<ConstantInt>(locationOffset)) {
    location += static_cast<unsigned>(constant->getZExtValue());
    locationCount = 1;
  } else {
    dwordOffset = CreateShl(locationOffset, 2);
  }
  return joinComponents(type, [&](unsigned number) -> Value * {
    unsigned at = component + number;
    unsigned first = location + at / 4;
    if (first >= dovetail::MaxGenericSlots) {
      fail(ErrorCode::InvalidInput, fmt::format("input location {} is out of range", first));
      return PoisonValue::get(getInt32Ty());
    }
    unsigned count = std::min(locationCount, dovetail::MaxGenericSlots - first);
    return GeometryInputOp::create(*this, dovetail::GenericSlot + first, at % 4, count, dwordOffset, vertex);
  });
}

// Null if the built-in is no input of geometry shaders, or the type is not allowed for it.
Value *BuilderImpl::readGeometryBuiltIn(Type *resultType, BuiltIn builtIn, Value *arrayIndex, Value *vertexIndex) {
  if (builtIn == BuiltIn::PrimitiveId)
    return hardwareDword(*this, ValueKind::GsPrimitiveId);
  if (builtIn == BuiltIn::InvocationId)
    return hardwareDword(*this, ValueKind::GsInvocationId);
  bool isDistances = builtIn == BuiltIn::ClipDistance || builtIn == BuiltIn::CullDistance;
  if (!isDistances && builtIn != BuiltIn::Position && builtIn != BuiltIn::PointSize)
    return nullptr;

  Value *vertex = geometryVertexOffset(vertexIndex);
  auto read = [&](unsigned element) -> Value * {
    std::optional<VertexDword> dword = vertexDwordOf(builtIn, element);
    if (!dword)
      return PoisonValue::get(getFloatTy()); // beyond its end
    Value *word = GeometryInputOp::create(*this, dword->slot, dword->component, 1, getInt32(0), vertex);
    return CreateBitCast(word, getFloatTy());
  };
  if (auto *constant = dyn_cast_or_null<ConstantInt>(arrayIndex))
    return read(std::min<uint64_t>(constant->getZExtValue(), MaxDistances));
  if (arrayIndex) {
    VertexDword first = *vertexDwordOf(builtIn);
    Value *word = GeometryInputOp::create(*this, first.slot, first.component, isDistances ? 2 : 1, arrayIndex, vertex);
    return CreateBitCast(word, getFloatTy());
  }
  if (auto *array = dyn_cast<ArrayType>(resultType); array && array->getElementType()->isFloatTy()) {
    Value *result = PoisonValue::get(array);
    for (unsigned i = 0; i < std::min<uint64_t>(array->getNumElements(), MaxDistances); ++i)
      result = CreateInsertValue(result, read(i), i);
    return result;
  }
  if (auto *vector = dyn_cast<FixedVectorType>(resultType); vector && vector->getElementType()->isFloatTy()) {
    Value *result = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = CreateInsertElement(result, read(i), i);
    return result;
  }
  return resultType->isFloatTy() ? read(0) : nullptr;
}

void BuilderImpl::setOutputStream(OutputSlot output, unsigned component, unsigned stream) {
  stream %= dovetail::MaxVertexStreams;
  auto [known, isNew] = m_pipelineState.usage().outputStreams.try_emplace({output, component}, stream);
  if (known->second != stream)
    fail(ErrorCode::InvalidInput,
         fmt::format("an output of a geometry shader belongs to the vertex streams {} and {}", known->second, stream));
}

Value *BuilderImpl::CreateEmitVertex(unsigned stream, const Twine &) {
  if (shaderModes().stage != ShaderStage::Geometry || stream >= dovetail::MaxVertexStreams)
    fail(ErrorCode::InvalidInput, fmt::format("a vertex is emitted to stream {} of a stage that has none", stream));
  else
    SendVertexOp::create(*this, stream);
  return nullptr;
}

Value *BuilderImpl::CreateEndPrimitive(unsigned stream, const Twine &) {
  if (shaderModes().stage != ShaderStage::Geometry || stream >= dovetail::MaxVertexStreams)
    fail(ErrorCode::InvalidInput, fmt::format("a primitive ends in stream {} of a stage that has none", stream));
  else
    SendCutOp::create(*this, stream);
  return nullptr;
}

// Only notes the output: the values are captured where the vertex is finished.
Value *BuilderImpl::CreateCaptureOutput(bool isBuiltIn, unsigned location, unsigned component, unsigned buffer,
                                        unsigned stride, unsigned offset, unsigned stream, const Twine &) {
  constexpr unsigned maxStride = 1023 * 4; // VGT_STRMOUT_VTX_STRIDE_n counts dwords in 10 bits
  std::optional<VertexDword> dword =
      isBuiltIn ? vertexDwordOf(static_cast<BuiltIn>(location), component)
                : vertexDwordOf(OutputSlot{OutputKind::Generic, location + component / 4}, component % 4);
  if (!dword) {
    fail(ErrorCode::InvalidInput, fmt::format("transform feedback of {} {}, component {}, which is no output",
                                              isBuiltIn ? "built-in" : "location", location, component));
    return nullptr;
  }
  if (buffer >= dovetail::MaxXfbBuffers || stream >= dovetail::MaxVertexStreams || stride > maxStride || stride % 4 ||
      offset % 4 || offset + 4 > stride) {
    fail(ErrorCode::InvalidInput,
         fmt::format("transform feedback to buffer {} at offset {} of {} bytes, from stream {}, is out of range",
                     buffer, offset, stride, stream));
    return nullptr;
  }
  dovetail::XfbInterface &xfb = m_pipelineState.usage().xfb;
  bool isUsed = xfb.strides[buffer] != 0;
  if (isUsed && (xfb.strides[buffer] != stride || xfb.bufferStream[buffer] != stream)) {
    fail(ErrorCode::InvalidInput,
         fmt::format("transform feedback buffer {} has two strides or takes two vertex streams", buffer));
    return nullptr;
  }
  xfb.strides[buffer] = static_cast<uint16_t>(stride);
  xfb.bufferStream[buffer] = static_cast<uint8_t>(stream);
  xfb.outputs.push_back({static_cast<uint8_t>(dword->slot), static_cast<uint8_t>(dword->component),
                         static_cast<uint8_t>(buffer), static_cast<uint8_t>(stream), static_cast<uint16_t>(offset)});
  if (shaderModes().stage == ShaderStage::Geometry) {
    OutputComponent output = *outputOf(*dword);
    setOutputStream(output.output, output.component, stream);
  }
  return nullptr;
}

} // namespace lgc
