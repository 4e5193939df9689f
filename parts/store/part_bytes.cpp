// SPDX-License-Identifier: MIT
//
// Each struct has one list of its fields, which both writes and reads it. The list is a structured binding, so a field
// that is added to the struct and forgotten here does not compile. Reading checks that counts fit into the bytes that
// are left before memory is taken for them, that enumerators exist, and that truth values are 0 or 1.
#include "parts/store/part_bytes.h"
#include "parts/store/check_part.h"
#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>

namespace dovetail {

namespace {

template <typename Value, typename T>
concept Like = std::same_as<std::remove_const_t<Value>, T>;

// The highest enumerator of each enum that a part holds.
constexpr PartKind last(PartKind) {
  return PartKind::Monolithic;
}
constexpr RelocationKind last(RelocationKind) {
  return RelocationKind::Branch16;
}
constexpr RelocationTarget last(RelocationTarget) {
  return RelocationTarget::SecondHalf;
}
constexpr ValueKind last(ValueKind) {
  return ValueKind::InterpolatedColor;
}
constexpr RegisterBank last(RegisterBank) {
  return RegisterBank::Vgpr;
}
constexpr isa::Hazard last(isa::Hazard) {
  return isa::Hazard(isa::HazardCount - 1);
}
constexpr HardwareStage last(HardwareStage) {
  return HardwareStage(HardwareStageCount - 1);
}
constexpr VertexSource last(VertexSource) {
  return VertexSource::TessEval;
}
constexpr NumericClass last(NumericClass) {
  return NumericClass::Uint;
}
constexpr TessPrimitive last(TessPrimitive) {
  return TessPrimitive::Isolines;
}
constexpr TessSpacing last(TessSpacing) {
  return TessSpacing::FractionalEven;
}
constexpr TessVertexOrder last(TessVertexOrder) {
  return TessVertexOrder::Clockwise;
}
constexpr GeometryInput last(GeometryInput) {
  return GeometryInput::TrianglesAdjacency;
}
constexpr GeometryOutput last(GeometryOutput) {
  return GeometryOutput::TriangleStrip;
}

template <typename Stream, typename... Fields> void all(Stream &stream, Fields &...fields) {
  (stream.item(fields), ...);
}

// The lists, from the inside out.

void visit(auto &stream, Like<Hash128> auto &value) {
  auto &[high, low] = value;
  all(stream, high, low);
}

void visit(auto &stream, Like<PartKey> auto &value) {
  auto &[kind, hash] = value;
  all(stream, kind, hash);
}

void visit(auto &stream, Like<ValueName> auto &value) {
  auto &[kind, index, component] = value;
  all(stream, kind, index, component);
}

void visit(auto &stream, Like<Register> auto &value) {
  auto &[bank, index] = value;
  all(stream, bank, index);
}

void visit(auto &stream, Like<Binding> auto &binding) {
  auto &[value, reg] = binding;
  all(stream, value, reg);
}

void visit(auto &stream, Like<Contract> auto &value) {
  auto &[inputs, outputs, preservedSgprs, preservedVgprs, endsProgram] = value;
  all(stream, inputs, outputs, preservedSgprs, preservedVgprs, endsProgram);
}

void visit(auto &stream, Like<Relocation> auto &value) {
  auto &[offset, kind, target, addend] = value;
  all(stream, offset, kind, target, addend);
}

void visit(auto &stream, Like<Usage> auto &value) {
  auto &[sgprs, numberedSgprs, specialSgprs, vgprs, scratchBytes, ldsBytes, floatMode, runsInAnyFloatMode, ieeeMode,
         dx10Clamp, waveSize, psInputEna, psInputAddr] = value;
  all(stream, sgprs, numberedSgprs, specialSgprs, vgprs, scratchBytes, ldsBytes, floatMode, runsInAnyFloatMode,
      ieeeMode, dx10Clamp, waveSize, psInputEna, psInputAddr);
}

void visit(auto &stream, Like<FragmentExports> auto &value) {
  auto &[colFormat, cbShaderMask, zFormat, depth, stencil, sampleMask, kills, alphaToCoverage] = value;
  all(stream, colFormat, cbShaderMask, zFormat, depth, stencil, sampleMask, kills, alphaToCoverage);
}

void visit(auto &stream, Like<isa::HazardEdge> auto &value) {
  auto &[hazard, bank, first, count, waitStates] = value;
  all(stream, hazard, bank, first, count, waitStates);
}

void visit(auto &stream, Like<isa::HazardSummary> auto &value) {
  auto &[pendingAtEnd, sensitiveAtStart, length] = value;
  all(stream, pendingAtEnd, sensitiveAtStart, length);
}

void visit(auto &stream, Like<EntryInterface> auto &value) {
  auto &[inputs, userSgprCount] = value;
  all(stream, inputs, userSgprCount);
}

void visit(auto &stream, Like<VertexInput> auto &value) {
  auto &[location, dwordMask, numericClass, elementBits] = value;
  all(stream, location, dwordMask, numericClass, elementBits);
}

void visit(auto &stream, Like<ColorOutput> auto &value) {
  auto &[location, index, componentMask, numericClass] = value;
  all(stream, location, index, componentMask, numericClass);
}

void visit(auto &stream, Like<ParameterExport> auto &value) {
  auto &[location, parameter] = value;
  all(stream, location, parameter);
}

void visit(auto &stream, Like<FragmentInput> auto &value) {
  auto &[location, flat, pointCoord] = value;
  all(stream, location, flat, pointCoord);
}

void visit(auto &stream, Like<TessellationInterface> auto &value) {
  auto &[primitive, spacing, vertexOrder, pointMode, outputVertices, ldsPatchStride, factorsInRegisters, readsFactors] =
      value;
  all(stream, primitive, spacing, vertexOrder, pointMode, outputVertices, ldsPatchStride, factorsInRegisters,
      readsFactors);
}

void visit(auto &stream, Like<GeometryOutputDword> auto &value) {
  auto &[slot, component, vertexStream] = value;
  all(stream, slot, component, vertexStream);
}

void visit(auto &stream, Like<GeometryInterface> auto &value) {
  auto &[input, output, maxVertices, invocations, streamMask, outputs, usesPrimitiveId, usesInvocationId] = value;
  all(stream, input, output, maxVertices, invocations, streamMask, outputs, usesPrimitiveId, usesInvocationId);
}

void visit(auto &stream, Like<XfbOutput> auto &value) {
  auto &[slot, component, buffer, vertexStream, offset] = value;
  all(stream, slot, component, buffer, vertexStream, offset);
}

void visit(auto &stream, Like<XfbInterface> auto &value) {
  auto &[strides, bufferStream, outputs] = value;
  all(stream, strides, bufferStream, outputs);
}

void visit(auto &stream, Like<ColorInput> auto &value) {
  auto &[index, componentMask, location, backLocation] = value;
  all(stream, index, componentMask, location, backLocation);
}

void visit(auto &stream, Like<ConstantDword> auto &constant) {
  auto &[slot, component, value] = constant;
  all(stream, slot, component, value);
}

void visit(auto &stream, Like<VertexInterface> auto &value) {
  auto &[inputs, usesInstanceId] = value;
  all(stream, inputs, usesInstanceId);
}

void visit(auto &stream, Like<PreRasterInterface> auto &value) {
  auto &[xfb, parameters, positionExports, writesPointSize, writesLayer, writesViewportIndex, clipDistanceMask,
         cullDistanceMask, usesPrimitiveId] = value;
  all(stream, xfb, parameters, positionExports, writesPointSize, writesLayer, writesViewportIndex, clipDistanceMask,
      cullDistanceMask, usesPrimitiveId);
}

void visit(auto &stream, Like<FragmentInterface> auto &value) {
  auto &[inputs, colorInputs, placesInputs, colors, writesDepth, writesStencil, writesSampleMask, usesDiscard,
         earlyFragmentTests, postDepthCoverage, runsAtSampleRate, conservativeDepth, pixelCenterInteger] = value;
  all(stream, inputs, colorInputs, placesInputs, colors, writesDepth, writesStencil, writesSampleMask, usesDiscard,
      earlyFragmentTests, postDepthCoverage, runsAtSampleRate, conservativeDepth, pixelCenterInteger);
}

void visit(auto &stream, Like<ComputeInterface> auto &value) {
  auto &[workgroupSize] = value;
  all(stream, workgroupSize);
}

void visit(auto &stream, Like<ShaderInterface> auto &value) {
  auto &[hardwareStage, source, inputs, outputs, userSgprCount, userDataLimit, spillThreshold, floatMode, writesMemory,
         outputSlots, patchOutputSlots, inputSlots, patchInputSlots, inputComponents, patchInputComponents,
         constantOutputs, vertex, tessellation, geometry, preRaster, fragment, compute] = value;
  all(stream, hardwareStage, source, inputs, outputs, userSgprCount, userDataLimit, spillThreshold, floatMode,
      writesMemory, outputSlots, patchOutputSlots, inputSlots, patchInputSlots, inputComponents, patchInputComponents,
      constantOutputs, vertex, tessellation, geometry, preRaster, fragment, compute);
}

void visit(auto &stream, Like<Part> auto &value) {
  auto &[key, keyFields, description, code, constants, constantsAlignment, relocations, contract, usage, hazards,
         interface, firstInterface, entry, fragmentExports, instructionCount, buildMicroseconds] = value;
  all(stream, key, keyFields, description, code, constants, constantsAlignment, relocations, contract, usage, hazards,
      interface, firstInterface, entry, fragmentExports, instructionCount, buildMicroseconds);
}

static_assert(std::endian::native == std::endian::little, "scalars are copied as they are");

class Writer {
public:
  explicit Writer(std::vector<uint8_t> &bytes) : m_bytes(bytes) {}

