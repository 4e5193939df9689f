// SPDX-License-Identifier: MIT
//
// Describes each struct once, as a list of its members with names; the writer and the reader both use this description.
// Scalars are little-endian and as wide as in memory; lists begin with a 64-bit count. The file has no names: the
// reader uses them to say where an error is.
#include "tools/proof/scene/scene_file.h"
#include <cstring>
#include <optional>
#include <type_traits>

namespace dovetail {

namespace {

// The first word of a file; its last byte is the version of the format.
constexpr uint32_t SceneMark = 0x02435344;  // "DSC"
constexpr uint32_t ResultMark = 0x01525344; // "DSR"

constexpr unsigned MaxNameBytes = 1 << 16;

template <typename T> constexpr bool IsScalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <typename T> constexpr bool IsVector = false;
template <typename T> constexpr bool IsVector<std::vector<T>> = true;
template <typename T> constexpr bool IsArray = false;
template <typename T, size_t N> constexpr bool IsArray<std::array<T, N>> = true;

// The members of each struct. `Visitor` has field(name, member).
template <typename Visitor> void describe(Visitor &visitor, SceneSpecConstant &constant) {
  visitor.field("id", constant.id).field("bytes", constant.bytes).field("value", constant.value);
}

template <typename Visitor> void describe(Visitor &visitor, SceneShader &shader) {
  visitor.field("name", shader.name)
      .field("stage", shader.stage)
      .field("words", shader.words)
      .field("entryPoint", shader.entryPoint)
      .field("specConstants", shader.specConstants)
      .field("isOpenGl", shader.isOpenGl);
}

template <typename Visitor> void describe(Visitor &visitor, VertexBinding &binding) {
  visitor.field("binding", binding.binding)
      .field("stride", binding.stride)
      .field("inputRate", binding.inputRate)
      .field("divisor", binding.divisor);
}

template <typename Visitor> void describe(Visitor &visitor, VertexAttribute &attribute) {
  visitor.field("location", attribute.location)
      .field("binding", attribute.binding)
      .field("format", attribute.format)
      .field("offset", attribute.offset);
}

template <typename Visitor> void describe(Visitor &visitor, ColorTarget &target) {
  visitor.field("format", target.format)
      .field("writeMask", target.writeMask)
      .field("blendEnable", target.blendEnable)
      .field("srcColorBlendFactor", target.srcColorBlendFactor)
      .field("dstColorBlendFactor", target.dstColorBlendFactor)
      .field("colorBlendOp", target.colorBlendOp)
      .field("srcAlphaBlendFactor", target.srcAlphaBlendFactor)
      .field("dstAlphaBlendFactor", target.dstAlphaBlendFactor)
      .field("alphaBlendOp", target.alphaBlendOp);
}

template <typename Visitor> void describe(Visitor &visitor, PipelineState &state) {
  visitor.field("vertexBindings", state.vertexBindings)
      .field("vertexAttributes", state.vertexAttributes)
      .field("topology", state.topology)
      .field("patchControlPoints", state.patchControlPoints)
      .field("tessellationDomainLowerLeft", state.tessellationDomainLowerLeft)
      .field("flatProvokingVertexLast", state.flatProvokingVertexLast)
      .field("depthClampEnable", state.depthClampEnable)
      .field("rasterizerDiscardEnable", state.rasterizerDiscardEnable)
      .field("rasterizationSamples", state.rasterizationSamples)
      .field("sampleShadingEnable", state.sampleShadingEnable)
      .field("polygonStippleEnable", state.polygonStippleEnable)
      .field("colorTwoSide", state.colorTwoSide)
      .field("flatShadeColors", state.flatShadeColors)
      .field("perSampleInterpolation", state.perSampleInterpolation)
      .field("multisampleDisable", state.multisampleDisable)
      .field("barycentricOptimization", state.barycentricOptimization)
      .field("layeredFramebuffer", state.layeredFramebuffer)
      .field("smoothing", state.smoothing)
      .field("pointSmoothing", state.pointSmoothing)
      .field("spriteCoordEnable", state.spriteCoordEnable)
      .field("spriteCoordLowerLeft", state.spriteCoordLowerLeft)
      .field("clampVertexColor", state.clampVertexColor)
      .field("clipDistanceEnable", state.clipDistanceEnable)
      .field("transformFeedbackEnable", state.transformFeedbackEnable)
      .field("squareComputeWaves", state.squareComputeWaves)
      .field("colorTargets", state.colorTargets)
      .field("alphaToCoverageEnable", state.alphaToCoverageEnable)
      .field("alphaToOneEnable", state.alphaToOneEnable)
      .field("broadcastColor0", state.broadcastColor0)
      .field("clampColor", state.clampColor)
      .field("alphaTestFunc", state.alphaTestFunc)
      .field("depthStencilFormat", state.depthStencilFormat);
}

template <typename Visitor> void describe(Visitor &visitor, SceneImage &image) {
  visitor.field("format", image.format)
      .field("viewType", image.viewType)
      .field("width", image.width)
      .field("height", image.height)
      .field("depth", image.depth)
      .field("layers", image.layers)
      .field("mipLevels", image.mipLevels)
      .field("samples", image.samples)
      .field("bytes", image.bytes)
      .field("absentBegin", image.absentBegin)
      .field("absentEnd", image.absentEnd);
}

template <typename Visitor> void describe(Visitor &visitor, SceneSampler &sampler) {
  visitor.field("magFilter", sampler.magFilter)
      .field("minFilter", sampler.minFilter)
      .field("mipmapMode", sampler.mipmapMode)
      .field("addressModeU", sampler.addressModeU)
      .field("addressModeV", sampler.addressModeV)
      .field("addressModeW", sampler.addressModeW)
      .field("mipLodBias", sampler.mipLodBias)
      .field("compareEnable", sampler.compareEnable)
      .field("compareOp", sampler.compareOp)
      .field("minLod", sampler.minLod)
      .field("maxLod", sampler.maxLod)
      .field("borderColor", sampler.borderColor)
      .field("unnormalizedCoordinates", sampler.unnormalizedCoordinates);
}

template <typename Visitor> void describe(Visitor &visitor, SceneDescriptor &descriptor) {
  visitor.field("set", descriptor.set)
      .field("binding", descriptor.binding)
      .field("element", descriptor.element)
      .field("type", descriptor.type)
      .field("buffer", descriptor.buffer)
      .field("texelFormat", descriptor.texelFormat)
      .field("image", descriptor.image)
      .field("sampler", descriptor.sampler)
      .field("ycbcrConversion", descriptor.ycbcrConversion)
      .field("planes", descriptor.planes);
}

template <typename Visitor> void describe(Visitor &visitor, SceneAddress &address) {
  visitor.field("holder", address.holder).field("offset", address.offset).field("buffer", address.buffer);
}

template <typename Visitor> void describe(Visitor &visitor, SceneVertexBuffer &buffer) {
  visitor.field("binding", buffer.binding).field("bytes", buffer.bytes);
}

template <typename Visitor> void describe(Visitor &visitor, VkViewport &viewport) {
  visitor.field("x", viewport.x)
      .field("y", viewport.y)
      .field("width", viewport.width)
      .field("height", viewport.height)
      .field("minDepth", viewport.minDepth)
      .field("maxDepth", viewport.maxDepth);
}

template <typename Visitor> void describe(Visitor &visitor, VkRect2D &rectangle) {
  visitor.field("x", rectangle.offset.x)
      .field("y", rectangle.offset.y)
      .field("width", rectangle.extent.width)
      .field("height", rectangle.extent.height);
}

template <typename Visitor> void describe(Visitor &visitor, VkClearColorValue &color) {
  visitor.field("r", color.uint32[0])
      .field("g", color.uint32[1])
      .field("b", color.uint32[2])
      .field("a", color.uint32[3]);
}

template <typename Visitor> void describe(Visitor &visitor, Scene &scene) {
  visitor.field("name", scene.name)
      .field("seed", scene.seed)
      .field("shaders", scene.shaders)
      .field("state", scene.state)
      .field("buffers", scene.buffers)
      .field("images", scene.images)
      .field("samplers", scene.samplers)
      .field("descriptors", scene.descriptors)
      .field("pushConstants", scene.pushConstants)
      .field("addresses", scene.addresses)
      .field("transformFeedbackBuffers", scene.transformFeedbackBuffers)
      .field("workgroups", scene.workgroups)
      .field("vertexBuffers", scene.vertexBuffers)
      .field("indices", scene.indices)
      .field("primitiveRestart", scene.primitiveRestart)
      .field("vertexCount", scene.vertexCount)
      .field("instanceCount", scene.instanceCount)
      .field("firstVertex", scene.firstVertex)
      .field("firstInstance", scene.firstInstance)
      .field("vertexOffset", scene.vertexOffset)
      .field("width", scene.width)
      .field("height", scene.height)
      .field("layers", scene.layers)
      .field("viewMask", scene.viewMask)
      .field("viewports", scene.viewports)
      .field("scissors", scene.scissors)
      .field("cullMode", scene.cullMode)
      .field("frontFace", scene.frontFace)
      .field("depthTestEnable", scene.depthTestEnable)
      .field("depthWriteEnable", scene.depthWriteEnable)
      .field("depthCompareOp", scene.depthCompareOp)
      .field("stencilTestEnable", scene.stencilTestEnable)
      .field("stencilReference", scene.stencilReference)
      .field("sampleMask", scene.sampleMask)
      .field("blendConstants", scene.blendConstants)
      .field("alphaReference", scene.alphaReference)
      .field("defaultTessLevels", scene.defaultTessLevels)
      .field("deviceIndex", scene.deviceIndex)
      .field("clearColors", scene.clearColors)
      .field("clearDepth", scene.clearDepth)
      .field("clearStencil", scene.clearStencil);
}

template <typename Visitor> void describe(Visitor &visitor, ScenePicture &picture) {
  visitor.field("format", picture.format)
      .field("width", picture.width)
      .field("height", picture.height)
      .field("layers", picture.layers)
      .field("bytes", picture.bytes);
}

template <typename Visitor> void describe(Visitor &visitor, SceneResult &result) {
  visitor.field("colors", result.colors)
      .field("depth", result.depth)
      .field("stencil", result.stencil)
      .field("buffers", result.buffers)
      .field("images", result.images);
}

class Writer {
public:
  template <typename T> Writer &field(const char *, T &value) {
    write(value);
    return *this;
  }
  void mark(uint32_t value) { write(value); }
  std::vector<uint8_t> take() { return std::move(m_bytes); }

private:
  void append(const void *data, size_t size) {
    const auto *bytes = static_cast<const uint8_t *>(data);
    m_bytes.insert(m_bytes.end(), bytes, bytes + size);
  }

