// SPDX-License-Identifier: MIT
//
// Reads scenes from JSON. Bytes are runs of numbers of one type ({"f32": [0, 1]}), base64, or a list of both. Resources
// are named by set, binding and element, and must be resources of the shaders.
#include "tools/common/inputs/scene_json.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/json_reader.h"
#include "tools/proof/scene/picture_png.h"
#include "tools/proof/scene/scene_file.h"
#include <algorithm>
#include <cstring>
#include <filesystem>

namespace dovetail {

namespace {

constexpr size_t MaxElements = 1 << 24;
constexpr size_t MaxListed = 4096; // descriptors, viewports, …

template <typename T> void append(std::vector<uint8_t> &bytes, T value) {
  const auto *data = reinterpret_cast<const uint8_t *>(&value);
  bytes.insert(bytes.end(), data, data + sizeof(value));
}

// Reads a run of numbers of type T.
template <typename T>
void appendRun(const Json &list, std::vector<uint8_t> &bytes, const std::string &path, Complaint &complaint) {
  for (size_t index = 0; index < list.size(); ++index) {
    const Json &value = list[index];
    std::string place = fmt::format("{}/{}", path, index);
    if constexpr (std::is_floating_point_v<T>) {
      if (!value.is_number())
        return complaint.add(place, "expected a number, found " + describe(value));
      append(bytes, value.get<T>());
    } else {
      bool fits = value.is_number_unsigned()
                      ? value.get<uint64_t>() <= uint64_t(std::numeric_limits<T>::max())
                      : value.is_number_integer() && value.get<int64_t>() >= int64_t(std::numeric_limits<T>::min());
      if (!fits)
        return complaint.add(place, "expected an integer that fits, found " + describe(value));
      append(bytes, value.get<T>());
    }
  }
}

void appendBase64(const std::string &text, std::vector<uint8_t> &bytes, const std::string &path, Complaint &complaint) {
  constexpr std::string_view Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string_view digits = text;
  while (digits.ends_with('='))
    digits.remove_suffix(1);
  if (text.size() % 4 != 0 || text.size() - digits.size() > 2)
    return complaint.add(path, "base64 comes in groups of four characters");
  uint32_t pending = 0;
  unsigned bits = 0;
  for (char c : digits) {
    size_t digit = Digits.find(c);
    if (digit == std::string_view::npos)
      return complaint.add(path, fmt::format("'{}' is not base64", c));
    pending = pending << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits < 8)
      continue;
    bits -= 8;
    bytes.push_back(static_cast<uint8_t>(pending >> bits));
  }
}

void readBytes(const Json &value, std::vector<uint8_t> &bytes, const std::string &path, Complaint &complaint) {
  if (value.is_array()) {
    for (size_t index = 0; index < value.size(); ++index)
      readBytes(value[index], bytes, fmt::format("{}/{}", path, index), complaint);
    return;
  }
  ObjectReader reader(value, path, complaint);
  auto run = [&](const char *name, auto appendTo) {
    reader.readMember(name, [&](const Json &list, const std::string &place) {
      if (!list.is_array() || list.size() > MaxElements)
        return complaint.add(place, "expected a list of numbers, found " + describe(list));
      appendTo(list, place);
    });
  };
  run("f32", [&](const Json &list, const std::string &place) { appendRun<float>(list, bytes, place, complaint); });
  run("f64", [&](const Json &list, const std::string &place) { appendRun<double>(list, bytes, place, complaint); });
  run("i32", [&](const Json &list, const std::string &place) { appendRun<int32_t>(list, bytes, place, complaint); });
  run("u32", [&](const Json &list, const std::string &place) { appendRun<uint32_t>(list, bytes, place, complaint); });
  run("u16", [&](const Json &list, const std::string &place) { appendRun<uint16_t>(list, bytes, place, complaint); });
  run("u8", [&](const Json &list, const std::string &place) { appendRun<uint8_t>(list, bytes, place, complaint); });
  reader.readMember("base64", [&](const Json &text, const std::string &place) {
    std::string digits;
    readValue(text, digits, place, complaint);
    appendBase64(digits, bytes, place, complaint);
  });
  reader.finish();
  if (value.is_object() && value.size() != 1)
    complaint.add(path, "expected one of f32, f64, i32, u32, u16, u8 and base64");
}

// Replaces the bytes if the member is there.
void readData(ObjectReader &reader, const char *name, std::vector<uint8_t> &bytes, Complaint &complaint) {
  reader.readMember(name, [&](const Json &value, const std::string &path) {
    bytes.clear();
    readBytes(value, bytes, path, complaint);
  });
}

template <typename Element>
void readNumbers(ObjectReader &reader, const char *name, Element *elements, size_t count, Complaint &complaint) {
  reader.readMember(name, [&](const Json &value, const std::string &path) {
    if (!value.is_array() || value.size() != count)
      return complaint.add(path, fmt::format("expected a list of {} numbers, found {}", count, describe(value)));
    for (size_t index = 0; index < count; ++index)
      readValue(value[index], elements[index], fmt::format("{}/{}", path, index), complaint);
  });
}

// The descriptor that an entry of `buffers`, `images` or `samplers` names.
SceneDescriptor *findDescriptor(ObjectReader &reader, Scene &scene, const std::string &path, Complaint &complaint) {
  uint32_t set = 0, binding = 0, element = 0;
  reader.read("set", set).read("binding", binding).read("element", element);
  for (SceneDescriptor &descriptor : scene.descriptors)
    if (descriptor.set == set && descriptor.binding == binding && descriptor.element == element)
      return &descriptor;
  complaint.add(path, fmt::format("the shaders use no set {} binding {} element {}", set, binding, element));
  return nullptr;
}

bool isOneOf(VkDescriptorType type, std::initializer_list<VkDescriptorType> types) {
  return std::ranges::find(types, type) != types.end();
}

void readBuffer(const Json &value, Scene &scene, const std::string &path, Complaint &complaint) {
  ObjectReader reader(value, path, complaint);
  SceneDescriptor *descriptor = findDescriptor(reader, scene, path, complaint);
  if (!descriptor)
    return;
  if (!isOneOf(descriptor->type, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER}))
    return complaint.add(path, "this binding has no buffer");
  readData(reader, "data", scene.buffers[descriptor->buffer], complaint);
  reader.read("texelFormat", descriptor->texelFormat).finish();
}

