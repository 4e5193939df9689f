// SPDX-License-Identifier: MIT
#include "variants/optimize/pack_parameters.h"
#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <random>
#include <set>

using namespace dovetail;

namespace {

// A fragment shader that reads components of locations, all of which are exported.
class Reader {
public:
  Reader &smooth(uint8_t location, uint8_t components) { return add({location, false, false}, components); }
  Reader &flat(uint8_t location, uint8_t components) { return add({location, true, false}, components); }
  Reader &ofVertices(uint8_t location, uint8_t components) { return add({location, false, false, true}, components); }
  // Components of 16 bits.
  Reader &smoothHalf(uint8_t location, uint8_t components) {
    return addNarrow({location, false, false, false, 1}, components);
  }
  Reader &flatHalf(uint8_t location, uint8_t components) { return addNarrow({location, true, false}, components); }

  Reader &color(uint8_t location, uint8_t back) {
    m_interface.fragment.colorInputs.push_back({0, 0xf, location, back});
    return *this;
  }
  Reader &replacedOnPoints(uint8_t location) {
    m_spriteCoordEnable |= 1u << location;
    return *this;
  }
  Reader &withoutExport(uint8_t location) {
    std::erase_if(m_exported, [&](const ParameterExport &parameter) { return parameter.location == location; });
    return *this;
  }

  std::vector<PackedParameter> pack(bool pairsHalves = true) const {
    return packParameters(m_interface, m_exported, m_spriteCoordEnable, pairsHalves);
  }

private:
  Reader &add(const FragmentInput &input, uint8_t components) {
    m_interface.fragment.inputs.push_back(input);
    m_interface.inputComponents[GenericSlot + input.location] |= components;
    m_exported.push_back({input.location, uint8_t(m_exported.size())});
    return *this;
  }
  Reader &addNarrow(const FragmentInput &input, uint8_t components) {
    m_interface.fragment.narrowComponents[GenericSlot + input.location] |= components;
    return add(input, components);
  }

  ShaderInterface m_interface;
  std::vector<ParameterExport> m_exported;
  uint32_t m_spriteCoordEnable = 0;
};

// The place that a component was given. Its location counts from the first packed one.
ParameterPlace placeIn(const std::vector<PackedParameter> &packed, ParameterPlace declared) {
  StageKnowledge knowledge;
  knowledge.packedParameters = packed;
  ParameterPlace place = knowledge.placeOf(declared).packed;
  REQUIRE(place != declared);
  place.location -= PackedParameter0;
  return place;
}

DwordPart partIn(const std::vector<PackedParameter> &packed, ParameterPlace declared) {
  StageKnowledge knowledge;
  knowledge.packedParameters = packed;
  return knowledge.placeOf(declared).part;
}

unsigned parametersIn(const std::vector<PackedParameter> &packed) {
  unsigned count = 0;
  for (const PackedParameter &parameter : packed)
    count = std::max(count, parameter.packed.location - PackedParameter0 + 1u);
  return count;
}

} // namespace

TEST_CASE("components that are interpolated alike are put side by side, in the order of their locations") {
  const auto packed = Reader().smooth(5, 0b0001).smooth(2, 0b0111).smooth(3, 0b1010).pack();
  REQUIRE(packed.size() == 6);
  CHECK(placeIn(packed, {2, 0}) == ParameterPlace{0, 0});
  CHECK(placeIn(packed, {2, 2}) == ParameterPlace{0, 2});
  CHECK(placeIn(packed, {3, 1}) == ParameterPlace{0, 3});
  CHECK(placeIn(packed, {3, 3}) == ParameterPlace{1, 0});
  CHECK(placeIn(packed, {5, 0}) == ParameterPlace{1, 1});
}

