// SPDX-License-Identifier: MIT
#include "variants/optimize/pack_parameters.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// A fragment shader that reads components of locations, all of which are exported.
class Reader {
public:
  Reader &smooth(uint8_t location, uint8_t components) { return add({location, false, false}, components); }
  Reader &flat(uint8_t location, uint8_t components) { return add({location, true, false}, components); }
  Reader &ofVertices(uint8_t location, uint8_t components) { return add({location, false, false, true}, components); }

  Reader &color(uint8_t location, uint8_t back) {
    m_interface.fragment.colorInputs.push_back({0, 0xf, location, back});
    return *this;
  }
  Reader &withoutExport(uint8_t location) {
    std::erase_if(m_exported, [&](const ParameterExport &parameter) { return parameter.location == location; });
    return *this;
  }

  std::vector<PackedParameter> pack() const { return packParameters(m_interface, m_exported); }

private:
  Reader &add(const FragmentInput &input, uint8_t components) {
    m_interface.fragment.inputs.push_back(input);
    m_interface.inputComponents[GenericSlot + input.location] |= components;
    m_exported.push_back({input.location, uint8_t(m_exported.size())});
    return *this;
  }

  ShaderInterface m_interface;
  std::vector<ParameterExport> m_exported;
};

// The place that a component has been given; its location counts from the first packed one.
ParameterPlace placeIn(const std::vector<PackedParameter> &packed, ParameterPlace declared) {
  StageKnowledge knowledge;
  knowledge.packedParameters = packed;
  ParameterPlace place = knowledge.placeOf(declared);
  REQUIRE(place != declared);
  place.location -= PackedParameter0;
  return place;
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

TEST_CASE("inputs that the stage before does not export keep their default values") {
  const auto packed = Reader().smooth(0, 1).smooth(1, 1).smooth(2, 1).withoutExport(1).pack();
  REQUIRE(packed.size() == 2);
  CHECK(packed[1].declared.location == 2);
}