  template <typename T> void item(const T &value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      append(&value, sizeof(value));
    else
      visit(*this, value);
  }
  template <typename T, size_t Count> void item(const std::array<T, Count> &values) {
    for (const T &value : values)
      item(value);
  }
  template <typename T> void item(const std::vector<T> &values) {
    item(uint32_t(values.size()));
    for (const T &value : values)
      item(value);
  }
  void item(const std::vector<uint8_t> &values) {
    item(uint32_t(values.size()));
    append(values.data(), values.size());
  }
  void item(const std::string &text) {
    item(uint32_t(text.size()));
    append(text.data(), text.size());
  }
  template <typename T> void item(const std::optional<T> &value) {
    item(value.has_value());
    if (value)
      item(*value);
  }

private:
  void append(const void *data, size_t size) {
    const uint8_t *first = static_cast<const uint8_t *>(data);
    m_bytes.insert(m_bytes.end(), first, first + size);
  }

  std::vector<uint8_t> &m_bytes;
};

// After the first byte that does not fit, everything reads as zero.
class Reader {
public:
  explicit Reader(std::span<const uint8_t> bytes) : m_bytes(bytes) {}

  template <typename T> void item(T &value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      copy(&byte, 1);
      require(byte <= 1);
      value = byte == 1;
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number = 0;
      copy(&number, sizeof(number));
      require(number <= static_cast<std::underlying_type_t<T>>(last(T())));
      value = m_good ? T(number) : T();
    } else if constexpr (std::is_arithmetic_v<T>) {
      copy(&value, sizeof(value));
    } else {
      visit(*this, value);
    }
  }
  template <typename T, size_t Count> void item(std::array<T, Count> &values) {
    for (T &value : values)
      item(value);
  }
  template <typename T> void item(std::vector<T> &values) {
    // An element takes at least a byte, so what memory is taken is bounded by what was given.
    values.resize(count());
    for (T &value : values) {
      item(value);
      if (!m_good)
        return;
    }
  }
  void item(std::vector<uint8_t> &values) {
    std::span<const uint8_t> taken = take(count());
    values.assign(taken.begin(), taken.end());
  }
  void item(std::string &text) {
    std::span<const uint8_t> taken = take(count());
    text.assign(reinterpret_cast<const char *>(taken.data()), taken.size());
  }
  template <typename T> void item(std::optional<T> &value) {
    bool isThere = false;
    item(isThere);
    if (isThere)
      item(value.emplace());
  }

