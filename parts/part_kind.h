// SPDX-License-Identifier: MIT
//
// PartKind, and the facts of each kind from the table part_kinds.def.
#pragma once

#include "src/abi/hardware_stage.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dovetail {

enum class PartKind : uint8_t {
#define PART_KIND(kind, ...) kind,
#include "parts/part_kinds.def"
};

constexpr unsigned PartKindCount = 0
#define PART_KIND(...) +1
#include "parts/part_kinds.def"
    ;

// "vertex prolog", "fragment main", …
std::string_view toString(PartKind kind);
// A name for symbols: "vertex_prolog".
std::string_view toSymbol(PartKind kind);

enum class PartRole : uint8_t { Main, Prolog, Epilog, Other };

constexpr PartRole roleOf(PartKind kind) {
  switch (kind) {
#define PART_MAIN(kind, ...)                                                                                           \
  case PartKind::kind:                                                                                                 \
    return PartRole::Main;
#define PART_AROUND(kind, symbol, cName, words, role, ...)                                                             \
  case PartKind::kind:                                                                                                 \
    return PartRole::role;
#include "parts/part_kinds.def"
  default:
    return PartRole::Other;
  }
}

enum class PartMaking : uint8_t { Encoded, Compiled };

constexpr PartMaking makingOf(PartKind kind) {
  switch (kind) {
#define PART_MAIN(kind, ...)                                                                                           \
  case PartKind::kind:                                                                                                 \
    return PartMaking::Compiled;
#define PART_OTHER(kind, symbol, cName, words, stages, making)                                                         \
  case PartKind::kind:                                                                                                 \
    return PartMaking::making;
#include "parts/part_kinds.def"
  default:
    return PartMaking::Encoded;
  }
}

constexpr unsigned bitOf(HardwareStage stage) {
  return 1u << unsigned(stage);
}

// The hardware stages that the interface of a part of this kind may have, as bits; 0: the kind has no interface.
constexpr unsigned interfaceStagesOf(PartKind kind) {
  constexpr unsigned Ls = bitOf(HardwareStage::Ls), Hs = bitOf(HardwareStage::Hs), Es = bitOf(HardwareStage::Es),
                     Gs = bitOf(HardwareStage::Gs), Vs = bitOf(HardwareStage::Vs), Ps = bitOf(HardwareStage::Ps),
                     Cs = bitOf(HardwareStage::Cs);
  switch (kind) {
#define PART_MAIN(kind, symbol, cName, words, stages)                                                                  \
  case PartKind::kind:                                                                                                 \
    return stages;
#define PART_OTHER(kind, symbol, cName, words, stages, making)                                                         \
  case PartKind::kind:                                                                                                 \
    return stages;
#include "parts/part_kinds.def"
  default:
    return 0;
  }
}

// The main part's kind, for the kind of a prolog or an epilog.
constexpr PartKind mainOf(PartKind around) {
  switch (around) {
#define PART_AROUND(kind, symbol, cName, words, role, main, ...)                                                       \
  case PartKind::kind:                                                                                                 \
    return PartKind::main;
#include "parts/part_kinds.def"
  default:
    return around;
  }
}

// A few kinds, in running order.
struct PartKinds {
  std::array<PartKind, 4> kinds = {};
  size_t count = 0;

  constexpr const PartKind *begin() const { return kinds.data(); }
  constexpr const PartKind *end() const { return kinds.data() + count; }
};

// The kinds that may stand around a main part of this kind in this role.
constexpr PartKinds kindsAround(PartKind main, PartRole role) {
  PartKinds around;
#define PART_AROUND(kind, symbol, cName, words, itsRole, itsMain, ...)                                                 \
  if (PartRole::itsRole == role && PartKind::itsMain == main)                                                          \
    around.kinds[around.count++] = PartKind::kind;
#include "parts/part_kinds.def"
  if (role == PartRole::Epilog)
    std::reverse(around.kinds.data(), around.kinds.data() + around.count);
  return around;
}

} // namespace dovetail
