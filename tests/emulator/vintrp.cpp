// SPDX-License-Identifier: MIT
//
// Interpolation of attributes: P0 + i * P10 + j * P20, in two instructions. The parameters are the wave's
// FragmentParameters; M0 must hold the primitive mask by which the hardware would find them.
#include "tests/emulator/vector_execute.h"

namespace dovetail::emulator {

namespace {

using Channel = FragmentParameters::Channel;

// The parameters of each lane, or zeros after a trap.
std::array<Channel, WaveSize> parametersOf(Wave &wave, unsigned attribute, unsigned channel) {
  std::array<Channel, WaveSize> channels = {};
  const FragmentParameters *parameters = wave.setup().parameters;
  if (parameters == nullptr) {
    wave.trap(TrapKind::Unsupported, "interpolation in a wave without parameters");
    return channels;
  }
  if (wave.m0() != parameters->primMask)
    wave.trap(TrapKind::WrongM0, "M0 is {:#x}, the primitive mask {:#x}", wave.m0(), parameters->primMask);
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    unsigned primitive = parameters->quadPrimitive[lane / 4];
    if (primitive >= parameters->primitives.size())
      continue; // a quad that the wave does not have
    const std::vector<FragmentParameters::Attribute> &attributes = parameters->primitives[primitive];
    if (attribute < attributes.size())
      channels[lane] = attributes[attribute][channel];
    else
      wave.trap(TrapKind::Unsupported, "attribute {} of a primitive with {}", attribute, attributes.size());
  }
  return channels;
}

float asFloat(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

void interpolateP1(Wave &wave, const Instruction &instruction) {
  Values<F32> i;
  fetch<F32>(wave, instruction, 0, i);
  std::array<Channel, WaveSize> channels = parametersOf(wave, instruction.attribute, instruction.channel);
  Values<F32> results;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    results[lane] = float(double(asFloat(channels[lane].p10)) * double(i[lane]) + double(asFloat(channels[lane].p0)));
  storeResult<F32>(wave, instruction, results);
}

void interpolateP2(Wave &wave, const Instruction &instruction) {
  Values<F32> j, first;
  fetch<F32>(wave, instruction, 0, j);
  fetchOldDestination<F32>(wave, instruction, first);
  std::array<Channel, WaveSize> channels = parametersOf(wave, instruction.attribute, instruction.channel);
  Values<F32> results;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    results[lane] = float(double(asFloat(channels[lane].p20)) * double(j[lane]) + double(first[lane]));
  storeResult<F32>(wave, instruction, results);
}

// The source field is no register here: 0 selects P10, 1 P20, 2 P0.
void interpolateMove(Wave &wave, const Instruction &instruction) {
  std::array<Channel, WaveSize> channels = parametersOf(wave, instruction.attribute, instruction.channel);
  unsigned selector = instruction.src[0] & 0xff;
  if (selector > 2)
    wave.trap(TrapKind::Unsupported, "interpolation parameter {}", selector);
  Lanes bits;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    bits[lane] = selector == 0 ? channels[lane].p10 : selector == 1 ? channels[lane].p20 : channels[lane].p0;
  writeLanes(wave, instruction, U32::Kind, false, bits);
}

#define INTERPOLATE(format, number, name, generations, dwords0, dwords2, function)                                     \
  FUNCTION_ROW(format, number, name, generations, 1, dwords0, 0, dwords2, function)

constexpr Opcode Table[] = {
#include "tests/emulator/opcodes/vintrp.def"
};

} // namespace

std::span<const Opcode> vintrpOpcodes() {
  return Table;
}

} // namespace dovetail::emulator
