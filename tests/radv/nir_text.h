// SPDX-License-Identifier: MIT
//
// What can be read from the NIR that RADV prints of a shader: its interface variables and the system values that it
// reads. RADV chooses registers by these and prints the choice nowhere.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

struct NirVariable {
  enum class Mode : uint8_t { Input, Output };
  Mode mode = Mode::Input;
  std::string interpolation; // "NONE", "SMOOTH", "FLAT", "NOPERSPECTIVE"
  std::string type;          // "float", "vec4", "float[3]"
  std::string name;
  std::string slot;       // "VARYING_SLOT_VAR2", "VERT_ATTRIB_GENERIC0", "FRAG_RESULT_DATA0"
  unsigned location = 0;  // RADV's number of the slot; of fragment inputs the number of the attribute
  unsigned component = 0; // the first one

  // Of the type: arrays and matrices take one for each element. (Interfaces have no structures left here.)
  unsigned slots() const;
  // N of a slot that ends with a number ("VAR12": 12), nullopt for others.
  std::optional<unsigned> slotNumber(std::string_view prefix) const;
};

struct NirShader {
  std::vector<NirVariable> variables;
  std::set<std::string> operations;               // names of intrinsics
  std::map<std::string, uint32_t> componentsRead; // by intrinsic without sources: mask of components that are used
  std::map<std::string, std::set<unsigned>> interpModes; // by load_barycentric_*: values of interp_mode
  uint64_t pushConstants = 0;                            // dwords read at constant offsets
  bool readsPushConstantsElsewhere = false;
  std::array<uint32_t, 3> workgroupSize = {1, 1, 1};

  bool has(const std::string &operation) const { return operations.contains(operation); }
  // Whether an operation's name begins like this.
  bool hasAny(std::string_view prefix) const;
  uint32_t components(const std::string &operation) const;
};

NirShader readNir(std::string_view text);

} // namespace dovetail
