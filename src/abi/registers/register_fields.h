// SPDX-License-Identifier: MIT
//
// The fields of the registers in registers.def by name, for what goes through all of them: comparing, printing, and
// saying which bits are an image's and which the driver's.
#pragma once

#include "src/abi/registers/registers.h"
#include <vector>

namespace dovetail {

// Who decides a field of a register that images program. Image: the image, where it has 0, too. Driver: the driver; an
// image has 0 there. Shared: an image sets it if its programs need that, and the driver may set it besides.
enum class FieldOwner : uint8_t { Image, Driver, Shared };

struct FieldRow {
  std::string_view name;
  RegisterField bits;
  RegisterGenerations generations;
  FieldOwner owner;
};

// Ordered by their first bits. Fields that several registers share are among them. No image sets what is left of the
// register; of a register without fields, the value as a whole has a meaning.
std::vector<FieldRow> fieldsOf(const RegisterRow &row);

// nullptr if the table has no such register.
const RegisterRow *findRegisterRow(uint32_t address, RegisterGenerations generation);

// Whether it holds a user SGPR of a program. An image has a number there that says what the driver writes into it
// (abi/driver_contract.def).
bool holdsUserData(uint32_t address);

// Whose the bits of a register are. Each bit is the image's, the driver's, or both's: FieldOwner::Shared. An image has
// 0 in bits that are the driver's alone, but in user data, which are the driver's as a whole.
struct RegisterMask {
  uint32_t address;
  uint32_t imageBits;
  uint32_t driverBits;
};

// Of all registers that images program, by ascending address. `generation`: Gfx8 or Gfx9. Static.
std::span<const RegisterMask> registerMasks(RegisterGenerations generation);

} // namespace dovetail
