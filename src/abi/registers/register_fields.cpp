// SPDX-License-Identifier: MIT
#include "src/abi/registers/register_fields.h"
#include <algorithm>
#include <array>

namespace dovetail {

namespace {

struct NamedField {
  uint32_t address;
  FieldRow row;
};

constexpr NamedField Fields[] = {
#define REGISTER(name, address, count, generations, owner, source)
#define FIELD(name, field, shift, width, generations, owner)                                                           \
  {reg::name, {#field, {shift, width}, RegisterGenerations::generations, FieldOwner::owner}},
#include "src/abi/registers/registers.def"
#undef REGISTER
#undef FIELD
};

struct AddressRange {
  uint32_t begin, count;
};

// The range of a row of user data that images set; empty for all other registers.
constexpr AddressRange userDataOf(std::string_view name, uint32_t address, uint32_t count, RegisterOwner owner) {
  const bool isUserData = name.find("_USER_DATA_") != std::string_view::npos;
  return {address, owner != RegisterOwner::Driver && isUserData ? count : 0};
}

constexpr AddressRange AllRows[] = {
#define REGISTER(name, address, count, generations, owner, source)                                                     \
  userDataOf(#name, address, count, RegisterOwner::owner),
#define FIELD(name, field, shift, width, generations, owner)
#include "src/abi/registers/registers.def"
#undef REGISTER
#undef FIELD
};

constexpr bool isEmpty(const AddressRange &range) {
  return range.count == 0;
}

constexpr auto UserDataRanges = [] {
  constexpr size_t Count = std::size(AllRows) - size_t(std::ranges::count_if(AllRows, isEmpty));
  std::array<AddressRange, Count> ranges = {};
  std::ranges::remove_copy_if(AllRows, ranges.begin(), isEmpty);
  return ranges;
}();

// The address of the row whose fields a register has besides its own, or the register's own address.
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

bool isOf(RegisterGenerations generations, RegisterGenerations generation) {
  return (static_cast<uint8_t>(generations) & static_cast<uint8_t>(generation)) != 0;
}

// The bits that an image sets, and those that the driver may set, in each register of a row.
RegisterMask maskOf(const RegisterRow &row, RegisterGenerations generation) {
  if (holdsUserData(row.address))
    return {row.address, 0, UINT32_MAX};
  const std::vector<FieldRow> fields = fieldsOf(row);
  if (fields.empty())
    return {row.address, UINT32_MAX, 0};
  RegisterMask mask = {row.address, 0, UINT32_MAX};
  for (const FieldRow &field : fields) {
    if (!isOf(field.generations, generation))
      continue;
    if (field.owner != FieldOwner::Driver)
      mask.imageBits |= field.bits.mask();
    if (field.owner == FieldOwner::Image)
      mask.driverBits &= ~field.bits.mask();
  }
  return mask;
}

std::vector<RegisterMask> makeMasks(RegisterGenerations generation) {
  std::vector<RegisterMask> masks;
  for (const RegisterRow &row : registerTable()) {
    if (row.owner == RegisterOwner::Driver || row.owner == RegisterOwner::Nobody || !isOf(row.generations, generation))
      continue;
    RegisterMask mask = maskOf(row, generation);
    for (unsigned i = 0; i < row.count; ++i, ++mask.address)
      masks.push_back(mask);
  }
  std::ranges::sort(masks, {}, &RegisterMask::address);
  return masks;
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
        isOf(row.generations, generation))
      return &row;
  return nullptr;
}

bool holdsUserData(uint32_t address) {
  return std::ranges::any_of(UserDataRanges,
                             [&](const AddressRange &range) { return address - range.begin < range.count; });
}

std::span<const RegisterMask> registerMasks(RegisterGenerations generation) {
  // Never destroyed: threads may still draw while the process exits.
  static const auto &gfx8 = *new std::vector<RegisterMask>(makeMasks(RegisterGenerations::Gfx8));
  static const auto &gfx9 = *new std::vector<RegisterMask>(makeMasks(RegisterGenerations::Gfx9));
  return generation == RegisterGenerations::Gfx8 ? gfx8 : gfx9;
}

} // namespace dovetail
