// SPDX-License-Identifier: MIT
//
// Strides, offsets, divisors and counts may be any 32-bit numbers. So sizes are computed in 64 bits, and a buffer that
// would be too large is refused before it is made.
#include "tools/proof/scene/maker/vertex_buffers.h"
#include "tools/proof/scene/maker/index_limits.h"
#include "tools/proof/scene/maker/random.h"
#include <algorithm>

namespace dovetail {

namespace {

bool isPerInstance(const VertexBinding &binding) {
  return binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
}

// How many elements the instances of a draw read. The first instance is added after the division (Vulkan, "Vertex Input
// Address Calculation").
uint64_t elementsForInstances(const VertexBinding &binding, const Scene &scene) {
  if (scene.instanceCount == 0)
    return 0;
  const uint64_t steps = binding.divisor ? (scene.instanceCount - 1) / binding.divisor : 0;
  return uint64_t(scene.firstInstance) + steps + 1;
}

// How many elements the vertices of a draw read. An index that the offset moves below zero reads none.
uint64_t elementsForVertices(const Scene &scene) {
  const uint64_t end = uint64_t(scene.firstVertex) + scene.vertexCount;
  if (scene.indices.empty())
    return end;
  int64_t elements = 0;
  for (uint64_t i = scene.firstVertex; i < std::min<uint64_t>(end, scene.indices.size()); ++i)
    if (!scene.primitiveRestart || scene.indices[i] != RestartIndex)
      elements = std::max(elements, int64_t(scene.indices[i]) + scene.vertexOffset + 1);
  return uint64_t(elements);
}

std::vector<VertexAttribute> attributesOf(const VertexBinding &binding, const Scene &scene) {
  std::vector<VertexAttribute> list;
  for (const VertexAttribute &attribute : scene.state.vertexAttributes)
    if (attribute.binding == binding.binding)
      list.push_back(attribute);
  return list;
}

// Enlarges the buffer for `elements` elements, and writes the new ones.
Result<void> grow(const VertexBinding &binding, uint64_t elements, const std::vector<GridPoint> &points,
                  const AttributeMaker &attributes, const Scene &scene, SceneVertexBuffer &buffer) {
  const std::vector<VertexAttribute> list = attributesOf(binding, scene);
  const uint64_t stride = binding.stride;
  uint64_t end = 0; // of an element
  for (const VertexAttribute &attribute : list)
    end = std::max(end, uint64_t(attribute.offset) + DOVETAIL_TRY(attributes.byteSize(attribute)));
  if (stride == 0)
    elements = std::min<uint64_t>(elements, 1);
  const uint64_t first = buffer.bytes.empty() ? 0 : stride ? (buffer.bytes.size() - end) / stride + 1 : 1;
  if (elements <= first)
    return {};
  const uint64_t bytes = stride * (elements - 1) + end;
  if (bytes > MaxSceneBufferBytes)
    return makeError(ErrorCode::Unsupported,
                     "the vertex buffer of binding {} needs {} bytes for {} elements with a stride of {}: too many to "
                     "make up",
                     binding.binding, bytes, elements, stride);
  buffer.bytes.resize(bytes);
  for (uint64_t element = first; element < elements; ++element)
    for (const VertexAttribute &attribute : list) {
      uint8_t *written = &buffer.bytes[stride * element + attribute.offset];
      const uint32_t number = static_cast<uint32_t>(element);
      if (isPerInstance(binding)) {
        DOVETAIL_CHECK(attributes.writeForInstance(attribute, number, written));
        continue;
      }
      Random random(scene.seed, "more vertices", {number});
      const GridPoint point = element < points.size() ? points[element] : GridPoint{random.real(), random.real()};
      DOVETAIL_CHECK(attributes.writeForVertex(attribute, point, number, written));
    }
  return {};
}

} // namespace

Result<void> makeVertexBuffers(const AttributeMaker &attributes, const std::vector<GridPoint> &points, Scene &scene) {
  for (const VertexAttribute &attribute : scene.state.vertexAttributes)
    if (std::ranges::find(scene.state.vertexBindings, attribute.binding, &VertexBinding::binding) ==
        scene.state.vertexBindings.end())
      return makeError(ErrorCode::StateMismatch,
                       "the vertex attribute at location {} is in binding {}, which the "
                       "state lacks",
                       attribute.location, attribute.binding);
  for (const VertexBinding &binding : scene.state.vertexBindings) {
    if (attributesOf(binding, scene).empty())
      continue;
    const uint64_t elements = isPerInstance(binding) ? elementsForInstances(binding, scene) : points.size();
    SceneVertexBuffer &buffer = scene.vertexBuffers.emplace_back();
    buffer.binding = binding.binding;
    DOVETAIL_CHECK(grow(binding, elements, points, attributes, scene, buffer));
  }
  return {};
}

Result<void> growVertexBuffers(const ShaderSet &shaders, const Scene &madeUp, Scene &scene) {
  const spirv::Reflection *vertex = shaders.reflection(lgc::ShaderStage::Vertex);
  if (!vertex || scene.state.vertexAttributes.empty())
    return {};
  const AttributeMaker attributes(*vertex, DOVETAIL_TRY(findIndexLimits(shaders)), scene.seed);
  for (const VertexBinding &binding : scene.state.vertexBindings) {
    auto made = std::ranges::find(madeUp.vertexBuffers, binding.binding, &SceneVertexBuffer::binding);
    auto buffer = std::ranges::find(scene.vertexBuffers, binding.binding, &SceneVertexBuffer::binding);
    if (made == madeUp.vertexBuffers.end() || buffer == scene.vertexBuffers.end() || made->bytes != buffer->bytes)
      continue;
    const uint64_t elements =
        isPerInstance(binding) ? elementsForInstances(binding, scene) : elementsForVertices(scene);
    DOVETAIL_CHECK(grow(binding, elements, {}, attributes, scene, *buffer));
  }
  return {};
}

} // namespace dovetail
