// SPDX-License-Identifier: MIT
//
// The messages between a program that draws scenes (lavapipe-reference, radv-reference) and its user. A message is a
// 64-bit length and as many bytes. A request is a scene. A reply begins with a byte that says what follows.
#pragma once

#include <cstdint>

namespace dovetail::reference {

enum class ReplyKind : uint8_t {
  Result = 0,  // a SceneResult follows
  Refused = 1, // text follows: the reason why the scene cannot be drawn
  Invalid = 2, // text follows: the reason why the bytes are no scene
};

constexpr uint64_t MaxMessageBytes = uint64_t(1) << 32;

} // namespace dovetail::reference
