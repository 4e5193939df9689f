// SPDX-License-Identifier: MIT
#include "parts/part.h"

namespace dovetail {

std::string_view toString(PartKind kind) {
  constexpr std::string_view Words[] = {
#define PART_KIND(kind, symbol, cName, words) words,
#include "parts/part_kinds.def"
  };
  return Words[size_t(kind)];
}

std::string_view toSymbol(PartKind kind) {
  constexpr std::string_view Symbols[] = {
#define PART_KIND(kind, symbol, cName, words) #symbol,
#include "parts/part_kinds.def"
  };
  return Symbols[size_t(kind)];
}

} // namespace dovetail
