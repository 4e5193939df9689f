// SPDX-License-Identifier: MIT
#include "src/abi/registers/registers.h"
#include <fmt/format.h>

namespace dovetail {

namespace {

using enum RegisterOwner;
using enum RegisterGenerations;

constexpr RegisterRow RegisterRows[] = {
#define REGISTER(name, address, count, generations, owner, source) {address, #name, count, generations, owner, source},
#define FIELD(name, field, shift, width, generations, owner)
#include "src/abi/registers/registers.def"
#undef REGISTER
#undef FIELD
};

} // namespace

std::span<const RegisterRow> registerTable() {
  return RegisterRows;
}

std::string registerName(uint32_t address) {
  for (const RegisterRow &row : RegisterRows) {
    if (address == 0 || address < row.address || address >= row.address + row.count)
      continue;
    if (row.count == 1)
      return std::string(row.name);
    if (!row.name.ends_with('0')) // a run of different registers
      return fmt::format("{}+{}", row.name, address - row.address);
    std::string_view run = row.name.substr(0, row.name.size() - 1);
    return fmt::format("{}{}", run, address - row.address);
  }
  return fmt::format("0x{:x}", address);
}

} // namespace dovetail
