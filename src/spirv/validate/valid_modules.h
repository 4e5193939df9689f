// SPDX-License-Identifier: MIT
//
// A game makes many shaders of one module: with several entry points, with several sets of specialisation constants,
// again in each level. This file remembers the modules that the validator has accepted, so that each is validated once
// in a process.
//
// The translator relies on a valid module, and applications may hand over modules of strangers (a browser does). So a
// module that the validator refuses must never be taken for one that it has accepted. Modules are known by BLAKE3
// digests of 256 bits: nobody knows how to make two modules of one digest. Hashes for tables (src/base/hash.h) can be
// made to collide. Only acceptance is remembered, so a refused module is validated each time, and its Error is made
// anew.
#pragma once

#include "src/spirv/module/environment.h"
#include <array>
#include <cstdint>
#include <span>

namespace dovetail::spirv {

// Names a module, and the rules and the validator that it was validated by.
using ModuleDigest = std::array<uint8_t, 32>;

ModuleDigest digestOf(std::span<const uint32_t> words, Environment environment);

// How many modules are remembered at most. A new one may take the place of another.
constexpr size_t MaxValidModules = 4096;

// Whether the validator has accepted the module in this process. It may have been forgotten. Thread-safe.
bool isKnownValid(const ModuleDigest &digest);
// Remembers a module that the validator has accepted. Thread-safe.
void rememberValid(const ModuleDigest &digest);
// Forgets all modules; for measurements and tests. Thread-safe.
void forgetValidModules();

// Remembers such modules beyond the process. Whoever can add digests to it can get an invalid module past the
// validator. Thread-safe.
class ValidModuleStore {
public:
  virtual ~ValidModuleStore() = default;
  virtual bool hasValidModule(const ModuleDigest &digest) = 0;
  virtual void putValidModule(const ModuleDigest &digest) = 0;
};

} // namespace dovetail::spirv
