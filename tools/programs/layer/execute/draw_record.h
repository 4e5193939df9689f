// SPDX-License-Identifier: MIT
//
// DrawRecord: what a command buffer had bound at one draw or dispatch. The data that the draw reads are still in the
// application's memory.
#pragma once

#include "tools/programs/layer/execute/drawn_variant.h"
#include "tools/programs/layer/execute/tracked_objects.h"
#include "tools/programs/layer/session/fixed_function.h"

namespace dovetail::layer {

struct DrawCall {
  bool isDispatch = false, isIndexed = false;
  uint32_t count = 0, instanceCount = 1, first = 0, firstInstance = 0; // of vertices or indices
  int32_t vertexOffset = 0;
  std::array<uint32_t, 3> workgroups = {};
  // Indirect: the numbers above are in memory.
  std::shared_ptr<const TrackedBuffer> arguments;
  VkDeviceSize argumentsOffset = 0;
  std::shared_ptr<const TrackedBuffer> drawCount; // has the number of draws, 0 or 1
  VkDeviceSize drawCountOffset = 0;
  const char *refusal = nullptr; // why it cannot be executed
};

struct RenderTargets {
  const char *refusal = "a draw outside of a render pass"; // nullptr: what follows is known
  std::array<std::shared_ptr<TrackedView>, MaxTargets> colors;
  std::shared_ptr<TrackedView> depth, stencil; // may be the same
  uint32_t width = 0, height = 0, layers = 1, viewMask = 0;
  VkRect2D renderArea = {};
};

struct BoundSet {
  std::shared_ptr<const SetContents> contents;
  std::shared_ptr<const SetLayout> layout;
  std::vector<uint32_t> dynamicOffsets; // by dynamic buffer, in the order of bindings
};

struct BoundVertexBuffer {
  std::shared_ptr<const TrackedBuffer> buffer;
  VkDeviceSize offset = 0, size = VK_WHOLE_SIZE;
  VkDeviceSize stride = 0; // where strides are dynamic
};

struct BoundIndexBuffer {
  std::shared_ptr<const TrackedBuffer> buffer;
  VkDeviceSize offset = 0;
  VkIndexType type = VK_INDEX_TYPE_UINT16;
};

// A copy of an image for the time of the draw.
struct ImageCopy {
  std::shared_ptr<TrackedView> view;
  std::shared_ptr<StagingBuffer> staging;
  std::vector<VkBufferImageCopy> regions;
  bool isTarget = false;  // only the framebuffer's texels
  bool isWritten = false; // copied again after the draw
};

struct DrawRecord {
  uint32_t number = 0; // unique on the device
  std::shared_ptr<const Pipeline> pipeline;
  std::shared_ptr<const DrawnVariant> variant;
  DrawCall call;
  StateFields fields;
  FixedFunction fixed;
  bool hasDynamicStrides = false;
  RenderTargets targets;
  std::vector<BoundSet> sets;
  std::map<uint32_t, BoundVertexBuffer> vertexBuffers; // by binding
  BoundIndexBuffer indexBuffer;
  std::vector<uint8_t> pushConstants;
  std::vector<ImageCopy> copies;

  // The copy of a view as a target, or as a resource; nullptr: there is none.
  const ImageCopy *findCopy(const TrackedView &view, bool isTarget) const;
};

} // namespace dovetail::layer
