// SPDX-License-Identifier: MIT
//
// The defects that checkImage finds in merged images whose glue or geometry messages are wrong. A test puts each defect
// into the code of a part before the join.
#include "merge/check/check_image.h"
#include "src/abi/registers/registers.h"
#include "tests/gfx9-merged/halves_by_hand.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>

using namespace dovetail;
using namespace dovetail::test;

namespace {

// The dwords of a part.
using Words = std::vector<uint32_t>;

constexpr uint32_t Nop = 0xbf800000;

// Replaces the first dword that `from` accepts; there must be one.
void replace(Words &words, const std::function<bool(uint32_t)> &from, uint32_t to) {
  for (uint32_t &word : words)
    if (from(word)) {
      word = to;
      return;
    }
  FAIL("no such instruction");
}

std::string defectsWith(HardwareStage stage, unsigned index, const std::function<void(Words &)> &change) {
  StageParts merged =
      stage == HardwareStage::Hs ? merge(stage, {lsHalf()}, {hsHalf()}) : merge(stage, {esHalf()}, {gsHalf()});
  Part part = *merged.parts[index];
  Words words(part.code.size() / 4);
  std::memcpy(words.data(), part.code.data(), part.code.size());
  change(words);
  part.code.resize(words.size() * 4);
  std::memcpy(part.code.data(), words.data(), part.code.size());
  merged.parts[index] = share(std::move(part));
  Result<ImageRef> image = joinMerged(merged);
  REQUIRE(image);
  Result<void> check = checkImage(**image);
  return check ? std::string() : check.error().text;
}

// The defects of a sound image with another value in one register.
std::string defectsWithRegister(HardwareStage stage, uint32_t address,
                                const std::function<uint32_t(uint32_t)> &change) {
  Result<ImageRef> sound = joinMerged(stage == HardwareStage::Hs ? merge(stage, {lsHalf()}, {hsHalf()})
                                                                 : merge(stage, {esHalf()}, {gsHalf()}));
  REQUIRE(sound);
  Image image = **sound;
  auto found = std::ranges::find(image.registers, address, &RegisterValue::address);
  REQUIRE(found != image.registers.end());
  found->value = change(found->value);
  Result<void> check = checkImage(image);
  return check ? std::string() : check.error().text;
}

bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr unsigned Glue1 = 0, Glue2 = 2, SecondMain = 3;

} // namespace

TEST_CASE("unchanged halves have no defects") {
  CHECK(defectsWith(HardwareStage::Hs, Glue1, [](Words &) {}).empty());
  CHECK(defectsWith(HardwareStage::Gs, Glue2, [](Words &) {}).empty());
}

TEST_CASE("vector instructions before EXEC is set") {
  CHECK(contains(defectsWith(HardwareStage::Hs, Glue1,
                             [](Words &words) {
                               replace(
                                   words, [](uint32_t word) { return word == 0xbefe01c1; }, Nop);
                             }),
                 "before EXEC is set"));
}

TEST_CASE("the lanes of the other half") {
  auto swapField = [](uint32_t from, uint32_t to) {
    return [=](Words &words) {
      replace(
          words, [=](uint32_t word) { return word == from; }, to);
    };
  };
  CHECK(contains(defectsWith(HardwareStage::Hs, Glue1, swapField(0x80000, 0x80008)),
                 "first half is entered without its lanes"));
  CHECK(contains(defectsWith(HardwareStage::Gs, Glue2, swapField(0x80008, 0x80000)),
                 "second half is entered without its lanes"));
}

TEST_CASE("a full wave's mask is lost") {
  CHECK(defectsWith(HardwareStage::Hs, Glue2, [](Words &) {}).empty());
  // The glue tests another bit than the number's highest.
  CHECK(contains(defectsWith(HardwareStage::Hs, Glue2,
                             [&](Words &words) {
                               replace(
                                   words, [](uint32_t word) { return word == 0xbf0d866a; }, 0xbf0d856a);
                             }),
                 "without its lanes"));
}

