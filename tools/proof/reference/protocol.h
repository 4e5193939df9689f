// SPDX-License-Identifier: MIT
//
// What passes between a program that draws scenes (lavapipe-reference, radv-reference) and its user. A message is a
// 64-bit length and as many bytes. A request is a scene; a reply begins with a byte that says what the rest is.
#pragma once

#include <cstdint>

namespace dovetail::reference {

enum class ReplyKind : uint8_t {
  Result = 0,  // a SceneResult follows
  Refused = 1, // text follows: why the scene cannot be drawn
  Invalid = 2, // text follows: why the bytes are no scene
};

constexpr uint64_t MaxMessageBytes = uint64_t(1) << 32;

} // namespace dovetail::reference
