// SPDX-License-Identifier: MIT
//
// Finds the bytes of each lane of a MUBUF or MTBUF instruction: the address calculation and the range check of buffer
// resources ("Vega" ISA manual, section 8.1.5; swizzling: CLRadeonExtender, doc/GcnMemHandling.md; what NUM_RECORDS
// counts on which generation: Mesa, si_make_buffer_descriptor in si_state.c).
//
// If the range check refuses an access, a load gives 0 and a store does nothing, as on the hardware. Robust buffer
// access relies on this, so it is no trap. If an access passes the check but hits no mapped bytes, the descriptor or
// the address is wrong, and it traps. Addresses may have any alignment (SH_MEM_CONFIG.ALIGNMENT_MODE unaligned, which
// the amdgpu kernel driver sets), except those of atomics.
#pragma once

#include "tools/proof/emulator/access/vector_memory.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"

namespace dovetail::emulator {

class BufferAccess {
public:
  // Reads the descriptor, offset and address registers of an instruction.
  BufferAccess(Wave &wave, const Instruction &instruction);

  const BufferDescriptor &descriptor() const { return m_descriptor; }

  // `size` bytes, `offset` bytes behind the lane's place. nullptr: out of range, or trapped.
  uint8_t *at(unsigned lane, unsigned offset, unsigned size, bool forWriting) {
    const uint64_t inBuffer = placeOf(lane, offset, size);
    if (inBuffer == OutOfRange || m_wave.trapped())
      return nullptr;
    m_address = m_descriptor.base + m_scalarOffset + inBuffer;
    return m_wave.global(m_address, size, forWriting).data();
  }
  // at() for all lanes that are on.
  LanePlaces places(unsigned offset, unsigned size, bool forWriting);

  uint64_t addressOfLast() const { return m_address; } // of the last at() that was in range

  bool isScratch() const { return m_descriptor.swizzleEnable && m_descriptor.addTidEnable; }
  static unsigned resultRegister(const Instruction &instruction) { return instruction.vdata; }
  void issue(std::initializer_list<Wave::InFlight> registers) { m_wave.issue(Counter::Vm, registers); }
  void issueStore() { m_wave.issueStore(); }

private:
  static constexpr uint64_t OutOfRange = ~uint64_t(0);

  // The offset in the buffer.
  uint64_t placeOf(unsigned lane, unsigned offset, unsigned size) {
    const uint32_t index = m_indices[lane];
    uint64_t inRecord = uint64_t(uint32_t(m_instruction.offset)) + m_offsets[lane];
    if (m_offsetsWrap)
      inRecord = uint32_t(inRecord);
    inRecord += offset;
    const uint64_t inBuffer = m_descriptor.swizzleEnable ? swizzle(index, inRecord, offset, size)
                                                         : uint64_t(index) * m_descriptor.stride + inRecord;
    const bool inRange = m_isStructured
                             ? index < m_records && (!m_checksOffset || inRecord + size <= m_descriptor.stride)
                             : inBuffer + m_scalarOffset + size <= m_records;
    return inRange ? inBuffer : OutOfRange;
  }
  // places() if the places are equally spaced and lie in one region; otherwise returns false.
  bool placeEvenly(unsigned offset, unsigned size, bool forWriting, LanePlaces &places);
  unsigned elementShift() const { return m_wave.facts().hasOneElementSize ? 2 : 1 + m_descriptor.elementSize; }
  unsigned indexShift() const { return 3 + m_descriptor.indexStride; }
  // Bytes of the instruction that lie in one element with those at `offset`, in front of them.
  unsigned bytesInFront(unsigned offset) const { return m_wave.facts().hasOneElementSize ? 0 : offset; }
  void setRangeCheck();
  // `offset`: of these bytes behind the lane's place.
  uint64_t swizzle(uint32_t index, uint64_t inRecord, unsigned offset, unsigned size);

  Wave &m_wave;
  const Instruction &m_instruction;
  BufferDescriptor m_descriptor;
  uint32_t m_scalarOffset = 0;
  // The range check: whether it compares the index with the number of records, and then also the offset with the
  // stride, or the last byte with the number of bytes.
  bool m_isStructured = false, m_checksOffset = false;
  uint64_t m_records = 0;
  bool m_offsetsWrap = false; // the sum of the VGPR's and the instruction's offset wraps at 32 bits
  uint64_t m_address = 0;
  Lanes m_indices, m_offsets; // m_offsets: without the instruction's offset
};

} // namespace dovetail::emulator
