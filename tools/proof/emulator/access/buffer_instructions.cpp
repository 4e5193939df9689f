// SPDX-License-Identifier: MIT
//
// The opcode rows of MUBUF and MTBUF, and typed loads and stores: their range check covers the whole texel.
// Source: "Vega" ISA manual, sections 8.1.4 and 8.1.6.
#include "tools/proof/emulator/access/buffer_access.h"
#include "tools/proof/emulator/access/vector_memory.h"
#include "tools/proof/emulator/isa/opcode.h"
#include "tools/proof/emulator/memory/buffer_format.h"
#include "tools/proof/emulator/numerics/conversion_noise.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

// How components lie in registers: a dword each; two in a dword (D16); one in the low half of each (D16 of GFX8.0;
// LLVM: FeatureUnpackedD16VMem); or one in the high half of one register.
enum class InRegisters : uint8_t { Dwords, Packed, Unpacked, HighHalf };

constexpr unsigned registerCount(unsigned components, InRegisters form) {
  return form == InRegisters::Dwords || form == InRegisters::Unpacked ? components : (components + 1) / 2;
}

struct TypedAccess {
  TexelLayout layout;
  std::array<uint8_t, 4> dstSel;
};

// The format of an access: MTBUF has its own, MUBUF uses the descriptor's. nullopt: trapped.
std::optional<TypedAccess> typedAccess(Wave &wave, const Instruction &instruction, const BufferDescriptor &buffer) {
  bool isMtbuf = instruction.format == Format::Mtbuf;
  // Without a format, the buffer is not bound and has no records, so no format is needed.
  if (!isMtbuf && buffer.dataFormat == 0)
    return TypedAccess{*bufferLayout(4, 4), {}};
  unsigned dataFormat = isMtbuf ? instruction.dataFormat : buffer.dataFormat;
  unsigned numFormat = isMtbuf ? instruction.numFormat : buffer.numFormat;
  std::optional<TexelLayout> layout = bufferLayout(dataFormat, numFormat);
  if (!layout) {
    wave.trap(TrapKind::BadDescriptor, "buffers have no data format {} with number format {}", dataFormat, numFormat);
    return std::nullopt;
  }
  return TypedAccess{*layout, isMtbuf ? BufferDescriptor().dstSel : buffer.dstSel};
}

// Out of range, all components are 0, except those that DST_SEL sets to one.
TexelValue loadTexel(Wave &wave, const TypedAccess &typed, const uint8_t *bytes) {
  TexelValue value = {};
  if (bytes != nullptr)
    value = decodeBufferTexel(wave.generation(), typed.layout, bytes);
  if (typed.layout.isNormalized())
    addConversionNoise(wave.roundingNoise(), value);
  return selectComponents(value, typed.dstSel, typed.layout.isInteger());
}

template <unsigned Components, InRegisters Form> void loadFormat(Wave &wave, const Instruction &instruction) {
  if (refuseLds(wave, instruction))
    return;
  BufferAccess access(wave, instruction);
  std::optional<TypedAccess> typed = typedAccess(wave, instruction, access.descriptor());
  if (!typed)
    return;
  constexpr unsigned Registers = registerCount(Components, Form);
  std::array<Lanes *, Registers> destinations;
  for (unsigned i = 0; i != Registers; ++i)
    destinations[i] = &wave.writeVgprPart(
        instruction.vdata + i, keptBeside(Form == InRegisters::HighHalf ? Half::High : Half::Whole), wave.exec());
  const LanePlaces places = access.places(0, typed->layout.bytes, false);
  forEachLaneOn(wave, [&](unsigned lane) {
    TexelValue value = loadTexel(wave, *typed, places[lane]);
    for (unsigned i = 0; i != Components; ++i) {
      if (Form == InRegisters::Dwords)
        (*destinations[i])[lane] = value[i];
      else if (Form == InRegisters::Unpacked)
        (*destinations[i])[lane] = toD16(typed->layout, value[i]);
      else if (Form == InRegisters::HighHalf)
        placeHalf((*destinations[0])[lane], toD16(typed->layout, value[i]), Half::High);
      else // the unused half of the last register becomes 0
        placeHalf((*destinations[i / 2])[lane], toD16(typed->layout, value[i]), i % 2 ? Half::High : Half::Whole);
    }
  });
  unsigned extra = writeResidency(wave, instruction, instruction.vdata + Registers);
  access.issue({{true, true, instruction.vdata, uint16_t(Registers + extra)}});
}

// Components that the instruction lacks are stored as 0.
template <unsigned Components, InRegisters Form> void storeFormat(Wave &wave, const Instruction &instruction) {
  if (refuseLds(wave, instruction))
    return;
  BufferAccess access(wave, instruction);
  std::optional<TypedAccess> typed = typedAccess(wave, instruction, access.descriptor());
  if (!typed)
    return;
  constexpr unsigned Registers = registerCount(Components, Form);
  std::array<const Lanes *, Registers> sources;
  for (unsigned i = 0; i != Registers; ++i)
    sources[i] = &wave.readVgpr(instruction.vdata + i, Form == InRegisters::Unpacked ? 0xffff : ~0u);
  const LanePlaces places = access.places(0, typed->layout.bytes, true);
  forEachLaneOn(wave, [&](unsigned lane) {
    if (places[lane] == nullptr)
      return;
    TexelValue value = {};
    for (unsigned i = 0; i != Components; ++i) {
      if (Form == InRegisters::Dwords) {
        value[i] = (*sources[i])[lane];
        continue;
      }
      if (Form == InRegisters::Unpacked) {
        value[i] = fromD16(typed->layout, uint16_t((*sources[i])[lane]));
        continue;
      }
      bool isHigh = Form == InRegisters::HighHalf || i % 2 != 0;
      value[i] = fromD16(typed->layout, uint16_t((*sources[i / 2])[lane] >> (isHigh ? 16 : 0)));
    }
    encodeTexel(typed->layout, unselectComponents(value, typed->dstSel), places[lane]);
  });
  access.issueStore();
}

