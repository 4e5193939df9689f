// SPDX-License-Identifier: MIT
#include "tools/radv/own_memory.h"
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace dovetail {

std::vector<Dwords> ownMemory() {
  std::vector<Dwords> regions;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    char access[5] = {};
    unsigned long inode = 1;
    int nameAt = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu %n", &begin, &end, access, &inode,
                    &nameAt) < 4)
      continue;
    const std::string name = nameAt > 0 ? line.substr(size_t(nameAt)) : "";
    if (std::string(access) == "rw-p" && inode == 0 && (name.empty() || name == "[heap]"))
      regions.emplace_back(reinterpret_cast<const uint32_t *>(begin), (end - begin) / sizeof(uint32_t));
  }
  return regions;
}

} // namespace dovetail
