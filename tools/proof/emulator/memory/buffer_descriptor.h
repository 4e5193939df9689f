// SPDX-License-Identifier: MIT
//
// V#: the 128-bit buffer resource descriptor ("Vega" ISA manual, section 8.1.8, "RDNA 2", section 8.1.5; the fields
// were compared with SQ_BUF_RSRC_WORD0 to 3 of AMD's register headers, Mesa's gfx8.json, gfx9.json and gfx103.json).
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <array>
#include <cstdint>

namespace dovetail::emulator {

struct BufferDescriptor {
  uint64_t base = 0;
  uint32_t stride = 0; // bytes: 14 bits, or 18 for untyped accesses with addTidEnable
  bool cacheSwizzle = false, swizzleEnable = false;
  uint32_t numRecords = 0; // elements of `stride` bytes, or bytes if the stride is 0: see buffer_access.h
  std::array<uint8_t, 4> dstSel = {4, 5, 6, 7}; // 0: zero, 1: one, 4..7: x..w
  // BUF_NUM_FORMAT, BUF_DATA_FORMAT; see decodeBufferDescriptor(). GFX10 has one number for both.
  uint8_t numFormat = 0, dataFormat = 0;
  uint8_t elementSize = 0;   // bytes swizzled together: 2 << elementSize; GFX9: always 4
  uint8_t indexStride = 0;   // indices swizzled together: 8 << indexStride
  bool addTidEnable = false; // the lane's number is added to the index
  uint8_t type = 0;          // 0: a buffer
  uint8_t rangeCheck = 0;    // GFX10: a RangeCheck
};

// OOB_SELECT: the accesses that are in range.
enum class RangeCheck : uint8_t {
  RecordAndOffset, // of an index below the number of records, within the record
  Record,          // of an index below the number of records
  Any,             // all, if there are records
  Bytes,           // that end within so many bytes as there are records
};

std::array<uint32_t, 4> encode(const BufferDescriptor &descriptor, Generation generation = Generation::Gfx9);

// The kinds of instructions that read a descriptor: MTBUF has formats of its own, MUBUF does not. "If MUBUF &&
// ADD_TID_ENABLE, DATA_FORMAT means STRIDE[14:17] on gfx8-9" (Mesa, si_shader_llvm_gs.c, si_preload_gs_rings).
enum class BufferReader : uint8_t { Untyped, Typed };

BufferDescriptor decodeBufferDescriptor(const std::array<uint32_t, 4> &words,
                                        BufferReader reader = BufferReader::Untyped,
                                        Generation generation = Generation::Gfx9);

} // namespace dovetail::emulator