  template <typename T> void write(T &value) {
    if constexpr (IsScalar<T>) {
      append(&value, sizeof(T));
    } else if constexpr (std::is_same_v<T, std::string>) {
      writeCount(value.size());
      append(value.data(), value.size());
    } else if constexpr (IsVector<T>) {
      writeCount(value.size());
      if constexpr (IsScalar<typename T::value_type>)
        append(value.data(), value.size() * sizeof(typename T::value_type));
      else
        for (auto &element : value)
          write(element);
    } else if constexpr (IsArray<T>) {
      for (auto &element : value)
        write(element);
    } else {
      describe(*this, value);
    }
  }

  void writeCount(uint64_t count) { append(&count, sizeof(count)); }

  std::vector<uint8_t> m_bytes;
};

// Keeps the first error; after it, nothing is read.
class Reader {
public:
  Reader(const char *what, std::span<const uint8_t> bytes) : m_rest(bytes), m_path(what) {}

  template <typename T> Reader &field(const char *name, T &value) {
    size_t length = m_path.size();
    m_path += m_path.ends_with(':') ? fmt::format(" {}", name) : fmt::format(".{}", name);
    read(value);
    m_path.resize(length);
    return *this;
  }

  void mark(uint32_t expected) {
    uint32_t found = 0;
    read(found);
    if (found != expected)
      complain("does not begin with the mark of this kind of file and version");
  }

