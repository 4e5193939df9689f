// SPDX-License-Identifier: MIT
#include "src/abi/register_fields.h"
#include <algorithm>

namespace dovetail {

namespace {

struct NamedField {
  uint32_t address;
  FieldRow row;
};

constexpr NamedField Fields[] = {
#define REGISTER(name, address, count, generations, owner, source)
#define FIELD(name, field, shift, width) {reg::name, {#field, {shift, width}}},
#include "src/abi/registers.def"
#undef REGISTER
#undef FIELD
};

// The row whose fields a register has besides its own; the register itself if there is none.
uint32_t sharedFields(uint32_t address) {
  switch (address) {
  case reg::SPI_SHADER_PGM_RSRC1_PS:
  case reg::SPI_SHADER_PGM_RSRC1_VS:
  case reg::SPI_SHADER_PGM_RSRC1_GS:
  case reg::SPI_SHADER_PGM_RSRC1_ES:
  case reg::SPI_SHADER_PGM_RSRC1_HS:
  case reg::SPI_SHADER_PGM_RSRC1_LS:
  case reg::COMPUTE_PGM_RSRC1:
    return reg::PGM_RSRC1;
  case reg::IA_MULTI_VGT_PARAM_GFX8:
    return reg::IA_MULTI_VGT_PARAM;
  case reg::SPI_PS_INPUT_ADDR:
    return reg::SPI_PS_INPUT_ENA;
  default:
    return address;
  }
}

} // namespace

std::vector<FieldRow> fieldsOf(const RegisterRow &row) {
  std::vector<FieldRow> fields;
  for (const NamedField &field : Fields)
    if (field.address == row.address || field.address == sharedFields(row.address))
      fields.push_back(field.row);
  std::ranges::stable_sort(fields, {}, [](const FieldRow &field) { return field.bits.shift; });
  return fields;
}

const RegisterRow *findRegisterRow(uint32_t address, RegisterGenerations generation) {
  for (const RegisterRow &row : registerTable())
    if (row.address != 0 && address >= row.address && address < row.address + row.count &&
        (static_cast<uint8_t>(row.generations) & static_cast<uint8_t>(generation)) != 0)
      return &row;
  return nullptr;
}

} // namespace dovetail
