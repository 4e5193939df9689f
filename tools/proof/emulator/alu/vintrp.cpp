// SPDX-License-Identifier: MIT
//
// Interpolates attributes: P0 + i * P10 + j * P20, in two instructions. The wave's FragmentParameters hold the
// parameters. M0 must hold the primitive mask, by which the hardware would find them. The VOP3 forms have the attribute
// in the place of SRC0, and the barycentric coordinate in SRC1.
// Source: "Vega" ISA manual, sections 10.3.2 and 12.11; CLRadeonExtender, doc/GcnInstrsVintrp.md. The rounding of the
// sums is not documented (docs/hardware-facts.md).
#include "tools/proof/emulator/alu/vector_execute.h"

namespace dovetail::emulator {

namespace {

using Channel = FragmentParameters::Channel;

// The parameters that an instruction interpolates, and the source with i or j.
struct Place {
  unsigned attribute, channel;
  bool highHalf; // for attributes of halves
  unsigned source;
};
Place placeOf(const Instruction &instruction) {
  if (instruction.format == Format::Vintrp)
    return {instruction.attribute, instruction.channel, false, 0};
  unsigned field = instruction.src[0];
  return {field & 0x3f, field >> 6 & 3, (field >> 8 & 1) != 0, 1};
}

// Each quad's parameters; zeros after a trap.
using QuadChannels = std::array<Channel, WaveSize / 4>;
QuadChannels parametersOf(Wave &wave, const Place &place) {
  QuadChannels channels = {};
  const FragmentParameters *parameters = wave.setup().parameters;
  if (parameters == nullptr) {
    wave.trap(TrapKind::Unsupported, "interpolation in a wave without parameters");
    return channels;
  }
  if (uint32_t m0 = wave.m0(); m0 != parameters->primMask)
    wave.trap(TrapKind::WrongM0, "M0 is {:#x}, the primitive mask {:#x}", m0, parameters->primMask);
  for (unsigned quad = 0; quad < channels.size(); ++quad) {
    unsigned primitive = parameters->quadPrimitive[quad];
    if (quad != 0 && primitive == parameters->quadPrimitive[quad - 1]) {
      channels[quad] = channels[quad - 1];
      continue;
    }
    if (primitive >= parameters->primitives.size())
      continue; // a quad that the wave does not have
    const std::vector<FragmentParameters::Attribute> &attributes = parameters->primitives[primitive];
    if (place.attribute < attributes.size())
      channels[quad] = attributes[place.attribute][place.channel];
    else
      wave.trap(TrapKind::Unsupported, "attribute {} of a primitive with {}", place.attribute, attributes.size());
  }
  return channels;
}

double asFloat(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
double asHalf(uint32_t bits, const Place &place) {
  return fromHalf(uint16_t(bits >> (place.highHalf ? 16 : 0)));
}

// The precision of the weights is not documented. A slope's contribution may be off by a few ulps of the slope; near a
// result of zero, that is more than the result's ulps.
float slopeNoise(RoundingNoise &noise, double slope) {
  constexpr double Error = 0x1p-22;
  return noise.isOf(NoiseSource::Interpolation) ? float(noise.symmetric() * Error * slope) : 0;
}

constexpr auto AddSlope = [](float weight, float slope, float sum, const Context &) {
  return float(double(slope) * double(weight) + double(sum)) + 0.0f; // no -0
};

// sum + weight * slope; `source` is the instruction's source with the weight.
void addSlope(Wave &wave, const Instruction &instruction, unsigned source, uint32_t Channel::*slope,
              const QuadChannels &channels, const FusedOperand &sum) {
  Lanes slopes;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    slopes[lane] = channels[lane / 4].*slope;
  FusedOperands operands;
  operands.sources = {fusedOperand<F32>(wave, instruction, source), FusedOperand{slopes.data()}, sum};
  if (mayBeFused(wave, instruction) && !wave.roundingNoise().isOn())
    return finishFused<F32, F32, F32, F32, Shape{}, AddSlope>(wave, instruction, operands);
  Values<F32> results;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    results[lane] = AddSlope(fusedValue<F32>(operands.sources[0], lane), fusedValue<F32>(operands.sources[1], lane),
                             fusedValue<F32>(operands.sources[2], lane), {}) +
                    slopeNoise(wave.roundingNoise(), asFloat(slopes[lane]));
  storeResult<F32>(wave, instruction, results);
}

// An LDS of 16 banks delivers P0 and P10 one after the other (LLVM, V_INTERP_P1_F32_16bank and V_INTERP_P1LL_F16). So
// the weight must survive the first of them, and for halves another instruction loads P0.
void interpolateP1(Wave &wave, const Instruction &instruction) {
  const Place place = placeOf(instruction);
  if (wave.chip().has16LdsBanks && instruction.dst == instruction.src[place.source])
    wave.trap(TrapKind::Unsupported, "v_interp_p1_f32 that overwrites its weight, with an LDS of 16 banks");
  const QuadChannels channels = parametersOf(wave, place);
  Lanes p0;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    p0[lane] = channels[lane / 4].p0;
  addSlope(wave, instruction, place.source, &Channel::p10, channels, {p0.data()});
}

void interpolateP2(Wave &wave, const Instruction &instruction) {
  const Place place = placeOf(instruction);
  FusedOperand first{wave.readVgpr(instruction.dst - FirstVgpr).data()};
  if (flushesInputs(wave, F32::Kind))
    first.keepDenormals = 0;
  addSlope(wave, instruction, place.source, &Channel::p20, parametersOf(wave, place), first);
}

// The source field is no register: 0 selects P10, 1 P20, 2 P0.
void interpolateMove(Wave &wave, const Instruction &instruction) {
  Place place = placeOf(instruction);
  const QuadChannels channels = parametersOf(wave, place);
  unsigned selector = instruction.src[place.source] & 0xff;
  if (selector > 2)
    wave.trap(TrapKind::Unsupported, "interpolation parameter {}", selector);
  Lanes bits;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    bits[lane] = selector == 0   ? channels[lane / 4].p10
                 : selector == 1 ? channels[lane / 4].p20
                                 : channels[lane / 4].p0;
  writeLanes(wave, instruction, U32::Kind, false, bits);
}

// For attributes of halves, the first step has an f32 result.
void interpolateHalfP1(Wave &wave, const Instruction &instruction) {
  Place place = placeOf(instruction);
  if (wave.chip().has16LdsBanks)
    wave.trap(TrapKind::Unsupported, "v_interp_p1ll_f16 with an LDS of 16 banks");
  Values<F32> i, results;
  fetch<F32>(wave, instruction, 1, i);
  const QuadChannels channels = parametersOf(wave, place);
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    results[lane] =
        float(asHalf(channels[lane / 4].p10, place) * double(i[lane]) + asHalf(channels[lane / 4].p0, place));
  storeResult<F32>(wave, instruction, results);
}

// For an LDS of 16 banks, which cannot deliver two parameters at once: an earlier instruction has loaded P0 into SRC2.
void interpolateHalfP1WithP0(Wave &wave, const Instruction &instruction) {
  Place place = placeOf(instruction);
  Values<F32> i, results;
  Lanes p0;
  fetch<F32>(wave, instruction, 1, i);
  fetchBits(wave, instruction, 2, U32::Kind, p0);
  const QuadChannels channels = parametersOf(wave, place);
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    results[lane] = float(asHalf(channels[lane / 4].p10, place) * double(i[lane]) + asHalf(p0[lane], place));
  storeResult<F32>(wave, instruction, results);
}

template <typename D> void interpolateHalfP2(Wave &wave, const Instruction &instruction) {
  Place place = placeOf(instruction);
  Values<F32> j, first;
  Values<D> results;
  fetch<F32>(wave, instruction, 1, j);
  fetch<F32>(wave, instruction, 2, first);
  const QuadChannels channels = parametersOf(wave, place);
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    results[lane] = asHalf(channels[lane / 4].p20, place) * double(j[lane]) + double(first[lane]);
  storeResult<D>(wave, instruction, results);
}

#define INTERPOLATE(format, number, name, generations, function)                                                       \
  FUNCTION_ROW(format, number, name, generations, 1, 1, 0, 0, function)

constexpr Opcode Table[] = {
#include "tools/proof/emulator/isa/opcodes/vintrp.def"
};

} // namespace

std::span<const Opcode> vintrpOpcodes() {
  return Table;
}

} // namespace dovetail::emulator
