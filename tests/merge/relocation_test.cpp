// SPDX-License-Identifier: MIT
//
// Each kind of relocation in a part that is not at the start of the image, and each way in which a relocation can be
// wrong.
#include "merge/check/check_image.h"
#include "tests/merge/parts_by_hand.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr uint32_t Offset = 4; // of the field, behind an instruction

// A part with room for a field of eight bytes. A branch skips the field.
Part partWith(RelocationKind kind, RelocationTarget where, int64_t addend, uint32_t offset = Offset) {
  Part part = computePiece("s_branch 2\n s_nop 0\n s_nop 0");
  part.constants.assign(32, 0x55);
  part.relocations.push_back({offset, kind, where, addend});
  return part;
}

Result<ImageRef> joinWith(Part part) {
  return joinCompute({computePiece("s_nop 0\n s_nop 1"), std::move(part), computeMain("s_endpgm")});
}

template <typename T> T fieldOf(const Image &image, const ImagePart &part) {
  T value;
  std::memcpy(&value, &image.code[part.offset + Offset], sizeof(value));
  return value;
}

} // namespace

TEST_CASE("distances to constants are from the field") {
  const struct {
    RelocationKind kind;
    int64_t addend;
  } cases[] = {{RelocationKind::Rel32, 12}, {RelocationKind::Rel32Lo, 4}, {RelocationKind::Rel64, 8}};
  for (auto [kind, addend] : cases) {
    auto image = joinWith(partWith(kind, RelocationTarget::Constants, addend));
    REQUIRE(image);
    const ImagePart &part = (*image)->parts[1];
    CHECK(part.offset == 8);
    int64_t expected = int64_t(part.constantsOffset) + addend - (part.offset + Offset);
    if (kind == RelocationKind::Rel64)
      CHECK(fieldOf<int64_t>(**image, part) == expected);
    else
      CHECK(fieldOf<int32_t>(**image, part) == expected);
    CHECK((*image)->loadRelocations.empty());
    CHECK(checkImage(**image));
  }
}

TEST_CASE("the high half of a distance carries its sign") {
  auto forward = joinWith(partWith(RelocationKind::Rel32Hi, RelocationTarget::Constants, 12));
  REQUIRE(forward);
  CHECK(fieldOf<uint32_t>(**forward, (*forward)->parts[1]) == 0);
  auto backward = joinWith(partWith(RelocationKind::Rel32Hi, RelocationTarget::Code, 0));
  REQUIRE(backward);
  CHECK(fieldOf<uint32_t>(**backward, (*backward)->parts[1]) == 0xffffffff);
  CHECK(checkImage(**backward));
}

TEST_CASE("a distance to code is from the part's start") {
  auto image = joinWith(partWith(RelocationKind::Rel32, RelocationTarget::Code, 0));
  REQUIRE(image);
  CHECK(fieldOf<int32_t>(**image, (*image)->parts[1]) == -int32_t(Offset));
}

TEST_CASE("addresses wait for the place of the image") {
  const uint64_t address = 0x123456789000;
  const struct {
    RelocationKind kind;
    unsigned size;
  } cases[] = {{RelocationKind::Abs32, 4},
               {RelocationKind::Abs32Lo, 4},
               {RelocationKind::Abs32Hi, 4},
               {RelocationKind::Abs64, 8}};
  for (auto [kind, size] : cases) {
    auto image = joinWith(partWith(kind, RelocationTarget::Constants, 16));
    REQUIRE(image);
    const ImagePart &part = (*image)->parts[1];
    REQUIRE((*image)->loadRelocations.size() == 1);
    CHECK((*image)->loadRelocations[0].offset == part.offset + Offset);
    CHECK((*image)->loadRelocations[0].target == part.constantsOffset + 16);
    CHECK(checkImage(**image));
    RoomVector<uint8_t> code = (*image)->code;
    applyLoadAddress(**image, code, address);
    uint64_t expected = address + part.constantsOffset + 16;
    if (kind == RelocationKind::Abs32Hi)
      expected >>= 32;
    uint64_t found = 0;
    std::memcpy(&found, &code[part.offset + Offset], size);
    CHECK(found == (size == 8 ? expected : uint32_t(expected)));
  }
}

TEST_CASE("relocations that cannot be right are refused") {
  auto refused = [](Part part, const char *why) {
    auto image = joinWith(std::move(part));
    REQUIRE(!image);
    CHECK((image.error().code == ErrorCode::JoinRefused));
    CHECK_MESSAGE(image.error().text.find(why) != std::string::npos, image.error().text);
  };
  refused(partWith(RelocationKind::Rel32, RelocationTarget::Constants, 0, 12), "outside");
  refused(partWith(RelocationKind::Rel64, RelocationTarget::Constants, 0, 8), "outside");
  refused(partWith(RelocationKind::Rel32, RelocationTarget::Constants, int64_t(1) << 40), "does not fit");
  refused(partWith(RelocationKind::Abs32, RelocationTarget::Constants, int64_t(1) << 31), "does not fit");
  refused(partWith(RelocationKind::Rel64, RelocationTarget::Constants, INT64_MAX), "overflows");
  Part part = partWith(RelocationKind::Rel32, RelocationTarget::Constants, 0);
  part.constants.clear();
  refused(part, "has none");
}
