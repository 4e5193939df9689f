// SPDX-License-Identifier: MIT
#include "src/spirv/translate/context/unsupported.h"
#include "src/spirv/module/names.h"

namespace dovetail::spirv {

tl::unexpected<Error> unsupported(const Instruction &inst, std::string_view reason) {
  return makeError(ErrorCode::Unsupported, "{} at word {}: {}", nameOf(inst.opcode), inst.wordOffset, reason);
}

tl::unexpected<Error> unsupported(const Instruction &inst) {
  std::string capability = capabilityOf(inst.opcode);
  if (capability.empty())
    return makeError(ErrorCode::Unsupported, "{} at word {} is not supported", nameOf(inst.opcode), inst.wordOffset);
  return makeError(ErrorCode::Unsupported, "{} at word {} (capability {}) is not supported", nameOf(inst.opcode),
                   inst.wordOffset, capability);
}

} // namespace dovetail::spirv
