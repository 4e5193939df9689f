// SPDX-License-Identifier: MIT
//
// Sources of the descriptors: tools/proof/emulator/image/image_descriptor.h and
// tools/proof/emulator/memory/buffer_descriptor.h; of FMASK: Mesa, radv_image.c.
#include "tools/proof/emulator/driver/bound_resources.h"
#include "tools/proof/emulator/driver/buffer_views.h"
#include "tools/proof/emulator/image/fmask.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/scene/scene_addresses.h"
#include <algorithm>
#include <cstring>
#include <map>

namespace dovetail {

namespace {

using emulator::Gpu;

uint32_t low(uint64_t address) {
  return static_cast<uint32_t>(address);
}

uint64_t mapDwords(Gpu &gpu, std::string name, const std::vector<uint32_t> &dwords) {
  std::vector<uint8_t> bytes(dwords.size() * 4);
  if (!bytes.empty())
    std::memcpy(bytes.data(), dwords.data(), bytes.size());
  return gpu.memory().map(std::move(name), std::move(bytes), 256, false);
}

const char *nameOf(UserDataNodeType type) {
  switch (type) {
  case UserDataNodeType::Image:
    return "an image";
  case UserDataNodeType::Sampler:
    return "a sampler";
  case UserDataNodeType::CombinedImageSampler:
    return "an image with a sampler";
  case UserDataNodeType::TexelBuffer:
    return "a texel buffer";
  case UserDataNodeType::Fmask:
    return "an image";
  case UserDataNodeType::ImagePlane1:
  case UserDataNodeType::ImagePlane2:
    return "an image with planes";
  default:
    return "a buffer";
  }
}

AddressOfBuffer addressOf(const BoundResources &bound) {
  return [&bound](uint32_t buffer) { return bound.buffers[buffer]; };
}

class Binder {
public:
  Binder(Gpu &gpu, const Scene &scene, const ShaderSet &shaders) : m_gpu(gpu), m_scene(scene), m_shaders(shaders) {}

  Result<BoundResources> run() {
    mapData();
    for (const SceneDescriptor &descriptor : m_scene.descriptors)
      m_descriptors[{descriptor.set, descriptor.binding, descriptor.element}] = &descriptor;
    DOVETAIL_CHECK(writeTables());
    DOVETAIL_CHECK(writeRoot());
    m_bound.vertexBufferTable = low(DOVETAIL_TRY(bindVertexBuffers()));
    return std::move(m_bound);
  }

private:
  // Must not call ShaderSet's own function or stageMask(): they are in the library, and the C API's emulator links none
  // of it.
  const UserDataNodes &nodes() const {
    static const UserDataNodes none;
    return m_shaders.layout ? m_shaders.layout->nodes() : none;
  }

  void mapData() {
    for (size_t i = 0; i < m_scene.buffers.size(); ++i)
      m_bound.buffers.push_back(m_gpu.memory().map(fmt::format("buffer {}", i), m_scene.buffers[i]));
    for (size_t i = 0; i < m_scene.buffers.size(); ++i)
      writeAddresses(m_scene, uint32_t(i), addressOf(m_bound), m_gpu.memory().region(m_bound.buffers[i]));
    for (size_t i = 0; i < m_scene.images.size(); ++i) {
      const SceneImage &image = m_scene.images[i];
      const bool isCompressed = image.samples > 1 && isReadThroughFmask(i);
      m_bound.images.push_back(
          m_gpu.memory().map(fmt::format("image {}", i),
                             isCompressed ? emulator::compressedImageMemory(image) : emulator::imageMemory(image)));
      if (image.absentBegin < image.absentEnd)
        m_gpu.memory().setAbsent(m_bound.images.back() + image.absentBegin, image.absentEnd - image.absentBegin);
      m_fmasks.push_back(
          isCompressed ? m_gpu.memory().map(fmt::format("FMASK of image {}", i), emulator::fmaskMemory(image)) : 0);
    }
  }

