// SPDX-License-Identifier: MIT
#include "variants/optimize/pack_parameters.h"
#include <map>

namespace dovetail {

namespace {

// How a location is read, which may be in more than one way.
enum ReadKind : uint8_t { Smooth = 1, Flat = 2, OfVertices = 4 };

std::map<uint8_t, uint8_t> kindsByLocation(const FragmentInterface &fragment) {
  std::map<uint8_t, uint8_t> kinds;
  for (const FragmentInput &input : fragment.inputs)
    if (!input.pointCoord)
      kinds[input.location] |= input.ofVertices ? OfVertices : input.flat ? Flat : Smooth;
  return kinds;
}

// Which components of it a fragment shader reads.
uint8_t componentsOf(const SlotComponents &reads, uint8_t location) {
  switch (location) {
  case PrimitiveIdParameter:
  case LayerParameter:
  case ViewportIndexParameter:
    return 1;
  case ClipDistanceParameter0:
  case ClipDistanceParameter1:
    return reads[ClipDistanceSlot + location - ClipDistanceParameter0];
  case CullDistanceParameter0:
  case CullDistanceParameter1:
    return reads[CullDistanceSlot + location - CullDistanceParameter0];
  default:
    return location < MaxGenericSlots ? reads[GenericSlot + location] : 0;
  }
}

} // namespace

std::vector<PackedParameter> packParameters(const ShaderInterface &fragment,
                                            const std::vector<ParameterExport> &exported) {
  auto isColor = [&](uint8_t location) {
    return std::ranges::any_of(fragment.fragment.colorInputs, [&](const ColorInput &color) {
      return color.location == location || color.backLocation == location;
    });
  };
  std::map<uint8_t, std::vector<ParameterPlace>> byKinds;
  size_t locations = 0;
  for (const auto &[location, kinds] : kindsByLocation(fragment.fragment)) {
    const bool isExported = std::ranges::find(exported, location, &ParameterExport::location) != exported.end();
    // Nothing else says where the default of an input that is not exported is.
    if (!isExported || isColor(location))
      continue;
    ++locations;
    const uint8_t components = componentsOf(fragment.inputComponents, location);
    for (uint8_t component = 0; component < 4; ++component)
      if (components >> component & 1)
        byKinds[kinds].push_back({location, component});
  }

  constexpr unsigned DwordsPerParameter = 4;
  std::vector<PackedParameter> packed;
  unsigned parameters = 0;
  for (const auto &[kinds, places] : byKinds) {
    for (unsigned i = 0; i < places.size(); ++i)
      packed.push_back(
          {places[i],
           {uint8_t(PackedParameter0 + parameters + i / DwordsPerParameter), uint8_t(i % DwordsPerParameter)}});
    parameters += (places.size() + DwordsPerParameter - 1) / DwordsPerParameter;
  }
  if (parameters >= locations)
    return {};
  std::ranges::sort(packed);
  return packed;
}

} // namespace dovetail
