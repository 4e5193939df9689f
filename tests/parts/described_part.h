// SPDX-License-Identifier: MIT
//
// The library does not decode the code that it encodes, so this does: LLVM's disassembler must find what the part says
// of its code.
#pragma once

#include "parts/compile/fill_part.h"
#include "src/abi/get_target.h"
#include <doctest/doctest.h>

namespace dovetail::test {

inline void checkDescription(const Part &part, std::string_view gpuName) {
  Part decoded{};
  decoded.contract = part.contract;
  ObjectCode object;
  object.code = part.code;
  object.usage = part.usage;
  REQUIRE(fillPart(decoded, std::move(object), gpuName));
  CHECK(part.instructionCount == decoded.instructionCount);
  CHECK(part.usage.numberedSgprs == decoded.usage.numberedSgprs);
  CHECK(part.usage.specialSgprs == decoded.usage.specialSgprs);
  CHECK(part.usage.vgprs == decoded.usage.vgprs);
  CHECK(part.usage.sgprs == part.usage.numberedSgprs + (*getTarget(gpuName))->reservedSgprs);
  CHECK((part.hazards.pendingAtEnd == decoded.hazards.pendingAtEnd));
  CHECK((part.hazards.sensitiveAtStart == decoded.hazards.sensitiveAtStart));
  CHECK(part.hazards.length == decoded.hazards.length);
}

} // namespace dovetail::test
