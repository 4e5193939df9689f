// SPDX-License-Identifier: MIT
//
// Writes numbers into memory, and fills uniform, storage and push constant blocks.
#pragma once

#include "src/base/error.h"
#include "src/spirv/reflect/reflection.h"
#include "tools/proof/scene/maker/random.h"
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace dovetail {

constexpr float MatrixNoise = 0.03f; // how far elements of made-up matrices are from the identity's

// Writes one number of a type: an integer, or a float of 16, 32 or 64 bits. 8 <= bits <= 64; `bytes` has bits / 8.
void writeNumber(uint8_t *bytes, NumericClass numericClass, unsigned bits, double value);

// What the numbers in a block depend on.
struct BlockContext {
  bool isCompute = false;        // counts are counts of elements rather than of lights
  uint32_t exactCount = 0;       // if not 0: the value of all counts
  float width = 64, height = 64; // of the framebuffer
};

// The limit for an index at an offset in a block (index_limits.h).
using LimitOfMember = std::function<uint32_t(uint32_t offset)>;

// Gets each buffer address in a block.
using AddressSink = std::function<Result<void>(const spirv::BlockMember &member, uint32_t offset)>;

// Fills a block: floats between 0.1 and 0.9, integers from 0 to 3, matrices near identity, and values that names
// suggest. No index exceeds its limit. A runtime array fills the bytes that are left. Addresses stay zero. Errors:
// those of addAddress.
Result<void> fillBlock(const std::vector<spirv::BlockMember> &members, const BlockContext &context,
                       const LimitOfMember &limitOf, const AddressSink &addAddress, uint64_t seed,
                       std::span<uint8_t> bytes);

} // namespace dovetail