TEST_CASE("what is flat, of vertices or interpolated does not share a parameter") {
  const auto packed = Reader().smooth(0, 1).flat(1, 1).ofVertices(2, 1).smooth(3, 1).flat(4, 1).pack();
  CHECK(placeIn(packed, {0, 0}) == ParameterPlace{0, 0});
  CHECK(placeIn(packed, {3, 0}) == ParameterPlace{0, 1});
  CHECK(placeIn(packed, {1, 0}) == ParameterPlace{1, 0});
  CHECK(placeIn(packed, {4, 0}) == ParameterPlace{1, 1});
  CHECK(placeIn(packed, {2, 0}) == ParameterPlace{2, 0});
}

TEST_CASE("a location that is read in two ways goes with those that are read in the same two") {
  const auto packed = Reader().smooth(0, 1).ofVertices(0, 1).smooth(1, 1).smooth(2, 1).pack();
  CHECK(placeIn(packed, {1, 0}).location == placeIn(packed, {2, 0}).location);
  CHECK(placeIn(packed, {0, 0}).location != placeIn(packed, {1, 0}).location);
}

TEST_CASE("built-ins that travel as parameters are packed with others") {
  const auto packed = Reader().flat(4, 0b0011).flat(LayerParameter, 0).flat(PrimitiveIdParameter, 0).pack();
  REQUIRE(packed.size() == 4);
  CHECK(placeIn(packed, {PrimitiveIdParameter, 0}) == ParameterPlace{0, 2});
  CHECK(placeIn(packed, {LayerParameter, 0}) == ParameterPlace{0, 3});
}

TEST_CASE("nothing is packed if that takes as many parameters") {
  CHECK(Reader().smooth(0, 0b0111).smooth(1, 0b0111).pack().empty());
  CHECK(Reader().smooth(0, 1).flat(1, 1).pack().empty());
  CHECK(Reader().pack().empty());
}

TEST_CASE("colours that a prolog reads stay, on both sides") {
  const auto packed = Reader().smooth(0, 1).smooth(1, 1).smooth(2, 1).smooth(3, 1).color(0, 3).pack();
  REQUIRE(packed.size() == 2);
  CHECK(placeIn(packed, {1, 0}) == ParameterPlace{0, 0});
  CHECK(placeIn(packed, {2, 0}) == ParameterPlace{0, 1});
}

TEST_CASE("inputs that are the point coordinate on points stay, unless they are flat") {
  auto read = [] { return Reader().smooth(0, 1).smooth(1, 1).smooth(2, 1).flat(3, 1).flat(4, 1); };
  const auto packed = read().replacedOnPoints(0).replacedOnPoints(3).pack();
  REQUIRE(packed.size() == 4);
  CHECK(packed[0].declared == ParameterPlace{1, 0});
  CHECK(placeIn(packed, {3, 0}).location == placeIn(packed, {4, 0}).location);
}

TEST_CASE("inputs that the stage before does not export keep their default values") {
  const auto packed = Reader().smooth(0, 1).smooth(1, 1).smooth(2, 1).withoutExport(1).pack();
  REQUIRE(packed.size() == 2);
  CHECK(packed[1].declared.location == 2);
}

TEST_CASE("two components of 16 bits share a dword, first of all neighbours") {
  const auto packed =
      Reader().smoothHalf(0, 0b0001).smoothHalf(1, 0b0111).smoothHalf(2, 0b0011).smoothHalf(3, 0b1001).pack();
  REQUIRE(packed.size() == 8);
  CHECK(parametersIn(packed) == 1);
  CHECK(placeIn(packed, {1, 0}) == ParameterPlace{0, 0});
  CHECK(partIn(packed, {1, 0}) == DwordPart::LowHalf);
  CHECK(placeIn(packed, {1, 1}) == ParameterPlace{0, 0});
  CHECK(partIn(packed, {1, 1}) == DwordPart::HighHalf);
  CHECK(placeIn(packed, {2, 1}) == ParameterPlace{0, 1});
  // Components without a neighbour.
  CHECK(placeIn(packed, {0, 0}) == ParameterPlace{0, 2});
  CHECK(placeIn(packed, {1, 2}) == ParameterPlace{0, 2});
  CHECK(placeIn(packed, {3, 3}) == ParameterPlace{0, 3});
  CHECK(partIn(packed, {3, 3}) == DwordPart::HighHalf);
}

