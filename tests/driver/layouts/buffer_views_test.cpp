// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/driver/buffer_views.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include <doctest/doctest.h>

using namespace dovetail;
using emulator::BufferDescriptor;
using emulator::decodeBufferDescriptor;
using emulator::Generation;

namespace {

PipelineState stateOf(std::vector<VertexAttribute> attributes) {
  PipelineState state;
  state.vertexAttributes = std::move(attributes);
  return state;
}

uint32_t recordsOf(uint64_t size, const VertexBinding &binding, const PipelineState &state,
                   Generation generation = Generation::Gfx9) {
  return decodeBufferDescriptor(vertexBufferView(generation, 0x100000000, size, binding, state).value()).numRecords;
}

} // namespace

TEST_CASE("a storage buffer is checked by bytes") {
  BufferDescriptor descriptor = decodeBufferDescriptor(rawBufferView(0x100020300, 52));
  CHECK(descriptor.base == 0x100020300);
  CHECK(descriptor.stride == 0);
  CHECK(descriptor.numRecords == 52);
  CHECK_FALSE(descriptor.swizzleEnable);
}

TEST_CASE("a vertex buffer has as many records as all of its attributes fit") {
  VertexBinding binding{2, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1};
  PipelineState state = stateOf({{0, 2, VK_FORMAT_R32G32_SFLOAT, 4}, {1, 7, VK_FORMAT_R32_SFLOAT, 100}});
  // Element i ends at 16 i + 12.
  CHECK(recordsOf(11, binding, state) == 0);
  CHECK(recordsOf(12, binding, state) == 1);
  CHECK(recordsOf(27, binding, state) == 1);
  CHECK(recordsOf(28, binding, state) == 2);
  BufferDescriptor descriptor =
      decodeBufferDescriptor(vertexBufferView(Generation::Gfx9, 0x100000000, 28, binding, state).value());
  CHECK(descriptor.stride == 16);
}

TEST_CASE("a vertex buffer without a stride is checked by bytes") {
  CHECK(recordsOf(8, {0, 0, VK_VERTEX_INPUT_RATE_VERTEX, 1}, stateOf({{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}})) == 8);
}

TEST_CASE("GFX8 counts bytes where GFX9 counts records") {
  VertexBinding binding{2, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1};
  PipelineState state = stateOf({{0, 2, VK_FORMAT_R32G32_SFLOAT, 4}});
  CHECK(recordsOf(11, binding, state, Generation::Gfx8) == 0);
  CHECK(recordsOf(12, binding, state, Generation::Gfx8) == 12);
  CHECK(recordsOf(27, binding, state, Generation::Gfx8) == 12);
  CHECK(recordsOf(28, binding, state, Generation::Gfx8) == 28);
  CHECK(decodeBufferDescriptor(texelBufferView(Generation::Gfx8, 0x100000000, 43, VK_FORMAT_B8G8R8A8_UNORM).value())
            .numRecords == 40);
}

TEST_CASE("a texel buffer counts texels and has the format's components in order") {
  BufferDescriptor bgra =
      decodeBufferDescriptor(texelBufferView(Generation::Gfx9, 0x100000000, 43, VK_FORMAT_B8G8R8A8_UNORM).value());
  CHECK(bgra.stride == 4);
  CHECK(bgra.numRecords == 10);
  CHECK(bgra.dataFormat == 10); // 8_8_8_8
  CHECK(bgra.numFormat == 0);
  CHECK((bgra.dstSel == std::array<uint8_t, 4>{6, 5, 4, 7}));
  BufferDescriptor pair =
      decodeBufferDescriptor(texelBufferView(Generation::Gfx9, 0x100000000, 64, VK_FORMAT_R16G16_SINT).value());
  CHECK(pair.dataFormat == 5); // 16_16
  CHECK(pair.numFormat == 5);
  CHECK((pair.dstSel == std::array<uint8_t, 4>{4, 5, 0, 1}));
}

TEST_CASE("a texel buffer of three bytes a texel is refused by name") {
  Result<BufferView> view = texelBufferView(Generation::Gfx9, 0x100000000, 64, VK_FORMAT_R8G8B8_UNORM);
  REQUIRE_FALSE(view.has_value());
  CHECK(view.error().text.find("VK_FORMAT_R8G8B8_UNORM") != std::string::npos);
}

TEST_CASE("a transform feedback buffer has vertices for records, of which each lane has its own on GFX8") {
  const BufferView gfx8 = streamoutView(Generation::Gfx8, 0x100000000, 20);
  const BufferDescriptor typed = decodeBufferDescriptor(gfx8, emulator::BufferReader::Typed);
  CHECK(typed.addTidEnable);
  CHECK(typed.stride == 20);
  CHECK(typed.dataFormat == 4);                                 // 32, as PAL sets it
  CHECK(decodeBufferDescriptor(gfx8).stride == (4 << 14 | 20)); // so untyped stores cannot use it
  CHECK(typed.numRecords % 20 == 0);                            // bytes
  CHECK(typed.numRecords > 0xfffff000);
  const BufferDescriptor gfx9 = decodeBufferDescriptor(streamoutView(Generation::Gfx9, 0x100000000, 20));
  CHECK_FALSE(gfx9.addTidEnable);
  CHECK(gfx9.stride == 20);
  CHECK(gfx9.numRecords == 0xffffffc0);
}

TEST_CASE("scratch memory is swizzled by dwords of 64 lanes") {
  BufferDescriptor descriptor = decodeBufferDescriptor(swizzledView(0x100000000, 4096));
  CHECK(descriptor.swizzleEnable);
  CHECK(descriptor.addTidEnable);
  CHECK(descriptor.indexStride == 3);
  CHECK(descriptor.elementSize == 1);
  CHECK(descriptor.stride == 0);
}
