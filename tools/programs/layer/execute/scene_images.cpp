// SPDX-License-Identifier: MIT
//
// A copy has level 0 of all layers, then level 1 and so on, tightly packed, as SceneImage has it. Of a target it has
// only the framebuffer's texels; depth comes first, then stencil.
#include "tools/programs/layer/execute/scene_images.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <cstring>

namespace dovetail::layer {

namespace {

constexpr VkDeviceSize MaxCopy = VkDeviceSize(256) << 20;
constexpr float LargestD16 = 0xffff, LargestD24 = 0xffffff;

VkImageAspectFlags aspectsOf(VkFormat format) {
  const VkImageAspectFlags depthStencil = (hasDepth(format) ? uint32_t(VK_IMAGE_ASPECT_DEPTH_BIT) : 0u) |
                                          (hasStencil(format) ? uint32_t(VK_IMAGE_ASPECT_STENCIL_BIT) : 0u);
  return depthStencil != 0 ? depthStencil : VkImageAspectFlags(VK_IMAGE_ASPECT_COLOR_BIT);
}

// The format of one aspect in a buffer, to which it was copied.
VkFormat formatInBuffer(VkFormat format, VkImageAspectFlags aspect) {
  if (aspect == VK_IMAGE_ASPECT_COLOR_BIT)
    return format;
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
    return VK_FORMAT_S8_UINT;
  switch (format) {
  case VK_FORMAT_D16_UNORM:
  case VK_FORMAT_D16_UNORM_S8_UINT:
    return VK_FORMAT_D16_UNORM;
  case VK_FORMAT_D32_SFLOAT:
  case VK_FORMAT_D32_SFLOAT_S8_UINT:
    return VK_FORMAT_D32_SFLOAT;
  default:
    return VK_FORMAT_X8_D24_UNORM_PACK32;
  }
}

Result<VkDeviceSize> texelBytes(VkFormat format) {
  const Result<TexelLayout> layout = texelLayout(format);
  if (!layout)
    return makeError(ErrorCode::Unsupported, "images of format {}", int(format));
  return VkDeviceSize(layout->bytes);
}

constexpr VkDeviceSize Alignment = 16; // of copies in a buffer

// Fills a copy's regions; returns the bytes that they need.
class Regions {
public:
  explicit Regions(ImageCopy &copy) : m_copy(copy) {}

