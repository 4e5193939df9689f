// SPDX-License-Identifier: MIT
//
// What a shader does that the APIs leave undefined: the hardware does something, another implementation something else,
// and neither is wrong. Such events are counted lane by lane as they happen. A draw with a seed does something else at
// each of them, at random: what then changes in a picture depends on what is undefined.
//
// An event is what the hardware sees of it. So a program that relies on what the hardware does there (as the code of a
// compiler may) is taken for undefined, too, if that shows in the picture.
// Sources: Vulkan specification, "Precision and Operation of SPIR-V Instructions" and "Texel Input Operations"; SPIR-V
// specification and GLSL.std.450, at the instructions; GLSL 4.60, section 8.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dovetail::emulator {

enum class UndefinedEvent : uint8_t {
  QuadLanesOff,    // an implicit LOD or a derivative, while lanes of the quad are elsewhere
  ImageCoordinate, // an image read at a coordinate that is no finite number
  Conversion,      // a float becomes an integer that cannot hold it
  Clamp,           // the minimum is above the maximum
  Division,        // by zero
  NotANumber,      // the result of a float operation
};
constexpr unsigned UndefinedEventCount = unsigned(UndefinedEvent::NotANumber) + 1;

// How often each happened.
using UndefinedEvents = std::array<uint64_t, UndefinedEventCount>;

std::string_view toString(UndefinedEvent event);

class UndefinedChoices {
public:
  // Seed 0: events are counted, and the hardware's results stay.
  explicit UndefinedChoices(uint64_t seed = 0) : m_state(seed) {}

  bool isOn() const { return m_state != 0; }
  // Returns isOn().
  bool happens(UndefinedEvent event) {
    ++m_events[unsigned(event)];
    return isOn();
  }
  const UndefinedEvents &events() const { return m_events; }

  // The rest only if isOn(). xorshift64.
  uint32_t bits() {
    m_state ^= m_state << 13;
    m_state ^= m_state >> 7;
    m_state ^= m_state << 17;
    return uint32_t(m_state >> 32);
  }
  float unit() { return float(bits() >> 8) * 0x1p-24f; } // in [0, 1)
  // What an implementation may make of no number: moderate ones, very large ones, or none.
  float number();

private:
  uint64_t m_state;
  UndefinedEvents m_events = {};
};

} // namespace dovetail::emulator
