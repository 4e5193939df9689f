// SPDX-License-Identifier: MIT
#include "tests/farm/many_shaders.h"

namespace dovetail::test {

std::string writeShaders(const TemporaryFolder &folder, unsigned count) {
  for (unsigned number = 0; number < count; ++number)
    folder.write("many/" + std::to_string(number) + ".comp",
                 "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint b[]; };\n"
                 "void main() { for (uint i = 0u; i < b[1]; ++i) b[i] = b[i + 2u] * 3u + " +
                     std::to_string(number) + "u; }\n");
  return folder / "many";
}

} // namespace dovetail::test