TEST_CASE("a full wave has no mask, as bit 6 of its number is lost") {
  auto isTest = [](uint32_t word) { return word == 0xbf0d866a; };
  auto isMove = [](uint32_t word) {
    return word >> 23 == 0x17d && (word >> 16 & 0x7f) == 0x7e && (word & 0xff) == 0xc1;
  };
  for (HardwareStage stage : {HardwareStage::Hs, HardwareStage::Gs})
    for (unsigned glue : {Glue1, Glue2})
      CHECK(contains(defectsWith(stage, glue,
                                 [&](Words &words) {
                                   auto test = std::find_if(words.begin(), words.end(), isTest);
                                   REQUIRE(test + 1 < words.end());
                                   REQUIRE(isMove(test[1])); // s_cmov_b64 exec, -1
                                   test[1] = Nop;
                                 }),
                     "without its lanes"));
}

TEST_CASE("geometry in waves without lanes") {
  auto isEnd = [](uint32_t word) { return word == 0xbf810000; };
  CHECK(contains(defectsWith(HardwareStage::Gs, Glue2, [&](Words &words) { replace(words, isEnd, Nop); }),
                 "in waves without lanes"));
  // Control threads send no messages.
  CHECK(defectsWith(HardwareStage::Hs, Glue2, [&](Words &words) { replace(words, isEnd, Nop); }).empty());
}

TEST_CASE("glue that moves the values of some lanes") {
  auto isAllLanes = [](uint32_t word) { return word == 0xbefe01c1; };
  CHECK(contains(defectsWith(HardwareStage::Gs, Glue2, [&](Words &words) { replace(words, isAllLanes, Nop); }),
                 "does not move all lanes"));
}

TEST_CASE("no barrier, or nothing waited for") {
  CHECK(contains(defectsWith(HardwareStage::Hs, Glue2,
                             [](Words &words) {
                               replace(
                                   words, [](uint32_t word) { return word == 0xbf8a0000; }, Nop);
                             }),
                 "barrier"));
  CHECK(contains(defectsWith(HardwareStage::Hs, Glue2,
                             [](Words &words) {
                               replace(
                                   words, [](uint32_t word) { return word == 0xbf8c0000; }, Nop);
                             }),
                 "barrier"));
}

TEST_CASE("a geometry wave that does not say that it is done, or goes on") {
  auto isDone = [](uint32_t word) { return word == 0xbf900003; };
  CHECK(contains(defectsWith(HardwareStage::Gs, SecondMain, [&](Words &words) { replace(words, isDone, Nop); }),
                 "without GS_DONE"));
  CHECK(contains(
      defectsWith(HardwareStage::Gs, SecondMain, [&](Words &words) { words.insert(words.end() - 1, 0xbf900003); }),
      "behind GS_DONE"));
}

TEST_CASE("a value that is kept for the second half is overwritten by the first") {
  // s_movk_i32 s15 becomes one of s16.
  CHECK(!defectsWith(HardwareStage::Hs, 1, [](Words &words) {
           replace(
               words, [](uint32_t word) { return (word & 0xffff0000) == 0xb00f0000; }, 0xb0107777);
         }).empty());
}

TEST_CASE("the ESGS ring has items of another size than a vertex's outputs") {
  const std::string text =
      defectsWithRegister(HardwareStage::Gs, reg::VGT_ESGS_RING_ITEMSIZE, [](uint32_t size) { return size + 1; });
  CHECK_MESSAGE(contains(text, "VGT_ESGS_RING_ITEMSIZE is "), text);
}

TEST_CASE("patches are distributed in a mode that the GPU is not for") {
  const std::string text =
      defectsWithRegister(HardwareStage::Hs, reg::VGT_TF_PARAM, [](uint32_t value) { return value ^ 3u << 17; });
  CHECK_MESSAGE(contains(text, "patches are distributed in mode "), text);
}
