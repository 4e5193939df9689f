// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/access/buffer_access.h"
#include "tools/proof/emulator/numerics/host_vectors.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

// NUM_RECORDS counts records of STRIDE bytes for structured accesses, otherwise bytes. On GFX9, an access is structured
// if the instruction or the lane gives an index. Source: radeonsi's descriptor of the GSVS ring has only the lane as
// index, and 64 records, on all generations (si_preload_gs_rings).
bool isStructured(const GenerationFacts &facts, const BufferDescriptor &descriptor, const Instruction &instruction) {
  if (descriptor.stride == 0)
    return false;
  return facts.countsRecordsByIndex ? instruction.idxen || descriptor.addTidEnable : descriptor.swizzleEnable;
}

// LLVM moves a summand from the VGPR to the instruction's offset, even if the sum may wrap around (splitBufferOffsets):
// a loop that counts down from 496 becomes one from 0 to negative numbers. Mesa's ACO does the same, but knows that
// swizzled accesses before GFX9 do not wrap (vaddr_prevent_overflow in aco_optimizer.cpp).
bool doOffsetsWrap(const GenerationFacts &facts, const BufferDescriptor &descriptor) {
  return facts.countsRecordsByIndex || !descriptor.swizzleEnable;
}

} // namespace

BufferAccess::BufferAccess(Wave &wave, const Instruction &instruction) : m_wave(wave), m_instruction(instruction) {
  // With no lane on, the instruction uses no descriptor: a shader may run over it after all lanes have left.
  std::array<uint32_t, 4> words = {};
  for (unsigned i = 0; i != 4 && wave.exec() != 0; ++i)
    words[i] = wave.readSgpr(instruction.srsrc + i);
  m_descriptor = decodeBufferDescriptor(
      words, instruction.format == Format::Mtbuf ? BufferReader::Typed : BufferReader::Untyped, wave.generation());
  m_scalarOffset = wave.scalar(instruction, instruction.soffset);
  if (instruction.idxen)
    m_indices = wave.readVgpr(instruction.vaddr);
  else
    m_indices.fill(0);
  for (unsigned lane = 0; m_descriptor.addTidEnable && lane != WaveSize; ++lane)
    m_indices[lane] += lane;
  if (instruction.offen)
    m_offsets = wave.readVgpr(instruction.vaddr + instruction.idxen);
  else
    m_offsets.fill(0);
  setRangeCheck();
  m_offsetsWrap = doOffsetsWrap(wave.facts(), m_descriptor);
  if (m_descriptor.type != 0)
    wave.trap(TrapKind::BadDescriptor, "s[{}:{}] describes no buffer: type {}", instruction.srsrc,
              instruction.srsrc + 3, m_descriptor.type);
  // The hardware treats such a buffer as not bound. Drivers say "not bound" with zero records.
  else if (m_descriptor.dataFormat == 0 && !m_descriptor.addTidEnable && m_descriptor.numRecords != 0)
    wave.trap(TrapKind::BadDescriptor, "the data format of s[{}:{}] is invalid", instruction.srsrc,
              instruction.srsrc + 3);
}

// GFX10: OOB_SELECT ("RDNA 2" ISA manual, section 8.1.5; docs/hardware-facts.md).
void BufferAccess::setRangeCheck() {
  m_records = m_descriptor.numRecords;
  if (!m_wave.facts().hasUnifiedFormats) {
    m_isStructured = isStructured(m_wave.facts(), m_descriptor, m_instruction);
    m_checksOffset = m_descriptor.swizzleEnable;
    return;
  }
  const auto check = RangeCheck(m_descriptor.rangeCheck);
  m_isStructured = check != RangeCheck::Bytes;
  m_checksOffset = check == RangeCheck::RecordAndOffset;
  if (check == RangeCheck::Any && m_records != 0)
    m_records = ~uint64_t(0);
}

// For consecutive indices, elements with the same offset are adjacent. GFX9 swizzles each dword of an instruction. GFX8
// has one address for all of them, so they must be in one element: there, ACO accesses swizzled buffers by dwords, and
// on GFX9 by up to four (swizzle_element_size in visit_load_buffer, and likewise visit_store_buffer, of Mesa's
// instruction selection; LLVM: FeatureMaxPrivateElementSize4 in AMDGPU.td).
uint64_t BufferAccess::swizzle(uint32_t index, uint64_t inRecord, unsigned offset, unsigned size) {
  const unsigned elementBytes = 1u << elementShift(), before = bytesInFront(offset);
  if (((inRecord - before) & (elementBytes - 1)) + before + size > elementBytes)
    m_wave.trap(TrapKind::Unsupported, "{} bytes at offset {} of a buffer that is swizzled by elements of {}",
                before + size, inRecord - before, elementBytes);
  const uint64_t inElement = inRecord & (elementBytes - 1);
  return ((uint64_t(index >> indexShift()) * m_descriptor.stride + inRecord - inElement) << indexShift()) +
         (uint64_t(index & ((1u << indexShift()) - 1)) << elementShift()) + inElement;
}