  // Whether all readers of an image know of its FMASK: then a driver keeps the image compressed.
  bool isReadThroughFmask(size_t image) const {
    return std::ranges::all_of(m_scene.descriptors, [&](const SceneDescriptor &descriptor) {
      const bool isImage = descriptor.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
                           descriptor.type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
                           descriptor.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
                           descriptor.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
      if (!isImage || descriptor.image != image)
        return true;
      return descriptor.type != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE &&
             std::ranges::any_of(nodes(), [&](const UserDataNode &node) {
               return node.type == UserDataNodeType::Fmask && node.set == descriptor.set &&
                      node.binding == descriptor.binding;
             });
    });
  }

  // Writes the tables of all sets; m_tables gets their addresses.
  Result<void> writeTables() {
    std::map<uint32_t, std::vector<uint32_t>> tables;
    for (const UserDataNode &node : nodes()) {
      if (isInLayout(node.type) || (isInRoot(node.type) && node.type != UserDataNodeType::DescriptorTable))
        continue;
      std::vector<uint32_t> &table = tables[node.set];
      if (node.type == UserDataNodeType::DescriptorTable)
        continue;
      table.resize(std::max<size_t>(table.size(), node.offsetInDwords + node.sizeInDwords));
      if (!isRead(node))
        continue;
      for (uint32_t element = 0; element < elementsOf(node); ++element) {
        const std::vector<uint32_t> words = DOVETAIL_TRY(describe(node, element));
        DOVETAIL_CHECK(write(node, element, words, table));
      }
    }
    for (const auto &[set, table] : tables)
      m_tables[set] = low(mapDwords(m_gpu, fmt::format("descriptor set {}", set), table));
    return {};
  }

  // Whether shaders read this node. An application's layout may have descriptors that these shaders do not use; they
  // stay zero. Callers of the C API give no shaders, so all nodes count.
  bool isRead(const UserDataNode &node) const {
    const bool areShadersKnown =
        std::ranges::any_of(m_shaders.shaders, [](const ShaderRef &shader) { return shader != nullptr; });
    return !areShadersKnown || std::ranges::any_of(m_shaders.shaders, [&](const ShaderRef &shader) {
      return shader && std::ranges::any_of(shader->reflection.descriptors, [&](const auto &descriptor) {
               return descriptor.set == node.set && descriptor.binding == node.binding;
             });
    });
  }

  // In layouts of files and of C callers, a descriptor may lack room.
  static Result<void> write(const UserDataNode &node, uint32_t element, const std::vector<uint32_t> &words,
                            std::vector<uint32_t> &table) {
    const size_t begin = node.offsetInDwords + size_t(element) * strideOf(node);
    if (begin + words.size() > table.size())
      return makeError(ErrorCode::StateMismatch, "set {} binding {}: element {} has no room for {}", node.set,
                       node.binding, element, nameOf(node.type));
    std::ranges::copy(words, table.begin() + ptrdiff_t(begin));
    return {};
  }

  Result<std::vector<uint32_t>> describe(const UserDataNode &node, uint32_t element) const {
    auto found = m_descriptors.find({node.set, node.binding, element});
    if (found == m_descriptors.end())
      return makeError(ErrorCode::StateMismatch, "the scene has no descriptor for element {} of set {} binding {}",
                       element, node.set, node.binding);
    const SceneDescriptor &descriptor = *found->second;
    auto wrong = [&] {
      return makeError(ErrorCode::StateMismatch, "set {} binding {}: element {} is not {}", node.set, node.binding,
                       element, nameOf(node.type));
    };
    bool hasImage = false, hasSampler = false, hasBuffer = false, hasTexels = false;
    switch (descriptor.type) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      hasImage = hasSampler = true;
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      hasSampler = true;
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      hasImage = true;
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      hasTexels = true;
      break;
    default:
      hasBuffer = true;
    }
    hasImage = hasImage && descriptor.image < m_scene.images.size();
    hasSampler = hasSampler && descriptor.sampler < m_scene.samplers.size();
    bool isInRange = descriptor.buffer < m_scene.buffers.size();

