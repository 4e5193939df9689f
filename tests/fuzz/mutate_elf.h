// SPDX-License-Identifier: MIT
//
// Mutations of ELF files. Headers, section headers, symbols, relocations and notes change more often than code, and
// mostly to numbers that a reader might get wrong.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace dovetail::fuzz {

// One to three changes. The same generator state gives the same mutant. `other`: a file that bytes are taken from.
std::vector<uint8_t> mutateElf(std::vector<uint8_t> bytes, std::span<const uint8_t> other, std::mt19937_64 &random);

} // namespace dovetail::fuzz
