// SPDX-License-Identifier: MIT
//
// The source places of a module's instructions, as far as the module has them: by OpLine, or by DebugLine of
// NonSemantic.Shader.DebugInfo.100. Only tools ask for them, so they are read apart from the Module, which every
// compile reads.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dovetail::spirv {

struct SourcePlace {
  std::string file; // as the module has it
  uint32_t line = 0;
};

class SourcePlaces {
public:
  // No instruction has a place.
  SourcePlaces() = default;
  // The words must be those of a valid module.
  explicit SourcePlaces(std::span<const uint32_t> words);

  bool isEmpty() const { return m_places.empty(); }
  // The place of the instruction that begins at this word; nullptr if the module has none.
  const SourcePlace *find(uint32_t wordOffset) const;

private:
  std::vector<SourcePlace> m_places;
  // Key: the word from which the place applies. Value: an index of m_places, or NoPlace.
  static constexpr uint32_t NoPlace = UINT32_MAX;
  std::map<uint32_t, uint32_t> m_starts;
};

} // namespace dovetail::spirv
