// SPDX-License-Identifier: MIT
//
// The table of driver_contract.def as enumerations and rows. Programs read what drivers have set up, the emulated
// driver sets it up, and the C API tells other drivers how to.
#pragma once

#include "src/abi/registers/registers.h"
#include "src/abi/value.h"
#include <string_view>

namespace dovetail {

// Entries of ValueKind::GlobalTable, buffer descriptors (V#) of 16 bytes.
enum class GlobalTableEntry : uint8_t {
#define GLOBAL_TABLE(name, apiName, entry, generations, descriptor, source) name = entry,
#define USER_DATA(kind, apiName, number, source)
#include "src/abi/driver_contract.def"
#undef GLOBAL_TABLE
#undef USER_DATA
};

// The kind of V# in an entry.
enum class TableDescriptor : uint8_t {
  Raw,         // byte addresses: no stride, not swizzled; NUM_RECORDS is bytes
  Swizzled,    // no stride; dwords of neighbouring lanes lie side by side: ADD_TID_ENABLE, elements of 4 bytes, index
               // stride 64; NUM_RECORDS is bytes
  AddressOnly, // only the base address counts
  Records,     // with a stride
};

struct GlobalTableContract {
  GlobalTableEntry entry;
  std::string_view name, apiName; // DOVETAIL_GLOBAL_TABLE_apiName
  RegisterGenerations generations;
  TableDescriptor descriptor;
  std::string_view source;
};

struct UserDataContract {
  ValueKind kind;
  std::string_view apiName; // DOVETAIL_USER_DATA_apiName
  uint32_t number;
  std::string_view source;
};

inline constexpr GlobalTableContract GlobalTable[] = {
#define GLOBAL_TABLE(name, apiName, entry, generations, descriptor, source)                                            \
  {GlobalTableEntry::name, #name, #apiName, RegisterGenerations::generations, TableDescriptor::descriptor, source},
#define USER_DATA(kind, apiName, number, source)
#include "src/abi/driver_contract.def"
#undef GLOBAL_TABLE
#undef USER_DATA
};

inline constexpr UserDataContract UserData[] = {
#define GLOBAL_TABLE(name, apiName, entry, generations, descriptor, source)
#define USER_DATA(kind, apiName, number, source) {ValueKind::kind, #apiName, number, source},
#include "src/abi/driver_contract.def"
#undef GLOBAL_TABLE
#undef USER_DATA
};

} // namespace dovetail