// A PNG becomes an image of one level: in the format that the entry names if its texels have 4 bytes, too, else in
// R8G8B8A8_UNORM.
void readPng(const std::string &file, SceneImage &image, const std::string &path, Complaint &complaint) {
  std::filesystem::path beside = std::filesystem::path(complaint.file).parent_path() / file;
  Result<std::string> bytes = readWholeFile(beside.string());
  if (!bytes)
    return complaint.add(path, bytes.error().text);
  Result<Raster> raster = decodePng({reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size()});
  if (!raster)
    return complaint.add(path, raster.error().text);
  image = {.width = raster->width, .height = raster->height, .bytes = std::move(raster->rgba)};
}

void readImage(const Json &value, Scene &scene, const std::string &path, Complaint &complaint) {
  ObjectReader reader(value, path, complaint);
  SceneDescriptor *descriptor = findDescriptor(reader, scene, path, complaint);
  if (!descriptor)
    return;
  if (!isOneOf(descriptor->type, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                  VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT}))
    return complaint.add(path, "this binding has no image");
  SceneImage &image = scene.images[descriptor->image];
  reader.readMember("png", [&](const Json &name, const std::string &place) {
    std::string file;
    readValue(name, file, place, complaint);
    readPng(file, image, place, complaint);
  });
  reader.read("format", image.format)
      .read("viewType", image.viewType)
      .read("width", image.width)
      .read("height", image.height)
      .read("depth", image.depth)
      .read("layers", image.layers)
      .read("mipLevels", image.mipLevels)
      .read("samples", image.samples);
  readData(reader, "data", image.bytes, complaint);
  reader.finish();
}

void readSampler(const Json &value, Scene &scene, const std::string &path, Complaint &complaint) {
  ObjectReader reader(value, path, complaint);
  SceneDescriptor *descriptor = findDescriptor(reader, scene, path, complaint);
  if (!descriptor)
    return;
  if (!isOneOf(descriptor->type, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLER}))
    return complaint.add(path, "this binding has no sampler");
  SceneSampler &sampler = scene.samplers[descriptor->sampler];
  reader.read("magFilter", sampler.magFilter)
      .read("minFilter", sampler.minFilter)
      .read("mipmapMode", sampler.mipmapMode)
      .read("addressModeU", sampler.addressModeU)
      .read("addressModeV", sampler.addressModeV)
      .read("addressModeW", sampler.addressModeW)
      .read("mipLodBias", sampler.mipLodBias)
      .read("compareEnable", sampler.compareEnable)
      .read("compareOp", sampler.compareOp)
      .read("minLod", sampler.minLod)
      .read("maxLod", sampler.maxLod)
      .read("borderColor", sampler.borderColor)
      .read("unnormalizedCoordinates", sampler.unnormalizedCoordinates)
      .finish();
}

void readVertexBuffer(const Json &value, Scene &scene, const std::string &path, Complaint &complaint) {
  ObjectReader reader(value, path, complaint);
  uint32_t binding = 0;
  reader.read("binding", binding);
  auto found = std::ranges::find(scene.vertexBuffers, binding, &SceneVertexBuffer::binding);
  if (found == scene.vertexBuffers.end())
    found = scene.vertexBuffers.insert(found, SceneVertexBuffer{binding, {}});
  readData(reader, "data", found->bytes, complaint);
  reader.finish();
}