// Without an address in VGPRs, the lanes' places are equally spaced.
bool BufferAccess::placeEvenly(unsigned offset, unsigned size, bool forWriting, LanePlaces &places) {
  const bool isOneBlock = !m_descriptor.swizzleEnable || 1u << indexShift() >= WaveSize;
  if (m_instruction.idxen || m_instruction.offen || !isOneBlock || m_wave.exec() == 0 || m_wave.trapped())
    return false;
  const uint64_t first = placeOf(0, offset, size), last = placeOf(WaveSize - 1, offset, size);
  if (first == OutOfRange || last == OutOfRange)
    return false;
  const std::span<uint8_t> bytes =
      m_wave.memory().at(m_descriptor.base + m_scalarOffset + first, last - first + size, forWriting);
  for (unsigned lane = 0; lane != WaveSize && !bytes.empty(); ++lane)
    places[lane] = bytes.data() + (last - first) / (WaveSize - 1) * lane;
  return !bytes.empty();
}

// Handles all lanes in one loop, if they reach only one region, and no access crosses its swizzled element. Otherwise
// at() reports the error.
LanePlaces BufferAccess::places(unsigned offset, unsigned size, bool forWriting) {
  LanePlaces result = {};
  if (placeEvenly(offset, size, forWriting, result))
    return result;
  std::array<uint64_t, WaveSize> places;
  const bool isSwizzled = m_descriptor.swizzleEnable, isStructured = m_isStructured, checksOffset = m_checksOffset;
  const uint64_t wrapMask = m_offsetsWrap ? uint32_t(-1) : OutOfRange, stride = m_descriptor.stride,
                 records = m_records, scalarOffset = m_scalarOffset, fixedOffset = uint32_t(m_instruction.offset);
  const unsigned elementShift = this->elementShift(), indexShift = this->indexShift();
  const uint64_t elementMask = (1u << elementShift) - 1, indexMask = (1u << indexShift) - 1;
  const unsigned before = bytesInFront(offset);
  uint64_t leavesElement = 0;
  auto locate = [&](auto placeInBuffer) {
    for (unsigned lane = 0; lane != WaveSize; ++lane) {
      const uint64_t index = m_indices[lane], inRecord = ((fixedOffset + m_offsets[lane]) & wrapMask) + offset;
      const uint64_t inBuffer = placeInBuffer(index, inRecord);
      const bool inRecords = (index < records) & (!checksOffset | (inRecord + size <= stride));
      const bool inBytes = inBuffer + scalarOffset + size <= records;
      places[lane] = (isStructured & inRecords) | (!isStructured & inBytes) ? inBuffer : OutOfRange;
    }
  };
  withHostVectors([&] {
    if (isSwizzled)
      locate([&](uint64_t index, uint64_t inRecord) {
        const uint64_t inElement = inRecord & elementMask;
        leavesElement |= ((inRecord - before) & elementMask) + before + size > elementMask + 1 ? 1 : 0;
        return (((index >> indexShift) * stride + inRecord - inElement) << indexShift) +
               ((index & indexMask) << elementShift) + inElement;
      });
    else
      locate([&](uint64_t index, uint64_t inRecord) { return index * stride + inRecord; });
  });

  uint64_t first = OutOfRange, last = 0;
  forEachLaneOn(m_wave, [&](unsigned lane) {
    if (places[lane] != OutOfRange) {
      first = std::min(first, places[lane]);
      last = std::max(last, places[lane]);
    }
  });
  if (m_wave.trapped() || first == OutOfRange)
    return result;
  std::span<uint8_t> bytes;
  if (leavesElement == 0)
    bytes = m_wave.memory().at(m_descriptor.base + m_scalarOffset + first, last - first + size, forWriting);
  forEachLaneOn(m_wave, [&](unsigned lane) {
    if (bytes.empty())
      result[lane] = at(lane, offset, size, forWriting);
    else if (places[lane] != OutOfRange)
      result[lane] = &bytes[places[lane] - first];
  });
  return result;
}

} // namespace dovetail::emulator