    std::vector<uint32_t> words;
    auto append = [&](const auto &more) { words.insert(words.end(), more.begin(), more.end()); };
    switch (node.type) {
    case UserDataNodeType::Image:
    case UserDataNodeType::CombinedImageSampler:
      if (!hasImage || (node.type == UserDataNodeType::CombinedImageSampler && !hasSampler))
        return wrong();
      append(DOVETAIL_TRY(emulator::imageDescriptor(m_gpu.generation(), m_scene.images[descriptor.image],
                                                    m_bound.images[descriptor.image])));
      if (node.type == UserDataNodeType::CombinedImageSampler)
        append(emulator::samplerDescriptor(m_scene.samplers[descriptor.sampler]));
      return words;
    case UserDataNodeType::ImagePlane1:
    case UserDataNodeType::ImagePlane2: {
      const uint32_t plane = descriptor.planes[node.type == UserDataNodeType::ImagePlane1 ? 0 : 1];
      if (!hasImage || descriptor.ycbcrConversion == 0 || plane >= m_scene.images.size())
        return wrong();
      append(DOVETAIL_TRY(emulator::imageDescriptor(m_gpu.generation(), m_scene.images[plane], m_bound.images[plane])));
      return words;
    }
    case UserDataNodeType::Fmask:
      if (!hasImage)
        return wrong();
      append(m_fmasks[descriptor.image] == 0
                 ? std::array<uint32_t, 8>()
                 : DOVETAIL_TRY(emulator::fmaskDescriptor(m_gpu.generation(), m_scene.images[descriptor.image],
                                                          m_fmasks[descriptor.image])));
      return words;
    case UserDataNodeType::Sampler:
      if (!hasSampler)
        return wrong();
      append(emulator::samplerDescriptor(m_scene.samplers[descriptor.sampler]));
      return words;
    case UserDataNodeType::TexelBuffer:
      if (!hasTexels || !isInRange)
        return wrong();
      append(DOVETAIL_TRY(texelBufferView(m_gpu.generation(), m_bound.buffers[descriptor.buffer],
                                          m_scene.buffers[descriptor.buffer].size(), descriptor.texelFormat)));
      return words;
    default:
      if (!hasBuffer || !isInRange)
        return wrong();
      append(rawBufferView(m_bound.buffers[descriptor.buffer] - offsetOf(node.set, node.binding, element),
                           m_scene.buffers[descriptor.buffer].size()));
      if (node.type == UserDataNodeType::CompactBuffer)
        words.resize(2);
      if (node.type == UserDataNodeType::InlineUniforms) {
        const std::vector<uint8_t> &bytes = m_scene.buffers[descriptor.buffer];
        words.assign(node.sizeInDwords, 0);
        std::memcpy(words.data(), bytes.data(), std::min<size_t>(bytes.size(), words.size() * 4));
      }
      return words;
    }
  }

  // For elements whose offset is in the root table: the descriptor begins that much in front of the buffer.
  uint32_t offsetOf(uint32_t set, uint32_t binding, uint32_t element) const {
    constexpr uint32_t Distance = 256;
    const bool hasOffset = std::ranges::any_of(nodes(), [&](const UserDataNode &node) {
      return node.type == UserDataNodeType::DynamicOffset && node.set == set && node.binding == binding;
    });
    return hasOffset ? (element + 1) * Distance : 0;
  }

  Result<void> writeRootBuffer(const UserDataNode &node) {
    for (uint32_t element = 0; element < elementsOf(node); ++element) {
      const bool isOffset = node.type == UserDataNodeType::DynamicOffset;
      const std::vector<uint32_t> words =
          isOffset ? std::vector{offsetOf(node.set, node.binding, element)} : DOVETAIL_TRY(describe(node, element));
      DOVETAIL_CHECK(write(node, element, words, m_bound.root));
    }
    return {};
  }

