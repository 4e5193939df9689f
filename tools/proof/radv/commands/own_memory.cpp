// SPDX-License-Identifier: MIT
#include "tools/proof/radv/commands/own_memory.h"
#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>

namespace dovetail {

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool MayLook = false;
#else
constexpr bool MayLook = true;
#endif

// Skips AddressSanitizer's own reservations; RADV has no mapping of this size.
constexpr uintptr_t MaxMapping = uintptr_t(1) << 27;

// Has the kernel read memory that this process may not look at. Empty if the kernel cannot.
std::vector<uint32_t> copyOf(Dwords region) {
  std::vector<uint32_t> copy(region.size());
  const int file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  const auto address = off_t(reinterpret_cast<uintptr_t>(region.data()));
  if (pread(file, copy.data(), region.size_bytes(), address) != ssize_t(region.size_bytes()))
    copy.clear();
  close(file);
  return copy;
}

} // namespace

OwnMemory::OwnMemory() {
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
    if (std::string(access) == "rw-p" && inode == 0 && (name.empty() || name == "[heap]") && end - begin <= MaxMapping)
      m_regions.emplace_back(reinterpret_cast<const uint32_t *>(begin), (end - begin) / sizeof(uint32_t));
  }
  if (MayLook)
    return;
  for (Dwords &region : m_regions)
    region = m_copies.emplace_back(copyOf(region));
}

} // namespace dovetail