  Result<void> finish() {
    if (!m_rest.empty())
      complain("{} bytes are left over", m_rest.size());
    if (m_error)
      return tl::unexpected(*m_error);
    return {};
  }

private:
  template <typename... Args> void complain(fmt::format_string<Args...> format, Args &&...args) {
    if (!m_error)
      m_error = makeError(ErrorCode::InvalidInput, "{}{} {}", m_path, m_path.ends_with(':') ? "" : ":",
                          fmt::format(format, std::forward<Args>(args)...))
                    .value();
    m_rest = {};
  }

  bool take(void *data, size_t size) {
    if (m_error)
      return false;
    if (m_rest.size() < size) {
      complain("cut short: needs {} bytes, {} are left", size, m_rest.size());
      return false;
    }
    if (size > 0)
      std::memcpy(data, m_rest.data(), size);
    m_rest = m_rest.subspan(size);
    return true;
  }

  // Checks a count against the bytes that are left, before anything is allocated for it.
  size_t takeCount(size_t leastBytes) {
    uint64_t count = 0;
    if (!take(&count, sizeof(count)))
      return 0;
    if (count > m_rest.size() / leastBytes) {
      complain("cut short: {} elements, {} bytes are left", count, m_rest.size());
      return 0;
    }
    return count;
  }

