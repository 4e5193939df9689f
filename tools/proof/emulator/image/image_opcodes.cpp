// SPDX-License-Identifier: MIT
//
// Makes rows of the opcode table from opcodes/mimg.def. Operand sizes are the largest: texels of four dwords and a
// status, 12 dwords of address (offset, reference, six of gradients, three coordinates, clamp).
#include "tools/proof/emulator/image/image_instructions.h"
#include "tools/proof/emulator/isa/opcode.h"

namespace dovetail::emulator {

namespace {

constexpr uint8_t MaxData = 5, MaxAddress = 12, ResourceDwords = 8, SamplerDwords = 4;

#define ATOMIC(number, generations, name, expression)                                                                  \
  template <typename T> T name([[maybe_unused]] T memory, [[maybe_unused]] T data) {                                   \
    using S [[maybe_unused]] = std::make_signed_t<T>;                                                                  \
    return T(expression);                                                                                              \
  }
#define LOAD(number, generations, name, flags)
#define STORE(number, generations, name, flags)
#define SAMPLE(number, generations, name, flags)
#define GATHER(number, generations, name, flags)
#define IMAGE(number, generations, name, function, samplerDwords)
#include "tools/proof/emulator/isa/opcodes/mimg.def"
#undef ATOMIC
#undef LOAD
#undef STORE
#undef SAMPLE
#undef GATHER
#undef IMAGE

template <auto Function, unsigned Flags> void withFlags(Wave &wave, const Instruction &instruction) {
  Function(wave, instruction, Flags);
}

template <uint32_t (*On32)(uint32_t, uint32_t), uint64_t (*On64)(uint64_t, uint64_t)>
void atomicWith(Wave &wave, const Instruction &instruction) {
  imageAtomic(wave, instruction, {On32, On64});
}

constexpr Opcode row(uint16_t number, uint8_t generations, std::string_view name, Execute execute,
                     uint8_t samplerDwords) {
  return {Format::Mimg, number, generations, name, MaxData, {MaxAddress, ResourceDwords, samplerDwords}, execute};
}

constexpr Opcode Rows[] = {
#define ATOMIC(number, generations, name, expression)                                                                  \
  row(number, generations, #name, atomicWith<name<uint32_t>, name<uint64_t>>, 0),
#define LOAD(number, generations, name, flags) row(number, generations, #name, withFlags<imageLoad, flags>, 0),
#define STORE(number, generations, name, flags) row(number, generations, #name, withFlags<imageStore, flags>, 0),
#define SAMPLE(number, generations, name, flags)                                                                       \
  row(number, generations, #name, withFlags<imageSample, flags>, SamplerDwords),
#define GATHER(number, generations, name, flags)                                                                       \
  row(number, generations, #name, withFlags<imageGather, flags>, SamplerDwords),
#define IMAGE(number, generations, name, function, samplerDwords)                                                      \
  row(number, generations, #name, function, samplerDwords),
#include "tools/proof/emulator/isa/opcodes/mimg.def"
#undef ATOMIC
#undef LOAD
#undef STORE
#undef SAMPLE
#undef GATHER
#undef IMAGE
};

} // namespace

std::span<const Opcode> imageOpcodes() {
  return Rows;
}

} // namespace dovetail::emulator
