// SPDX-License-Identifier: MIT
//
// The products of a key's list of fields: its hash, its encoding and its words.
#include "parts/compile/key_bytes.h"
#include "src/base/field_words.h"
#include "tests/parts/sample_keys.h"
#include <doctest/doctest.h>
#include <set>

// To optimise so many checks takes longer than to run them once.
#pragma GCC optimize("O0")

using namespace dovetail;

namespace {

void forEachKey(auto &&use) {
  std::apply([&](const auto &...keys) { (use(keys), ...); }, samples::allKeys());
}

struct Small {
  uint8_t first = 0;
  uint32_t second = 0; // behind padding
  std::vector<uint16_t> list;
};
DOVETAIL_FIELDS(Small, first, second, list)

struct WithoutPadding {
  uint8_t first = 0, second = 0;
  uint16_t third = 0;
};
DOVETAIL_FIELDS(WithoutPadding, first, second, third)

struct InAnotherOrder {
  uint16_t first = 0, second = 0;
};
DOVETAIL_FIELDS(InAnotherOrder, second, first)

struct Bounded {
  boost::container::static_vector<uint8_t, 2> list;
};
DOVETAIL_FIELDS(Bounded, list)

} // namespace

TEST_CASE("every scalar of every key is in its hash") {
  forEachKey([](const auto &key) {
    std::set<Hash128> hashes = {hashKey(key)};
    const int count = samples::scalarCount(key);
    for (int i = 0; i < count; ++i) {
      auto changed = key;
      int number = i;
      samples::changeScalar(changed, number);
      hashes.insert(hashKey(changed));
    }
    CHECK_MESSAGE(hashes.size() == size_t(count) + 1, fieldsOf(&key));
  });
}

TEST_CASE("what is encoded of a key is read again as the same key") {
  forEachKey([]<typename Key>(const Key &key) {
    const std::optional<Key> decoded = decodeKey<Key>(encodeKey(key));
    REQUIRE_MESSAGE(decoded.has_value(), fieldsOf(&key));
    CHECK((hashKey(*decoded) == hashKey(key)));
    CHECK(fieldWords(*decoded) == fieldWords(key));
  });
}

TEST_CASE("the encoding of one key is none of another, even of the same kind") {
  CHECK_FALSE(decodeKey<MonolithicMergedKey>(encodeKey(samples::monolithicKey())).has_value());
  CHECK_FALSE(decodeKey<GeometryPrologKey>(encodeKey(samples::glueKey())).has_value());
}

TEST_CASE("an encoding that is too short or too long is none") {
  forEachKey([]<typename Key>(const Key &key) {
    std::vector<uint8_t> bytes = encodeKey(key);
    for (size_t size = 0; size < bytes.size(); ++size)
      CHECK_FALSE(decodeKey<Key>(std::span(bytes).first(size)).has_value());
    bytes.push_back(0);
    CHECK_FALSE(decodeKey<Key>(bytes).has_value());
  });
}

TEST_CASE("whatever a key is decoded from, it can be put into words") {
  forEachKey([]<typename Key>(const Key &key) {
    const std::vector<uint8_t> bytes = encodeKey(key);
    size_t decodedCount = 0;
    for (size_t i = 0; i < bytes.size(); ++i)
      for (uint8_t value : {0x00, 0x02, 0x7f, 0xff}) {
        std::vector<uint8_t> damaged = bytes;
        damaged[i] = value;
        const std::optional<Key> decoded = decodeKey<Key>(damaged);
        decodedCount += decoded.has_value();
        if (decoded)
          CHECK(fieldWords(*decoded).size() > 0);
      }
    CHECK(decodedCount > 0);
  });
}

TEST_CASE("an enumerator that does not exist makes no key") {
  FragmentEpilogKey key = samples::fragmentEpilogKey();
  key.alphaTestFunc = VK_COMPARE_OP_ALWAYS;
  CHECK(decodeKey<FragmentEpilogKey>(encodeKey(key)).has_value());
  key.alphaTestFunc = VkCompareOp(VK_COMPARE_OP_ALWAYS + 1);
  CHECK_FALSE(decodeKey<FragmentEpilogKey>(encodeKey(key)).has_value());
}

TEST_CASE("padding is not encoded, and lists have their length in front") {
  FieldWriter writer;
  writer.add(Small{1, 2, {3, 4}});
  const uint8_t expected[] = {1, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 4, 0};
  CHECK(std::ranges::equal(writer.bytes(), std::as_bytes(std::span(expected))));
}

TEST_CASE("structs without padding are encoded in the order of their list of fields, too") {
  FieldWriter writer;
  writer.add(WithoutPadding{1, 2, 3}).add(InAnotherOrder{4, 5});
  const uint8_t expected[] = {1, 2, 3, 0, 5, 0, 4, 0};
  CHECK(std::ranges::equal(writer.bytes(), std::as_bytes(std::span(expected))));
}

TEST_CASE("a list that has no room for what is encoded is none") {
  const uint8_t two[] = {2, 0, 0, 0, 7, 8}, three[] = {3, 0, 0, 0, 7, 8, 9};
  for (std::span<const uint8_t> bytes : {std::span<const uint8_t>(two), std::span<const uint8_t>(three)}) {
    FieldReader reader(bytes);
    Bounded read;
    reader.read(read);
    CHECK(reader.isGood() == (bytes.size() == std::size(two)));
    CHECK(read.list.size() == (reader.isGood() ? 2 : 0));
  }
}

TEST_CASE("a list that does not fit on the stack is encoded, too") {
  Small large = {1, 2, {}};
  for (uint16_t i = 0; i < 5000; ++i)
    large.list.push_back(i);
  FieldWriter writer;
  FieldReader reader({reinterpret_cast<const uint8_t *>(writer.add(large).bytes().data()), writer.bytes().size()});
  Small read;
  reader.read(read);
  CHECK(reader.isGood());
  CHECK(reader.isAtEnd());
  CHECK(read.second == 2);
  CHECK(read.list == large.list);
}

TEST_CASE("a count beyond the bytes that are there takes no memory") {
  const uint8_t bytes[] = {1, 2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 3, 0};
  FieldReader reader(bytes);
  Small read;
  reader.read(read);
  CHECK_FALSE(reader.isGood());
  CHECK(read.list.empty());
}

TEST_CASE("a key in words has the fields that are not the default, with the names of registers and formats") {
  CHECK(fieldWords(samples::fragmentEpilogKey()) ==
        "gpuName gfx900, inputs [{value mrt0.r, reg v0}], colors [{target 2, format FP16_ABGR}]");
  CHECK(fieldWords(samples::geometryPrologKey()) == "gpuName gfx900, sgprCount 8");
  FragmentPrologKey key;
  key.polygonStipple = true;
  CHECK(fieldWords(key) == "polygonStipple yes");
  CHECK(fieldWords(MonolithicKey{}) == "");
}