  void add(VkImageAspectFlags aspect, uint32_t level, uint32_t firstLayer, uint32_t layers, VkExtent3D extent,
           VkDeviceSize bytesOfTexel) {
    VkBufferImageCopy &region = m_copy.regions.emplace_back();
    region = {};
    region.bufferOffset = m_bytes;
    region.imageSubresource = {aspect, level, firstLayer, layers};
    region.imageExtent = extent;
    m_bytes += bytesOfTexel * extent.width * extent.height * extent.depth * layers;
  }
  // Levels of one image lie side by side; aspects need not.
  void align() { m_bytes = (m_bytes + Alignment - 1) / Alignment * Alignment; }
  VkDeviceSize bytes() const { return m_bytes; }

private:
  ImageCopy &m_copy;
  VkDeviceSize m_bytes = 0;
};

Result<void> finishCopy(const DriverCommands &commands, DrawRecord &record, ImageCopy copy, VkDeviceSize bytes) {
  if (bytes > MaxCopy)
    return makeError(ErrorCode::Unsupported, "an image of more than 256 MiB");
  std::scoped_lock lock(copy.view->stagingMutex);
  std::shared_ptr<StagingBuffer> &staging = copy.isTarget ? copy.view->targetStaging : copy.view->staging;
  if (!staging || staging->size() < bytes)
    staging = std::make_shared<StagingBuffer>(commands, bytes);
  copy.staging = staging;
  record.copies.push_back(std::move(copy));
  return {};
}

Result<void> planTarget(const DriverCommands &commands, DrawRecord &record, const std::shared_ptr<TrackedView> &view) {
  if (!view || record.findCopy(*view, true))
    return {};
  if (view->image->samples > 1)
    return makeError(ErrorCode::Unsupported, "a multisampled target");
  if (view->image->type == VK_IMAGE_TYPE_3D)
    return makeError(ErrorCode::Unsupported, "a target in slices of a 3D image");
  ImageCopy copy;
  copy.view = view;
  copy.isTarget = copy.isWritten = true;
  Regions regions(copy);
  const RenderTargets &targets = record.targets;
  for (const VkImageAspectFlags aspect :
       {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT})
    if (aspectsOf(view->format) & aspect) {
      regions.align();
      regions.add(aspect, view->range.baseMipLevel, view->range.baseArrayLayer, targets.layers,
                  {targets.width, targets.height, 1}, DOVETAIL_TRY(texelBytes(formatInBuffer(view->format, aspect))));
    }
  return finishCopy(commands, record, std::move(copy), regions.bytes());
}

// The aspect that shaders read.
VkImageAspectFlags aspectRead(const TrackedView &view) {
  const VkImageAspectFlags aspects = aspectsOf(view.format) & view.range.aspectMask;
  return aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? VkImageAspectFlags(VK_IMAGE_ASPECT_DEPTH_BIT) : aspects;
}

Result<void> planResource(const DriverCommands &commands, DrawRecord &record, const Descriptor &descriptor) {
  const std::shared_ptr<TrackedView> &view = descriptor.view;
  if (!view)
    return {};
  const bool isWritten = descriptor.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  for (ImageCopy &known : record.copies)
    if (known.view == view && !known.isTarget) {
      known.isWritten |= isWritten;
      return {};
    }
  if (view->image->samples > 1)
    return makeError(ErrorCode::Unsupported, "a multisampled image that shaders read");
  if (view->image->type == VK_IMAGE_TYPE_3D && view->type != VK_IMAGE_VIEW_TYPE_3D)
    return makeError(ErrorCode::Unsupported, "slices of a 3D image that shaders read");
  ImageCopy copy;
  copy.view = view;
  copy.isWritten = isWritten;
  Regions regions(copy);
  const VkImageAspectFlags aspect = aspectRead(*view);
  const VkDeviceSize bytes = DOVETAIL_TRY(texelBytes(formatInBuffer(view->format, aspect)));
  if (aspect == VK_IMAGE_ASPECT_COLOR_BIT && bytes != DOVETAIL_TRY(texelBytes(view->image->format)))
    return makeError(ErrorCode::Unsupported, "a view whose texels have another size than its image's");
  for (uint32_t level = 0; level < view->range.levelCount; ++level)
    regions.add(aspect, view->range.baseMipLevel + level, view->range.baseArrayLayer, view->range.layerCount,
                view->extentOf(level), bytes);
  return finishCopy(commands, record, std::move(copy), regions.bytes());
}

// ---- Component mappings ----

bool isIdentity(const VkComponentMapping &mapping) {
  const auto is = [](VkComponentSwizzle given, VkComponentSwizzle own) {
    return given == VK_COMPONENT_SWIZZLE_IDENTITY || given == own;
  };
  return is(mapping.r, VK_COMPONENT_SWIZZLE_R) && is(mapping.g, VK_COMPONENT_SWIZZLE_G) &&
         is(mapping.b, VK_COMPONENT_SWIZZLE_B) && is(mapping.a, VK_COMPONENT_SWIZZLE_A);
}

uint32_t mapped(const TexelValue &texel, VkComponentSwizzle swizzle, size_t own, uint32_t one) {
  switch (swizzle) {
  case VK_COMPONENT_SWIZZLE_ZERO:
    return 0;
  case VK_COMPONENT_SWIZZLE_ONE:
    return one;
  case VK_COMPONENT_SWIZZLE_IDENTITY:
    return texel[own];
  default:
    return texel[size_t(swizzle) - VK_COMPONENT_SWIZZLE_R];
  }
}

// A format with four components that has every value of a layout.
VkFormat widerFormat(const TexelLayout &layout) {
  unsigned bits = 0;
  for (const TexelComponent &component : layout.components)
    bits = std::max<unsigned>(bits, component.bits);
  switch (layout.numeric) {
  case TexelNumeric::Unorm:
    return bits == 8    ? VK_FORMAT_R8G8B8A8_UNORM
           : bits == 16 ? VK_FORMAT_R16G16B16A16_UNORM
                        : VK_FORMAT_R32G32B32A32_SFLOAT;
  case TexelNumeric::Snorm:
    return bits == 8    ? VK_FORMAT_R8G8B8A8_SNORM
           : bits == 16 ? VK_FORMAT_R16G16B16A16_SNORM
                        : VK_FORMAT_R32G32B32A32_SFLOAT;
  case TexelNumeric::Uint:
    return bits == 8 ? VK_FORMAT_R8G8B8A8_UINT : VK_FORMAT_R32G32B32A32_UINT;
  case TexelNumeric::Sint:
    return bits == 8 ? VK_FORMAT_R8G8B8A8_SINT : VK_FORMAT_R32G32B32A32_SINT;
  case TexelNumeric::Float:
    return bits == 16 ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT;
  default:
    return VK_FORMAT_R32G32B32A32_SFLOAT;
  }
}

// Applies the mapping to the data: the scene's image then needs none.
void applyMapping(const VkComponentMapping &mapping, SceneImage &image) {
  const TexelLayout from = texelLayout(image.format).value();
  const VkFormat format = widerFormat(from);
  const TexelLayout to = texelLayout(format).value();
  const size_t count = image.bytes.size() / from.bytes;
  std::vector<uint8_t> bytes(count * to.bytes);
  const uint32_t one = from.isInteger() ? 1 : std::bit_cast<uint32_t>(1.0f);
  for (size_t texel = 0; texel < count; ++texel) {
    const TexelValue value = decodeTexel(from, &image.bytes[texel * from.bytes]);
    encodeTexel(to,
                {mapped(value, mapping.r, 0, one), mapped(value, mapping.g, 1, one), mapped(value, mapping.b, 2, one),
                 mapped(value, mapping.a, 3, one)},
                &bytes[texel * to.bytes]);
  }
  image.format = format;
  image.bytes = std::move(bytes);
}

// Whether a mapping of an image with one component gives what shaders see without one.
bool isIdentityOfDepth(const VkComponentMapping &mapping) {
  const auto is = [](VkComponentSwizzle given, VkComponentSwizzle own, VkComponentSwizzle constant) {
    return given == VK_COMPONENT_SWIZZLE_IDENTITY || given == own || given == constant;
  };
  return is(mapping.r, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R) &&
         is(mapping.g, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_ZERO) &&
         is(mapping.b, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ZERO) &&
         is(mapping.a, VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_ONE);
}

// ---- Targets ----

// The bytes of one aspect of a target, which are in the staging buffer.
ScenePicture readTarget(const DrawRecord &record, const std::shared_ptr<TrackedView> &view, VkImageAspectFlags aspect) {
  ScenePicture picture;
  const ImageCopy *copy = view ? record.findCopy(*view, true) : nullptr;
  if (!copy || !(aspectsOf(view->format) & aspect))
    return picture;
  const RenderTargets &targets = record.targets;
  picture.format = formatInBuffer(view->format, aspect);
  picture.width = targets.width;
  picture.height = targets.height;
  picture.layers = targets.layers;
  for (const VkBufferImageCopy &region : copy->regions)
    if (region.imageSubresource.aspectMask == aspect) {
      const size_t bytes =
          size_t(texelLayout(picture.format).value().bytes) * targets.width * targets.height * targets.layers;
      const uint8_t *begin = copy->staging->data() + region.bufferOffset;
      picture.bytes.assign(begin, begin + bytes);
    }
  return picture;
}

} // namespace

bool hasDepth(VkFormat format) {
  switch (format) {
  case VK_FORMAT_D16_UNORM:
  case VK_FORMAT_X8_D24_UNORM_PACK32:
  case VK_FORMAT_D32_SFLOAT:
  case VK_FORMAT_D16_UNORM_S8_UINT:
  case VK_FORMAT_D24_UNORM_S8_UINT:
  case VK_FORMAT_D32_SFLOAT_S8_UINT:
    return true;
  default:
    return false;
  }
}

bool hasStencil(VkFormat format) {
  return format == VK_FORMAT_S8_UINT || format == VK_FORMAT_D16_UNORM_S8_UINT ||
         format == VK_FORMAT_D24_UNORM_S8_UINT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

const ImageCopy *DrawRecord::findCopy(const TrackedView &view, bool isTarget) const {
  const auto found = std::ranges::find_if(
      copies, [&](const ImageCopy &copy) { return copy.view.get() == &view && copy.isTarget == isTarget; });
  return found == copies.end() ? nullptr : &*found;
}

Result<void> planCopies(const DriverCommands &commands, DrawRecord &record) {
  for (const std::shared_ptr<TrackedView> &color : record.targets.colors)
    DOVETAIL_CHECK(planTarget(commands, record, color));
  DOVETAIL_CHECK(planTarget(commands, record, record.targets.depth));
  DOVETAIL_CHECK(planTarget(commands, record, record.targets.stencil));
  for (const auto &[set, binding] : record.variant->uses.bindings)
    if (set < record.sets.size() && record.sets[set].contents)
      if (const auto found = record.sets[set].contents->find(binding); found != record.sets[set].contents->end())
        for (const Descriptor &descriptor : found->second.descriptors)
          DOVETAIL_CHECK(planResource(commands, record, descriptor));
  return {};
}

Result<SceneImage> readImage(const DrawRecord &record, const TrackedView &view) {
  SceneImage image;
  const VkExtent3D extent = view.extentOf(0);
  image.format = formatInBuffer(view.format, aspectRead(view));
  image.viewType = view.type;
  image.width = extent.width;
  image.height = extent.height;
  image.depth = extent.depth;
  image.layers = view.range.layerCount;
  image.mipLevels = view.range.levelCount;
  image.bytes = readImageBytes(record, view);
  const ImageCopy *copy = record.findCopy(view, false);
  const bool isDepth = aspectRead(view) != VK_IMAGE_ASPECT_COLOR_BIT;
  if (isIdentity(view.components) || (isDepth && isIdentityOfDepth(view.components)))
    return image;
  if (isDepth || (copy && copy->isWritten))
    return makeError(ErrorCode::Unsupported, "a component mapping of a depth image, or of an image that shaders write");
  applyMapping(view.components, image);
  return image;
}

std::vector<uint8_t> readImageBytes(const DrawRecord &record, const TrackedView &view) {
  const ImageCopy *copy = record.findCopy(view, false);
  if (!copy || copy->regions.empty())
    return {};
  const VkBufferImageCopy &last = copy->regions.back();
  const VkDeviceSize texel = texelLayout(formatInBuffer(view.format, aspectRead(view))).value().bytes;
  const VkDeviceSize size = last.bufferOffset + texel * last.imageExtent.width * last.imageExtent.height *
                                                    last.imageExtent.depth * last.imageSubresource.layerCount;
  return {copy->staging->data(), copy->staging->data() + size};
}

ScenePicture readColor(const DrawRecord &record, size_t index) {
  return readTarget(record, record.targets.colors[index], VK_IMAGE_ASPECT_COLOR_BIT);
}

ScenePicture readDepth(const DrawRecord &record) {
  ScenePicture picture = readTarget(record, record.targets.depth, VK_IMAGE_ASPECT_DEPTH_BIT);
  if (picture.format == VK_FORMAT_UNDEFINED || picture.format == VK_FORMAT_D32_SFLOAT)
    return picture;
  const bool isShort = picture.format == VK_FORMAT_D16_UNORM;
  const size_t count = size_t(picture.width) * picture.height * picture.layers;
  std::vector<uint8_t> floats(count * sizeof(float));
  for (size_t texel = 0; texel < count; ++texel) {
    uint32_t bits = 0;
    std::memcpy(&bits, &picture.bytes[texel * (isShort ? 2 : 4)], isShort ? 2 : 4);
    const float depth = isShort ? float(bits) / LargestD16 : float(bits & 0xffffff) / LargestD24;
    std::memcpy(&floats[texel * sizeof(float)], &depth, sizeof(float));
  }
  picture.bytes = std::move(floats);
  picture.format = VK_FORMAT_D32_SFLOAT;
  return picture;
}

ScenePicture readStencil(const DrawRecord &record) {
  return readTarget(record, record.targets.stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
}

} // namespace dovetail::layer
