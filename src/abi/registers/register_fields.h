// SPDX-License-Identifier: MIT
//
// The fields of the registers in registers.def by name. Code that goes through all registers uses them: it compares,
// prints, and tells the image's bits from the driver's.
#pragma once

#include "src/abi/registers/registers.h"
#include <vector>

namespace dovetail {

// Who decides a field of a register that images program.
// - Image: the image, even where its value is 0.
// - Driver: the driver; an image has 0 there.
// - Shared: an image sets it if its programs need that, and the driver may set it, too.
enum class FieldOwner : uint8_t { Image, Driver, Shared };

struct FieldRow {
  std::string_view name;
  RegisterField bits;
  RegisterGenerations generations;
  FieldOwner owner;
};

// The fields of a register, ordered by their first bits, with those that several registers share. No image sets a bit
// outside of the fields. If a register has no fields, its value as a whole has a meaning.
std::vector<FieldRow> fieldsOf(const RegisterRow &row);

// nullptr if the table has no such register.
const RegisterRow *findRegisterRow(uint32_t address, RegisterGenerations generation);

// Whether a register holds a user SGPR of a program. An image has a number there that tells the driver what to write
// (abi/driver_contract.def).
bool holdsUserData(uint32_t address);

// Who owns the bits of a register. Each bit is the image's, the driver's, or both's: FieldOwner::Shared. An image has 0
// in the driver's own bits, except in user data, which are the driver's as a whole.
struct RegisterMask {
  uint32_t address;
  uint32_t imageBits;
  uint32_t driverBits;
};

// The masks of all registers that images program, by ascending address. `generation`: Gfx8 or Gfx9. The span is static.
std::span<const RegisterMask> registerMasks(RegisterGenerations generation);

} // namespace dovetail