TEST_CASE("no more components share a dword than it takes to need a parameter less") {
  const auto packed = Reader().flatHalf(0, 1).flatHalf(1, 1).flatHalf(2, 1).flatHalf(3, 1).flatHalf(4, 1).pack();
  CHECK(parametersIn(packed) == 1);
  CHECK(std::ranges::count(packed, DwordPart::HighHalf, &PackedParameter::part) == 1);
  CHECK(std::ranges::count(packed, DwordPart::Whole, &PackedParameter::part) == 3);
  CHECK(parametersIn(Reader().flatHalf(0, 0b0111).flatHalf(1, 1).pack()) == 1);
  for (const PackedParameter &parameter : Reader().flatHalf(0, 0b0111).flatHalf(1, 1).pack())
    CHECK(parameter.part == DwordPart::Whole);
}

TEST_CASE("half floats that are interpolated keep to themselves, what is flat does not") {
  const auto smooth = Reader().smooth(0, 1).smooth(1, 1).smoothHalf(2, 1).smoothHalf(3, 1).pack();
  CHECK(placeIn(smooth, {0, 0}).location == placeIn(smooth, {1, 0}).location);
  CHECK(placeIn(smooth, {2, 0}).location == placeIn(smooth, {3, 0}).location);
  CHECK(placeIn(smooth, {0, 0}).location != placeIn(smooth, {2, 0}).location);
  const auto flat = Reader().flat(0, 0b0111).flatHalf(1, 1).flatHalf(2, 1).pack();
  CHECK(parametersIn(flat) == 1);
  CHECK(partIn(flat, {2, 0}) == DwordPart::HighHalf);
}

TEST_CASE("halves stay in dwords of their own if that is asked for") {
  Reader reader;
  for (uint8_t location = 0; location < 6; ++location)
    reader.smoothHalf(location, 1);
  CHECK(parametersIn(reader.pack()) == 1);
  CHECK(parametersIn(reader.pack(/*pairsHalves=*/false)) == 2);
}

TEST_CASE("random inputs: each component has a place of its own, in as few parameters as there is use for") {
  std::mt19937 random(17);
  for (unsigned repeat = 0; repeat < 500; ++repeat) {
    Reader reader;
    // Counts of components by kind: smooth, flat, of vertices, smooth halves. `narrow` counts halves.
    unsigned wide[4] = {}, narrow[4] = {};
    const unsigned locations = 1 + random() % 12;
    for (uint8_t location = 0; location < locations; ++location) {
      const uint8_t components = 1 + random() % 15;
      const auto count = unsigned(std::popcount(components));
      switch (random() % 5) {
      case 0:
        reader.smooth(location, components), wide[0] += count;
        break;
      case 1:
        reader.flat(location, components), wide[1] += count;
        break;
      case 2:
        reader.ofVertices(location, components), wide[2] += count;
        break;
      case 3:
        reader.smoothHalf(location, components), narrow[3] += count;
        break;
      default:
        reader.flatHalf(location, components), narrow[1] += count;
      }
    }
    unsigned least = 0;
    for (unsigned kind = 0; kind < 4; ++kind)
      least += (wide[kind] + (narrow[kind] + 1) / 2 + 3) / 4;
    const auto packed = reader.pack();
    if (packed.empty()) {
      CHECK(least >= locations);
      continue;
    }
    CHECK(parametersIn(packed) == least);
    std::set<std::pair<ParameterPlace, DwordPart>> places;
    for (const PackedParameter &parameter : packed) {
      const bool isWhole = parameter.part == DwordPart::Whole;
      for (DwordPart part : {DwordPart::LowHalf, DwordPart::HighHalf})
        if (isWhole || part == parameter.part)
          CHECK(places.emplace(parameter.packed, part).second);
    }
    CHECK(std::ranges::is_sorted(packed));
  }
}
