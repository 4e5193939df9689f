// SPDX-License-Identifier: MIT
//
// Where the instructions of a module come from, as far as it says so: by OpLine, or by DebugLine of
// NonSemantic.Shader.DebugInfo.100. Only tools ask; so it is read apart from the Module, which every compile reads.
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
  // Nothing comes from anywhere.
  SourcePlaces() = default;
  // The words must be those of a valid module.
  explicit SourcePlaces(std::span<const uint32_t> words);

  bool isEmpty() const { return m_places.empty(); }
  // The place of the instruction that begins at this word; nullptr: the module does not say.
  const SourcePlace *find(uint32_t wordOffset) const;

private:
  std::vector<SourcePlace> m_places;
  // By the word from which on it holds; an index of m_places, or NoPlace.
  static constexpr uint32_t NoPlace = UINT32_MAX;
  std::map<uint32_t, uint32_t> m_starts;
};

} // namespace dovetail::spirv