  void require(bool holds) { m_good = m_good && holds; }
  bool isGood() const { return m_good; }
  bool isAtEnd() const { return m_at == m_bytes.size(); }
  size_t at() const { return m_at; }

private:
  size_t count() {
    uint32_t number = 0;
    item(number);
    require(number <= m_bytes.size() - m_at);
    return m_good ? number : 0;
  }

  std::span<const uint8_t> take(size_t size) {
    require(size <= m_bytes.size() - m_at);
    if (!m_good)
      return {};
    std::span<const uint8_t> taken = m_bytes.subspan(m_at, size);
    m_at += size;
    return taken;
  }

  void copy(void *to, size_t size) {
    std::span<const uint8_t> taken = take(size);
    std::memset(to, 0, size);
    if (!taken.empty())
      std::memcpy(to, taken.data(), size);
  }

  std::span<const uint8_t> m_bytes;
  size_t m_at = 0;
  bool m_good = true;
};

} // namespace

void encodePart(const Part &part, std::vector<uint8_t> &bytes) {
  Writer(bytes).item(part);
}

Result<Part> decodePart(std::span<const uint8_t> bytes) {
  Part part;
  Reader reader(bytes);
  reader.item(part);
  if (!reader.isGood())
    return makeError(ErrorCode::InvalidInput, "the encoding of a part is damaged at byte {} of {}", reader.at(),
                     bytes.size());
  if (!reader.isAtEnd())
    return makeError(ErrorCode::InvalidInput, "the encoding of a part ends at byte {} of {}", reader.at(),
                     bytes.size());
  if (const char *defect = defectOf(part))
    return makeError(ErrorCode::InvalidInput, "the encoding of part {} {} is damaged: {}", toString(part.key.kind),
                     part.key.hash.toHex(), defect);
  return part;
}

} // namespace dovetail
