// SPDX-License-Identifier: MIT
#include "src/abi/registers.h"
#include <fmt/format.h>
#include <string_view>

namespace dovetail {

namespace {

struct Row {
  uint32_t address;
  std::string_view name;
};

constexpr Row Rows[] = {
#define REGISTER(name, address) {address, #name},
#define FIELD(name, field, shift, width)
#include "src/abi/registers.def"
#undef REGISTER
#undef FIELD
};

// The registers that stand for a run of equal ones.
constexpr Row Runs[] = {
    {reg::SPI_SHADER_USER_DATA_PS_0, "SPI_SHADER_USER_DATA_PS_"},
    {reg::SPI_SHADER_USER_DATA_VS_0, "SPI_SHADER_USER_DATA_VS_"},
    {reg::SPI_PS_INPUT_CNTL_0, "SPI_PS_INPUT_CNTL_"},
    {reg::COMPUTE_USER_DATA_0, "COMPUTE_USER_DATA_"},
};

} // namespace

std::string registerName(uint32_t address) {
  for (const Row &row : Rows)
    if (row.address == address && address != 0)
      return std::string(row.name);
  for (const Row &run : Runs) {
    unsigned count = run.address == reg::COMPUTE_USER_DATA_0 ? 16 : 32;
    if (address >= run.address && address < run.address + count)
      return fmt::format("{}{}", run.name, address - run.address);
  }
  return fmt::format("0x{:x}", address);
}

} // namespace dovetail
