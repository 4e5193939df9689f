// SPDX-License-Identifier: MIT
//
// A table in which the digest chooses the place. So a module is found by one comparison, and the table never grows.
#include "src/spirv/validate/valid_modules.h"
#include <algorithm>
#include <cstring>
#include <llvm/Support/BLAKE3.h>
#include <mutex>
#include <spirv-tools/libspirv.h>

namespace dovetail::spirv {

namespace {

// They have no destructors, because other threads may still make shaders while the process exits.
std::mutex validModulesMutex;               // held for one comparison or copy
ModuleDigest validModules[MaxValidModules]; // zeros: none

ModuleDigest &placeOf(const ModuleDigest &digest) {
  uint32_t bits;
  std::memcpy(&bits, digest.data(), sizeof(bits));
  return validModules[bits % MaxValidModules];
}

} // namespace

ModuleDigest digestOf(std::span<const uint32_t> words, Environment environment) {
  llvm::BLAKE3 hasher;
  hasher.update(llvm::StringRef(spvSoftwareVersionDetailsString()));
  hasher.update({reinterpret_cast<const uint8_t *>(&environment), sizeof(environment)});
  hasher.update({reinterpret_cast<const uint8_t *>(words.data()), words.size_bytes()});
  return hasher.final<sizeof(ModuleDigest)>();
}

bool isKnownValid(const ModuleDigest &digest) {
  const std::lock_guard lock(validModulesMutex);
  return placeOf(digest) == digest;
}

void forgetValidModules() {
  const std::lock_guard lock(validModulesMutex);
  std::ranges::fill(validModules, ModuleDigest());
}

void rememberValid(const ModuleDigest &digest) {
  const std::lock_guard lock(validModulesMutex);
  placeOf(digest) = digest;
}

} // namespace dovetail::spirv
