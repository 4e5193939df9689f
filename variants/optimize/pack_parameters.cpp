// SPDX-License-Identifier: MIT
#include "variants/optimize/pack_parameters.h"
#include "src/abi/interface/pixel_inputs.h"
#include "src/lgc/state/output_dword.h"
#include <map>

namespace dovetail {

namespace {

constexpr unsigned DwordsPerParameter = 4;

// How a location is read; several bits may be set.
enum ReadKind : uint8_t { Smooth = 1, Flat = 2, OfVertices = 4, SmoothHalves = 8 };

std::map<uint8_t, uint8_t> kindsByLocation(const FragmentInterface &fragment) {
  std::map<uint8_t, uint8_t> kinds;
  for (const FragmentInput &input : fragment.inputs)
    if (!input.pointCoord)
      kinds[input.location] |= input.ofVertices ? OfVertices : input.flat ? Flat : Smooth;
  return kinds;
}

// The components of a location, from a list by slot.
uint8_t componentsOf(const SlotComponents &reads, uint8_t location) {
  const auto dword = lgc::vertexDwordOfParameter(location, 0);
  if (!dword)
    return 0;
  return dword->slot == MiscellaneousSlot ? 1 : reads[dword->slot];
}

// Components that may share parameters.
struct Group {
  std::vector<ParameterPlace> wide, narrow; // of more than 16 bits, and of at most 16; each list is sorted

  unsigned parameters(bool pairsHalves) const {
    const size_t dwords = wide.size() + (pairsHalves ? (narrow.size() + 1) / 2 : narrow.size());
    return unsigned((dwords + DwordsPerParameter - 1) / DwordsPerParameter);
  }
};

// Makes `count` pairs of components. The second of a pair stands behind the first in the list; unpaired components
// follow alone. Neighbours in a location are paired first, because code may have computed them in one register.
std::vector<std::vector<ParameterPlace>> pairUp(const std::vector<ParameterPlace> &narrow, size_t count) {
  std::vector<bool> isTaken(narrow.size());
  std::vector<std::vector<ParameterPlace>> dwords;
  auto pair = [&](size_t first, size_t second) {
    isTaken[first] = isTaken[second] = true;
    dwords.push_back({narrow[first], narrow[second]});
  };
  for (size_t i = 0; i + 1 < narrow.size() && dwords.size() < count; ++i)
    if (!isTaken[i] && narrow[i].component % 2 == 0 &&
        narrow[i + 1] == ParameterPlace{narrow[i].location, uint8_t(narrow[i].component + 1)})
      pair(i, i + 1);
  std::vector<size_t> left;
  for (size_t i = 0; i < narrow.size(); ++i)
    if (!isTaken[i])
      left.push_back(i);
  size_t next = 0;
  for (; dwords.size() < count; next += 2)
    pair(left[next], left[next + 1]);
  for (; next < left.size(); ++next)
    dwords.push_back({narrow[left[next]]});
  return dwords;
}

void place(const Group &group, unsigned firstParameter, unsigned parameters, std::vector<PackedParameter> &packed) {
  unsigned dword = 0;
  auto nextPlace = [&] {
    const ParameterPlace place = {uint8_t(PackedParameter0 + firstParameter + dword / DwordsPerParameter),
                                  uint8_t(dword % DwordsPerParameter)};
    ++dword;
    return place;
  };
  for (const ParameterPlace &declared : group.wide)
    packed.push_back({declared, nextPlace()});
  const size_t room = parameters * DwordsPerParameter - group.wide.size();
  const size_t pairs = group.narrow.size() > room ? group.narrow.size() - room : 0;
  for (const std::vector<ParameterPlace> &halves : pairUp(group.narrow, pairs)) {
    const ParameterPlace place = nextPlace();
    if (halves.size() == 1) {
      packed.push_back({halves[0], place});
      continue;
    }
    packed.push_back({halves[0], place, DwordPart::LowHalf});
    packed.push_back({halves[1], place, DwordPart::HighHalf});
  }
}

// The parameters that are exported and read.
struct Reads {
  std::map<uint8_t, Group> groups; // by the kind of reading
  unsigned locations = 0;          // the locations that they take now
  unsigned kept = 0;               // locations that stay
};

Reads readsOf(const ShaderInterface &fragment, const std::vector<ParameterExport> &exported,
              uint32_t spriteCoordEnable) {
  auto isKept = [&](uint8_t location) {
    return std::ranges::any_of(
               fragment.fragment.colorInputs,
               [&](const ColorInput &color) { return color.location == location || color.backLocation == location; }) ||
           std::ranges::any_of(fragment.fragment.inputs, [&](const FragmentInput &input) {
             return input.location == location && isReplacedOnPoints(input, spriteCoordEnable);
           });
  };
  const std::map<uint8_t, uint8_t> kindsAt = kindsByLocation(fragment.fragment);
  Reads reads;
  // Only exported inputs are packed, because nothing else says where the default of an unexported input is.
  for (const ParameterExport &parameter : exported) {
    const uint8_t location = parameter.location;
    auto found = kindsAt.find(location);
    if (isKept(location))
      ++reads.kept;
    if (isKept(location) || found == kindsAt.end())
      continue;
    ++reads.locations;
    const uint8_t kinds = found->second;
    const uint8_t components = componentsOf(fragment.inputComponents, location);
    const uint8_t narrow = componentsOf(fragment.fragment.narrowComponents, location);
    for (uint8_t component = 0; component < 4; ++component) {
      if (!(components >> component & 1))
        continue;
      const bool isNarrow = narrow >> component & 1;
      Group &group = reads.groups[isNarrow && (kinds & Smooth) ? kinds | SmoothHalves : kinds];
      (isNarrow ? group.narrow : group.wide).push_back({location, component});
    }
  }
  for (auto &[kinds, group] : reads.groups) {
    std::ranges::sort(group.wide);
    std::ranges::sort(group.narrow);
  }
  return reads;
}

} // namespace

std::vector<PackedParameter> packParameters(const ShaderInterface &fragment,
                                            const std::vector<ParameterExport> &exported, uint32_t spriteCoordEnable,
                                            bool pairsHalves) {
  const Reads reads = readsOf(fragment, exported, spriteCoordEnable);
  std::vector<PackedParameter> packed;
  unsigned parameters = 0;
  for (const auto &[kinds, group] : reads.groups) {
    const unsigned count = group.parameters(pairsHalves);
    place(group, parameters, count, packed);
    parameters += count;
  }
  if (parameters >= reads.locations)
    return {};
  std::ranges::sort(packed);
  return packed;
}

unsigned leastParameters(const ShaderInterface &fragment, const std::vector<ParameterExport> &exported,
                         uint32_t spriteCoordEnable) {
  const Reads reads = readsOf(fragment, exported, spriteCoordEnable);
  unsigned parameters = reads.kept;
  for (const auto &[kinds, group] : reads.groups)
    parameters += group.parameters(/*pairsHalves=*/true);
  return parameters;
}

} // namespace dovetail