void readGeometry(ObjectReader &reader, Scene &scene, Complaint &complaint) {
  auto nothing = [] {};
  reader
      .readArray(
          "vertexBuffers", MaxListed, nothing,
          [&](const Json &value, const std::string &path, size_t) { readVertexBuffer(value, scene, path, complaint); })
      .readArray(
          "indices", MaxElements, [&] { scene.indices.clear(); },
          [&](const Json &value, const std::string &path, size_t) {
            readValue(value, scene.indices.emplace_back(), path, complaint);
          })
      .read("primitiveRestart", scene.primitiveRestart)
      .read("vertexCount", scene.vertexCount)
      .read("instanceCount", scene.instanceCount)
      .read("firstVertex", scene.firstVertex)
      .read("firstInstance", scene.firstInstance)
      .read("vertexOffset", scene.vertexOffset);
}

void readFramebuffer(ObjectReader &reader, Scene &scene, Complaint &complaint) {
  reader.read("width", scene.width)
      .read("height", scene.height)
      .read("layers", scene.layers)
      .read("viewMask", scene.viewMask)
      .readArray(
          "viewports", MaxListed, [&] { scene.viewports.clear(); },
          [&](const Json &value, const std::string &path, size_t) {
            VkViewport &viewport = scene.viewports.emplace_back();
            viewport.maxDepth = 1;
            ObjectReader(value, path, complaint)
                .read("x", viewport.x)
                .read("y", viewport.y)
                .read("width", viewport.width)
                .read("height", viewport.height)
                .read("minDepth", viewport.minDepth)
                .read("maxDepth", viewport.maxDepth)
                .finish();
          })
      .readArray(
          "scissors", MaxListed, [&] { scene.scissors.clear(); },
          [&](const Json &value, const std::string &path, size_t) {
            VkRect2D &scissor = scene.scissors.emplace_back();
            ObjectReader(value, path, complaint)
                .read("x", scissor.offset.x)
                .read("y", scissor.offset.y)
                .read("width", scissor.extent.width)
                .read("height", scissor.extent.height)
                .finish();
          })
      .readArray(
          "clearColors", MaxColorTargets, [] {},
          [&](const Json &value, const std::string &path, size_t index) {
            std::vector<uint8_t> bytes;
            readBytes(value, bytes, path, complaint);
            if (bytes.size() != sizeof(VkClearColorValue))
              return complaint.add(path, "a colour is four 32-bit numbers");
            std::memcpy(&scene.clearColors[index], bytes.data(), bytes.size());
          })
      .read("clearDepth", scene.clearDepth)
      .read("clearStencil", scene.clearStencil);
}

void readScene(const Json &value, Scene &scene, const std::string &path, Complaint &complaint) {
  auto nothing = [] {};
  ObjectReader reader(value, path, complaint);
  readGeometry(reader, scene, complaint);
  readFramebuffer(reader, scene, complaint);
  VkCullModeFlagBits cullMode = static_cast<VkCullModeFlagBits>(scene.cullMode);
  uint32_t stencilReference = scene.stencilFront.reference;
  reader.read("cullMode", cullMode)
      .read("frontFace", scene.frontFace)
      .read("depthTestEnable", scene.depthTestEnable)
      .read("depthWriteEnable", scene.depthWriteEnable)
      .read("depthCompareOp", scene.depthCompareOp)
      .read("stencilTestEnable", scene.stencilTestEnable)
      .read("stencilReference", stencilReference)
      .read("sampleMask", scene.sampleMask)
      .read("alphaReference", scene.alphaReference);
  scene.cullMode = cullMode;
  scene.setStencilReference(stencilReference);
  readNumbers(reader, "blendConstants", scene.blendConstants.data(), 4, complaint);
  readNumbers(reader, "defaultTessLevels", scene.defaultTessLevels.data(), scene.defaultTessLevels.size(), complaint);
  readNumbers(reader, "workgroups", scene.workgroups.data(), 3, complaint);
  readData(reader, "pushConstants", scene.pushConstants, complaint);
  reader
      .readArray(
          "buffers", MaxListed, nothing,
          [&](const Json &entry, const std::string &place, size_t) { readBuffer(entry, scene, place, complaint); })
      .readArray(
          "images", MaxListed, nothing,
          [&](const Json &entry, const std::string &place, size_t) { readImage(entry, scene, place, complaint); })
      .readArray(
          "samplers", MaxListed, nothing,
          [&](const Json &entry, const std::string &place, size_t) { readSampler(entry, scene, place, complaint); })
      .finish();
}

} // namespace

Result<void> parseScene(std::string_view text, const std::string &name, Scene &scene) {
  Json root = DOVETAIL_TRY(parseJson(text, name));
  auto found = root.is_object() ? root.find("scene") : root.end();
  if (!root.is_object() || found == root.end())
    return {};
  Complaint complaint{name, std::nullopt};
  readScene(*found, scene, "/scene", complaint);
  if (complaint.error)
    return tl::unexpected(*complaint.error);
  if (Result<void> drawable = checkScene(scene); !drawable)
    return makeError(ErrorCode::InvalidInput, "{}: {}", name, drawable.error().text);
  return {};
}

Result<void> readSceneFile(const std::string &path, Scene &scene) {
  return parseScene(DOVETAIL_TRY(readWholeFile(path)), path, scene);
}

} // namespace dovetail