  template <typename T> void read(T &value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      take(&byte, 1);
      if (byte > 1)
        complain("a bool is 0 or 1, found {}", byte);
      value = byte == 1;
    } else if constexpr (std::is_enum_v<T>) {
      // Vulkan's enumerations end at 0x7fffffff; in C++, a larger value in one is undefined behaviour.
      std::underlying_type_t<T> number = 0;
      take(&number, sizeof(number));
      if (number > 0x7fffffff)
        return complain("{:#x} is no value of an enumeration", number);
      value = T(number);
    } else if constexpr (std::is_arithmetic_v<T>) {
      take(&value, sizeof(T));
    } else if constexpr (std::is_same_v<T, std::string>) {
      size_t count = takeCount(1);
      if (count > MaxNameBytes)
        return complain("a name has at most {} bytes, found {}", MaxNameBytes, count);
      value.resize(count);
      take(value.data(), count);
    } else if constexpr (IsVector<T>) {
      readVector(value);
    } else if constexpr (IsArray<T>) {
      readElements(value);
    } else {
      describe(*this, value);
    }
  }

  template <typename T> void readVector(std::vector<T> &value) {
    static_assert(!std::is_enum_v<T>, "enumerators are read one by one");
    if constexpr (IsScalar<T>) {
      size_t count = takeCount(sizeof(T));
      value.resize(count);
      take(value.data(), count * sizeof(T));
    } else {
      // An element is at least as long as an empty list.
      value.resize(takeCount(sizeof(uint64_t)));
      readElements(value);
    }
  }

  template <typename List> void readElements(List &list) {
    size_t length = m_path.size();
    for (size_t index = 0; index < list.size() && !m_error; ++index) {
      m_path += fmt::format("[{}]", index);
      read(list[index]);
      m_path.resize(length);
    }
  }

  std::span<const uint8_t> m_rest;
  std::string m_path;
  std::optional<Error> m_error;
};

} // namespace

// The description takes a mutable struct; the writer does not change it.
std::vector<uint8_t> writeScene(const Scene &scene) {
  Writer writer;
  writer.mark(SceneMark);
  describe(writer, const_cast<Scene &>(scene));
  return writer.take();
}

std::vector<uint8_t> writeSceneResult(const SceneResult &result) {
  Writer writer;
  writer.mark(ResultMark);
  describe(writer, const_cast<SceneResult &>(result));
  return writer.take();
}

Result<Scene> readScene(std::span<const uint8_t> bytes) {
  Scene scene;
  Reader reader("scene:", bytes);
  reader.mark(SceneMark);
  describe(reader, scene);
  DOVETAIL_CHECK(reader.finish());
  DOVETAIL_CHECK(checkScene(scene));
  return scene;
}

Result<SceneResult> readSceneResult(std::span<const uint8_t> bytes) {
  SceneResult result;
  Reader reader("result:", bytes);
  reader.mark(ResultMark);
  describe(reader, result);
  DOVETAIL_CHECK(reader.finish());
  return result;
}

} // namespace dovetail