// A load of one component may also go to LDS.
template <unsigned Components, InRegisters Form> void loadFormatOrLds(Wave &wave, const Instruction &instruction) {
  if constexpr (Components == 1 && Form == InRegisters::Dwords) {
    if (instruction.lds && instruction.format == Format::Mubuf) {
      BufferAccess access(wave, instruction);
      std::optional<TypedAccess> typed = typedAccess(wave, instruction, access.descriptor());
      uint32_t m0 = wave.m0();
      for (unsigned lane = 0; typed && lane != WaveSize; ++lane) {
        if (!wave.laneIsOn(lane))
          continue;
        TexelValue value = loadTexel(wave, *typed, access.at(lane, 0, typed->layout.bytes, false));
        if (uint8_t *lds = ldsOfLane(wave, instruction, m0, lane))
          std::memcpy(lds, &value[0], 4);
      }
      return access.issue({});
    }
  }
  loadFormat<Components, Form>(wave, instruction);
}

// LDS DMA from LDS to memory; these instructions always have the LDS bit.
void storeLdsDword(Wave &wave, const Instruction &instruction) {
  BufferAccess access(wave, instruction);
  uint32_t m0 = wave.m0();
  for (unsigned lane = 0; lane != WaveSize; ++lane) {
    if (!wave.laneIsOn(lane))
      continue;
    const uint8_t *lds = ldsOfLane(wave, instruction, m0, lane);
    uint8_t *bytes = access.at(lane, 0, 4, true);
    if (lds != nullptr && bytes != nullptr)
      std::memcpy(bytes, lds, 4);
  }
  access.issueStore();
}

// There are no caches here, but the hardware counts the instruction (docs/hardware-facts.md, of GFX10).
void invalidateCache(Wave &wave, const Instruction &) {
  wave.issueInvalidation();
}

using A = BufferAccess;
constexpr uint8_t Address = 2, Descriptor = 4; // registers, at most

#define LOAD(number, generations, name, type, half)                                                                    \
  {Format::Mubuf, number, generations, "buffer_" #name, 1, {Address, 0, Descriptor}, loadSmall<A, type, Half::half>},
#define LOAD_DWORDS(number, generations, name, dwords)                                                                 \
  {Format::Mubuf, number, generations, "buffer_" #name, dwords, {Address, 0, Descriptor}, loadDwords<A, dwords>},
#define STORE(number, generations, name, type, half)                                                                   \
  {Format::Mubuf, number, generations, "buffer_" #name, 0, {Address, 1, Descriptor}, storeSmall<A, type, Half::half>},
#define STORE_DWORDS(number, generations, name, dwords)                                                                \
  {Format::Mubuf, number, generations, "buffer_" #name, 0, {Address, dwords, Descriptor}, storeDwords<A, dwords>},
#define ATOMIC(number, generations, name, type, value)                                                                 \
  {Format::Mubuf,                                                                                                      \
   number,                                                                                                             \
   generations,                                                                                                        \
   "buffer_" #name,                                                                                                    \
   sizeof(type) / 4,                                                                                                   \
   {Address, sizeof(type) / 4, Descriptor},                                                                            \
   atomic<A, type, false, ([]([[maybe_unused]] type memory, [[maybe_unused]] type data) -> type { return value; })>},
#define ATOMIC_COMPARE(number, generations, name, type)                                                                \
  {Format::Mubuf,                                                                                                      \
   number,                                                                                                             \
   generations,                                                                                                        \
   "buffer_" #name,                                                                                                    \
   sizeof(type) / 2,                                                                                                   \
   {Address, sizeof(type) / 2, Descriptor},                                                                            \
   atomic<A, type, true, nullptr>},
#define LOAD_FORMAT(number, generations, name, components, form)                                                       \
  {TheFormat,                                                                                                          \
   number,                                                                                                             \
   generations,                                                                                                        \
   #name,                                                                                                              \
   registerCount(components, InRegisters::form),                                                                       \
   {Address, 0, Descriptor},                                                                                           \
   loadFormatOrLds<components, InRegisters::form>},
#define STORE_FORMAT(number, generations, name, components, form)                                                      \
  {TheFormat,                                                                                                          \
   number,                                                                                                             \
   generations,                                                                                                        \
   #name,                                                                                                              \
   0,                                                                                                                  \
   {Address, registerCount(components, InRegisters::form), Descriptor},                                                \
   storeFormat<components, InRegisters::form>},
#define OTHER(number, generations, name, function)                                                                     \
  {Format::Mubuf, number, generations, #name, 0, {0, 0, Descriptor}, function},

constexpr Opcode Rows[] = {
#include "tools/proof/emulator/isa/opcodes/vmem.def"
#define TheFormat Format::Mubuf
#include "tools/proof/emulator/isa/opcodes/mubuf.def"
#undef TheFormat
#define TheFormat Format::Mtbuf
#include "tools/proof/emulator/isa/opcodes/mtbuf.def"
#undef TheFormat
};

} // namespace

std::span<const Opcode> bufferOpcodes() {
  return Rows;
}

} // namespace dovetail::emulator