  Result<void> writeRoot() {
    std::vector<uint8_t> pushConstants = m_scene.pushConstants;
    writeAddresses(m_scene, NoSceneBuffer, addressOf(m_bound), pushConstants);
    for (const UserDataNode &node : nodes()) {
      if (!isInRoot(node.type))
        continue;
      m_bound.root.resize(std::max<size_t>(m_bound.root.size(), node.offsetInDwords + std::max(node.sizeInDwords, 1u)));
      if (node.type == UserDataNodeType::DescriptorTable)
        m_bound.root[node.offsetInDwords] = m_tables[node.set];
      else if (node.type != UserDataNodeType::PushConstants) {
        if (isRead(node))
          DOVETAIL_CHECK(writeRootBuffer(node));
      } else
        std::memcpy(&m_bound.root[node.offsetInDwords], pushConstants.data(),
                    std::min<size_t>(pushConstants.size(), node.sizeInDwords * 4));
    }
    m_bound.spillTable = low(mapDwords(m_gpu, "root table", m_bound.root));
    return {};
  }

  Result<uint64_t> bindVertexBuffers() {
    std::vector<uint32_t> table;
    for (const VertexBinding &binding : m_scene.state.vertexBindings) {
      auto buffer = std::ranges::find(m_scene.vertexBuffers, binding.binding, &SceneVertexBuffer::binding);
      if (buffer == m_scene.vertexBuffers.end())
        return makeError(ErrorCode::StateMismatch, "the scene has no vertex buffer for binding {}", binding.binding);
      uint64_t address =
          m_gpu.memory().map(fmt::format("vertex buffer {}", binding.binding), buffer->bytes, 256, false);
      std::array<uint32_t, 4> view =
          DOVETAIL_TRY(vertexBufferView(m_gpu.generation(), address, buffer->bytes.size(), binding, m_scene.state));
      table.resize(std::max<size_t>(table.size(), (binding.binding + 1) * view.size()));
      std::ranges::copy(view, table.begin() + binding.binding * view.size());
    }
    return mapDwords(m_gpu, "vertex buffer table", table);
  }

  Gpu &m_gpu;
  const Scene &m_scene;
  const ShaderSet &m_shaders;
  BoundResources m_bound;
  std::vector<uint64_t> m_fmasks;                                           // addresses, by image; 0: not compressed
  std::map<std::array<uint32_t, 3>, const SceneDescriptor *> m_descriptors; // by set, binding, element
  std::map<uint32_t, uint32_t> m_tables;                                    // set -> pointer
};

} // namespace

Result<BoundResources> bindResources(Gpu &gpu, const Scene &scene, const ShaderSet &shaders) {
  return Binder(gpu, scene, shaders).run();
}

void readResources(Gpu &gpu, const Scene &scene, const BoundResources &bound, SceneResult &result) {
  for (uint64_t address : bound.buffers) {
    std::span<uint8_t> bytes = gpu.memory().region(address);
    std::vector<uint8_t> &read = result.buffers.emplace_back(bytes.begin(), bytes.end());
    eraseAddresses(scene, uint32_t(result.buffers.size() - 1), addressOf(bound), read);
  }
  for (size_t i = 0; i < scene.images.size(); ++i) {
    // Here, shaders cannot write multisampled images, so their content is unchanged.
    if (scene.images[i].samples > 1) {
      result.images.push_back(scene.images[i].bytes);
      continue;
    }
    std::span<uint8_t> bytes = gpu.memory().region(bound.images[i]);
    result.images.emplace_back(bytes.begin(), bytes.begin() + std::min(bytes.size(), scene.images[i].bytes.size()));
  }
}

} // namespace dovetail
