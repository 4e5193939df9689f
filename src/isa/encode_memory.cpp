// SPDX-License-Identifier: MIT
//
// DS, MUBUF, MTBUF, MIMG, FLAT and EXP: "Vega" ISA manual, sections 13.5 to 13.9.
#include "src/isa/encoder_parts.h"
#include <bit>

namespace dovetail::isa {

namespace {

uint32_t fieldOf(const std::optional<Operand> &vgpr) {
  return vgpr ? vgpr->vgprField() : 0;
}

uint32_t bit(bool value, unsigned index) {
  return uint32_t(value) << index;
}

} // namespace

// OFFSET [11:0], OFFEN [12], IDXEN [13], GLC [14]. MUBUF: SLC [17], opcode [24:18]. MTBUF: opcode [18:15], DFMT
// [22:19], NFMT [25:23], SLC [54]. Both: VADDR [39:32], VDATA [47:40], SRSRC [52:48] in fours of SGPRs, SOFFSET
// [63:56].
void Encoder::buffer(Opcode opcode, const BufferOperation &operation) {
  using namespace traits;
  const OpcodeRow &row = rowOf(opcode);
  const bool isTyped = row.encoding == Encoding::Mtbuf;
  const uint32_t number = row.numberOn(m_isGfx9);
  assert((isTyped || row.encoding == Encoding::Mubuf) && operation.offset < 4096);
  assert(operation.dataFormat < 16 && operation.numFormat < 8);
  uint32_t word = operation.offset | bit(operation.offen, 12) | bit(operation.idxen, 13) | bit(operation.glc, 14);
  word |= isTyped ? 0xe8000000 | number << 15 | operation.dataFormat << 19 | operation.numFormat << 23
                  : 0xe0000000 | number << 18 | bit(operation.slc, 17);
  Instruction &instruction = append(row, word);
  if (!row.is(Loads | Stores)) {
    addImplicit(row.traits, instruction);
    appendWord(instruction, 0);
    return;
  }
  const unsigned addressDwords = unsigned(operation.offen) + unsigned(operation.idxen);
  assert(operation.data && operation.address.has_value() == (addressDwords != 0));
  assert(operation.descriptor.code % 4 == 0 && !operation.scalarOffset.isLiteral());
  unsigned dwords = row.is(Stores) ? row.sourceDwords[0] : row.destinationDwords;
  if (row.is(PackedHalves) && m_packsHalves)
    dwords = (dwords + 1) / 2;
  const bool isAtomic = row.is(Loads) && row.is(Stores), writes = !row.is(Stores) || (isAtomic && operation.glc);
  if (writes)
    addWrite(instruction, *operation.data, dwords);
  if (row.is(Stores))
    addRead(instruction, *operation.data, dwords, writes);
  if (addressDwords)
    addRead(instruction, *operation.address, addressDwords);
  addRead(instruction, operation.descriptor, 4);
  addRead(instruction, operation.scalarOffset, 1);
  if (row.is(Accumulates))
    addRead(instruction, *operation.data, dwords, true);
  addImplicit(row.traits, instruction);
  appendWord(instruction, uint32_t(operation.scalarOffset.code) << 24 | bit(isTyped && operation.slc, 22) |
                              (operation.descriptor.code / 4u) << 16 | fieldOf(operation.data) << 8 |
                              fieldOf(addressDwords ? operation.address : std::nullopt));
}

void Encoder::load(const TypedLoad &load) {
  assert(load.channels >= 1 && load.channels <= 4);
  buffer(Opcode(unsigned(Opcode::TbufferLoadFormatX) + load.channels - 1), {.data = load.destination,
                                                                            .address = load.index,
                                                                            .descriptor = load.descriptor,
                                                                            .scalarOffset = load.scalarOffset,
                                                                            .offset = load.offset,
                                                                            .idxen = true,
                                                                            .dataFormat = load.dataFormat,
                                                                            .numFormat = load.numFormat});
}

void Encoder::access(Opcode opcode, const BufferAccess &access) {
  assert(access.channels >= 1 && access.channels <= 4);
  assert(opcode == Opcode::BufferLoadDword || opcode == Opcode::BufferStoreDword);
  buffer(Opcode(unsigned(opcode) + access.channels - 1), {.data = access.data,
                                                          .address = access.address,
                                                          .descriptor = access.descriptor,
                                                          .scalarOffset = access.scalarOffset,
                                                          .offset = access.offset,
                                                          .offen = access.address.has_value(),
                                                          .glc = access.isCoherent});
}

// DMASK [11:8], UNORM [12], GLC [13], DA [14], TFE [16], LWE [17], opcode [24:18], SLC [25], VADDR [39:32], VDATA
// [47:40], SRSRC [52:48] and SSAMP [57:53] in fours of SGPRs, D16 [63].
void Encoder::image(Opcode opcode, const ImageOperation &operation) {
  using namespace traits;
  const OpcodeRow &row = rowOf(opcode);
  assert(row.encoding == Encoding::Mimg && operation.data && operation.sampler.has_value() == row.is(Samples));
  assert(!row.is(Gathers) || std::has_single_bit(operation.dmask));
  assert(operation.dmask < 16 && operation.resource.code % 4 == 0 &&
         (!operation.sampler || operation.sampler->code % 4 == 0));
  Instruction &instruction =
      append(row, 0xf0000000 | operation.dmask << 8 | bit(operation.unnormalized, 12) | bit(operation.glc, 13) |
                      bit(operation.array, 14) | bit(operation.tfe, 16) | bit(operation.lwe, 17) |
                      row.numberOn(m_isGfx9) << 18 | bit(operation.slc, 25));
  // LLVM: AMDGPUDisassembler::convertMIMGInst.
  unsigned dwords = row.is(Gathers) ? 4 : std::max(std::popcount(operation.dmask), 1);
  if (operation.d16 && m_packsHalves)
    dwords = (dwords + 1) / 2;
  dwords += operation.tfe;
  const bool isAtomic = row.is(Loads) && row.is(Stores), isStore = row.is(Stores) && !isAtomic;
  // LLVM lists the data of an atomic as written even without GLC.
  if (!isStore)
    addWrite(instruction, *operation.data, dwords);
  if (row.is(Stores))
    addRead(instruction, *operation.data, dwords, isAtomic);
  addRead(instruction, operation.address, operation.addressDwords);
  addRead(instruction, operation.resource, 8);
  if (operation.sampler)
    addRead(instruction, *operation.sampler, 4);
  addImplicit(row.traits, instruction);
  appendWord(instruction, bit(operation.d16, 31) | (operation.sampler ? operation.sampler->code / 4u : 0) << 21 |
                              (operation.resource.code / 4u) << 16 | fieldOf(operation.data) << 8 |
                              operation.address.vgprField());
}

// OFFSET0 [7:0], OFFSET1 [15:8], GDS [16], opcode [24:17], ADDR [39:32], DATA0 [47:40], DATA1 [55:48], VDST [63:56].
// GFX8 compares addresses with M0; LLVM lists M0 as a source on GFX9, too.
void Encoder::ds(Opcode opcode, const LdsOperation &operation) {
  const OpcodeRow &row = rowOf(opcode);
  assert(row.encoding == Encoding::Ds && operation.offset < 1u << 16);
  assert(operation.destination.has_value() == (row.destinationDwords != 0));
  assert(operation.address.has_value() == (row.sourceCount > 0) &&
         operation.data0.has_value() == (row.sourceCount > 1) && operation.data1.has_value() == (row.sourceCount > 2));
  Instruction &instruction =
      append(row, 0xd8000000 | row.numberOn(m_isGfx9) << 17 | bit(operation.gds, 16) | operation.offset);
  if (operation.gds)
    instruction.flags |= Gds;
  if (operation.destination)
    addWrite(instruction, *operation.destination, row.destinationDwords);
  if (operation.address)
    addRead(instruction, *operation.address, row.sourceDwords[0]);
  if (operation.data0)
    addRead(instruction, *operation.data0, row.sourceDwords[1]);
  if (operation.data1)
    addRead(instruction, *operation.data1, row.sourceDwords[2]);
  if (row.is(traits::Accumulates))
    addRead(instruction, *operation.destination, row.destinationDwords, true);
  addImplicit(row.traits, instruction);
  appendWord(instruction, fieldOf(operation.destination) << 24 | fieldOf(operation.data1) << 16 |
                              fieldOf(operation.data0) << 8 | fieldOf(operation.address));
}

// A single offset counts bytes, two offsets count dwords.
void Encoder::readLds(Operand destination, Operand address, std::span<const uint8_t> dwords) {
  assert(dwords.size() == 1 || dwords.size() == 2);
  if (dwords.size() == 2)
    ds(Opcode::DsRead2B32,
       {.destination = destination, .address = address, .offset = dwords[0] | uint32_t(dwords[1]) << 8});
  else
    ds(Opcode::DsReadB32, {.destination = destination, .address = address, .offset = dwords[0] * 4u});
}

// OFFSET [12:0], SEG [15:14], GLC [16], SLC [17], opcode [24:18], ADDR [39:32], DATA [47:40], SADDR [54:48], VDST
// [63:56].
void Encoder::flat(Opcode opcode, const FlatOperation &operation) {
  using namespace traits;
  const OpcodeRow &row = rowOf(opcode);
  const bool hasSegment = row.is(Global | Scratch), isAtomic = row.is(Loads) && row.is(Stores);
  const bool returns = !row.is(Stores) || (isAtomic && operation.glc);
  const int lowest = hasSegment ? -4096 : 0;
  assert(row.encoding == Encoding::Flat && (m_isGfx9 || operation.offset == 0));
  assert(operation.offset >= lowest && operation.offset < 4096);
  assert(operation.destination.has_value() == returns && operation.data.has_value() == row.is(Stores));
  assert(row.is(Scratch) ? operation.address.has_value() != operation.scalarAddress.has_value()
                         : operation.address && (row.is(Global) || !operation.scalarAddress));
  const uint32_t segment = row.is(Global) ? 2 : row.is(Scratch) ? 1 : 0;
  Instruction &instruction =
      append(row, 0xdc000000 | (uint32_t(operation.offset) & 0x1fff) | segment << 14 | bit(operation.glc, 16) |
                      bit(operation.slc, 17) | row.numberOn(m_isGfx9) << 18);
  if (returns)
    addWrite(instruction, *operation.destination, row.destinationDwords);
  const auto addScalarAddress = [&] {
    if (operation.scalarAddress)
      addRead(instruction, *operation.scalarAddress, row.is(Global) ? 2 : 1);
  };
  // LLVM lists the data of a store to scratch first, the scalar address of a load first, and that of others last.
  if (row.is(Scratch) && row.is(Stores))
    addRead(instruction, *operation.data, row.sourceDwords[0]);
  if (!row.is(Stores))
    addScalarAddress();
  if (operation.address)
    addRead(instruction, *operation.address, row.is(Scratch) || operation.scalarAddress ? 1 : 2);
  if (row.is(Stores) && !row.is(Scratch))
    addRead(instruction, *operation.data, row.sourceDwords[0]);
  if (row.is(Stores))
    addScalarAddress();
  addImplicit(row.traits, instruction);
  constexpr uint32_t Off = 0x7f;
  const uint32_t scalar = operation.scalarAddress ? operation.scalarAddress->code : hasSegment ? Off : 0;
  appendWord(instruction, fieldOf(operation.destination) << 24 | scalar << 16 | fieldOf(operation.data) << 8 |
                              fieldOf(operation.address));
}

// EN [3:0], TGT [9:4], COMPR [10], DONE [11], VM [12], VSRC0 to 3 from [39:32] on.
void Encoder::exportTo(const Export &exported) {
  const OpcodeRow &row = rowOf(Opcode::Exp);
  Instruction &instruction =
      append(row, 0xc4000000 | exported.enable | exported.target << 4 | bit(exported.compressed, 10) |
                      bit(exported.done, 11) | bit(exported.validMask, 12));
  instruction.exportTarget = uint8_t(exported.target);
  instruction.exportEnable = uint8_t(exported.enable);
  instruction.exportDone = exported.done;
  instruction.exportValidMask = exported.validMask;
  instruction.exportCompressed = exported.compressed;
  addImplicit(row.traits, instruction);
  uint32_t second = 0;
  for (unsigned i = 0; i < (exported.compressed ? 2u : 4u); ++i) {
    const unsigned mask = exported.compressed ? 3u << 2 * i : 1u << i;
    if (!(exported.enable & mask))
      continue;
    second |= exported.sources[i].vgprField() << 8 * i;
    addRead(instruction, exported.sources[i], 1);
  }
  appendWord(instruction, second);
}

} // namespace dovetail::isa
