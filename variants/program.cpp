// SPDX-License-Identifier: MIT
#include "variants/program.h"
#include "variants/user_pointer.h"

namespace dovetail {

ProgramRef makeProgram(ShaderSet set, const Hash128 &hash, void *user) {
  return std::make_shared<const Program>(Program{std::move(set), hash, user, withUser(hash, user)});
}

} // namespace dovetail
