// SPDX-License-Identifier: MIT
//
// A layout's answers, and the join's use of them.
#include "src/state/resource_layout.h"
#include "tests/merge/parts_by_hand.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;
using enum LayoutQuantity;

namespace {

// Set 3's table is root dword 5, the push constants are 7 to 14.
const ResourceLayout &layout() {
  using enum UserDataNodeType;
  static const ResourceLayout made({{PushConstants, 0, 0, 7, 8},
                                    {CombinedImageSampler, 3, 9, 24, 48, 12},
                                    {Buffer, 3, 1, 100, 4},
                                    {DescriptorTable, 3, 0, 5},
                                    {Fmask, 3, 9, 200, 32, 8}});
  return made;
}

// A compute part with a literal and a scalar load, both of which the layout fills in.
Part readsBuffer(const LayoutConstant &literal, const LayoutConstant &offset) {
  Part part = computeMain("s_mov_b32 s4, 0x12345678\ns_load_dwordx4 s[4:7], s[2:3], 0x20000\ns_endpgm");
  part.layoutRelocations = {{4, LayoutField::Literal, literal}, {12, LayoutField::ScalarOffset, offset}};
  return part;
}

Result<ImageRef> joinUnder(const ResourceLayout &given, Part part) {
  return joinStages({stageOf(HardwareStage::Cs, {std::move(part)})}, state(), given.nodes());
}

uint32_t dwordAt(const Image &image, uint32_t offset) {
  uint32_t dword;
  std::memcpy(&dword, &image.code[offset], sizeof(dword));
  return dword;
}

} // namespace

TEST_CASE("places in a table are bytes; a sampler lies behind its image") {
  CHECK(*layout().valueOf({Offset, ResourceKind::Image, 3, 9, 0}) == 96);
  CHECK(*layout().valueOf({Offset, ResourceKind::Image, 3, 9, 2, 4}) == 96 + 2 * 48 + 4);
  CHECK(*layout().valueOf({Offset, ResourceKind::Sampler, 3, 9, 1}) == 96 + 48 + 32);
  CHECK(*layout().valueOf({Offset, ResourceKind::Fmask, 3, 9, 1}) == 800 + 32);
  CHECK(*layout().valueOf({Offset, ResourceKind::Buffer, 3, 1, 0}) == 400);
}

TEST_CASE("the distance of elements is the node's stride, or its size if it says none") {
  CHECK(*layout().valueOf({Stride, ResourceKind::Sampler, 3, 9}) == 48);
  CHECK(*layout().valueOf({Stride, ResourceKind::Buffer, 3, 1}) == 16);
}

TEST_CASE("root dwords are numbers in user SGPRs and bytes in memory") {
  CHECK(*layout().rootDwordOf({ValueKind::DescriptorSet, 3}) == 5);
  CHECK(*layout().rootDwordOf({ValueKind::PushConstant, 4}) == 11);
  CHECK(*layout().valueOf({SetPointer, ResourceKind::Buffer, 3}) == 20);
  CHECK(*layout().valueOf({LayoutQuantity::PushConstants, {}, 0, 0, 0, 8}) == 36);
}

TEST_CASE("what is not there, or of another type, is an error that names it") {
  CHECK_FALSE(layout().valueOf({Offset, ResourceKind::TexelBuffer, 3, 1}));
  CHECK(layout().valueOf({Offset, ResourceKind::Buffer, 2, 1}).error().text.starts_with("set 2 binding 1 "));
  CHECK_FALSE(layout().rootDwordOf({ValueKind::DescriptorSet, 2}));
  CHECK_FALSE(ResourceLayout({}).rootDwordOf({ValueKind::PushConstant, 0}));
}

TEST_CASE("layout constants have names and come back from them") {
  const LayoutConstant constant = {Stride, ResourceKind::TexelBuffer, 1, 4294967295u, 3, 16};
  CHECK(symbolOf(constant) == "dovetail.layout.stride.texel_buffer.1.4294967295.3.16");
  CHECK(layoutConstantOf(symbolOf(constant)) == constant);
  for (const char *wrong : {"", "dovetail.layout.", "dovetail.layout.stride.texel_buffer.1.2.3",
                            "dovetail.layout.stride.texel_buffer.1.2.3.4.5", "dovetail.layout.stride.texel.1.2.3.4",
                            "dovetail.layout.stride.buffer.1.-2.3.4", "dovetail.ls_vertex_stride"})
    CHECK_FALSE(layoutConstantOf(wrong));
}

TEST_CASE("the join fills in literals and the offsets of scalar loads, and leaves the rest of the load as it is") {
  const Part part = readsBuffer({Stride, ResourceKind::Image, 3, 9}, {Offset, ResourceKind::Image, 3, 9, 2, 4});
  uint32_t before;
  std::memcpy(&before, &part.code[12], sizeof(before));
  Result<ImageRef> image = joinUnder(layout(), part);
  REQUIRE_MESSAGE(image, image.error().text);
  CHECK(dwordAt(**image, 4) == 48);
  CHECK(dwordAt(**image, 12) == ((before & ~MaxScalarOffset) | 196u));
}

TEST_CASE("the join refuses a place that the offset of a load does not reach") {
  using enum UserDataNodeType;
  const UserDataNode pushConstants = {PushConstants, 0, 0, 0, 15}; // the part has them in SGPRs
  ResourceLayout last({pushConstants, {Buffer, 0, 1, MaxScalarOffset / 4, 4}});
  const Part part = readsBuffer({Offset, ResourceKind::Buffer, 0, 1}, {Offset, ResourceKind::Buffer, 0, 1});
  CHECK(joinUnder(last, part));
  ResourceLayout far({pushConstants, {Buffer, 0, 1, MaxScalarOffset / 4 + 1, 4}});
  Result<ImageRef> image = joinUnder(far, part);
  REQUIRE_FALSE(image);
  CHECK((image.error().code == ErrorCode::JoinRefused));
  CHECK(image.error().text.find("1048576 bytes") != std::string::npos);
}

TEST_CASE("the driver is told which root dwords go into user SGPRs, and how many are read") {
  Part part = computeMain("s_endpgm");
  part.contract.inputs = {{{ValueKind::GlobalTable}, sgpr(0)},
                          {{ValueKind::DescriptorSet, 3}, sgpr(1)},
                          {{ValueKind::PushConstant, 1}, sgpr(2)},
                          {{ValueKind::SpillTable}, sgpr(3)}};
  part.interface->inputs = part.contract.inputs;
  part.interface->userSgprCount = 4;
  part.interface->pushConstantEnd = 6;
  part.interface->spilledPushConstants = 2;
  Result<ImageRef> image = joinUnder(layout(), part);
  REQUIRE_MESSAGE(image, image.error().text);
  const ImageStage &stage = (*image)->stages[0];
  CHECK(stage.userDataMap[1] == 5);
  CHECK(stage.userDataMap[2] == 8);
  CHECK(stage.userDataLimit == 13);
  CHECK(stage.spillThreshold == 9);
}
