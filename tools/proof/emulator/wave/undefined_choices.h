// SPDX-License-Identifier: MIT
//
// Counts, lane by lane, the events of a shader that the APIs leave undefined: hardware does one thing, another
// implementation another, and neither is wrong. A draw with a seed does something else at each event, at random. Parts
// of a picture that then change depend on something undefined.
//
// An event is what the hardware sees. So a program counts as undefined even if it relies on the hardware's behaviour
// there (as compiler code may), if that shows in the picture.
// Sources: Vulkan specification, "Precision and Operation of SPIR-V Instructions" and "Texel Input Operations"; SPIR-V
// specification and GLSL.std.450, at the instructions; GLSL 4.60, section 8.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dovetail::emulator {

enum class UndefinedEvent : uint8_t {
  QuadLanesOff,    // an implicit LOD or a derivative, while other lanes of the quad are off
  ImageCoordinate, // an image coordinate that is not finite
  Conversion,      // a float becomes an integer type that cannot hold it
  Clamp,           // a clamp's minimum is above its maximum
  Division,        // a division by zero
  NotANumber,      // a float operation gives a NaN
};
constexpr unsigned UndefinedEventCount = unsigned(UndefinedEvent::NotANumber) + 1;

// How often each event happened.
using UndefinedEvents = std::array<uint64_t, UndefinedEventCount>;

std::string_view toString(UndefinedEvent event);

class UndefinedChoices {
public:
  // Seed 0: only counts events; the hardware's results stay.
  explicit UndefinedChoices(uint64_t seed = 0) : m_state(seed) {}

  bool isOn() const { return m_state != 0; }
  // Counts the event and returns isOn().
  bool happens(UndefinedEvent event) {
    ++m_events[unsigned(event)];
    return isOn();
  }
  const UndefinedEvents &events() const { return m_events; }

  // The functions below only if isOn(). bits(): xorshift64.
  uint32_t bits() {
    m_state ^= m_state << 13;
    m_state ^= m_state >> 7;
    m_state ^= m_state << 17;
    return uint32_t(m_state >> 32);
  }
  float unit() { return float(bits() >> 8) * 0x1p-24f; } // in [0, 1)
  // A replacement for a NaN: a moderate number, a very large one, or a NaN.
  float number();

private:
  uint64_t m_state;
  UndefinedEvents m_events = {};
};

} // namespace dovetail::emulator
