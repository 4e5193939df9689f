// SPDX-License-Identifier: MIT
//
// GFX10 has one number for the format of a texel in memory, which GFX8 and GFX9 give as a data format and a number
// format. Each data format has a run of numbers for the number formats that it allows, from BUF_FMT_8_UNORM = 1 on.
// Source: "RDNA 2" ISA manual, section 8.1 (buffer formats); compared with LLVM's names (decode_test.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace dovetail::emulator {

// BUF_DATA_FORMAT and BUF_NUM_FORMAT.
struct BufferFormat {
  uint8_t data = 0, number = 0; // data 0: no such format
};

namespace buffer_formats {

constexpr uint8_t Unorm = 0, Uint = 4, Sint = 5, Float = 7;

struct Run {
  uint8_t first, data, firstNumber, count;
};
// Six formats from UNORM to SINT, seven with FLOAT, or UINT, SINT and FLOAT.
constexpr Run Runs[] = {{1, 1, Unorm, 6},  {7, 2, Unorm, 7},   {14, 3, Unorm, 6}, {20, 4, Uint, 3},  {23, 5, Unorm, 7},
                        {30, 6, Unorm, 7}, {37, 7, Unorm, 7},  {44, 8, Unorm, 6}, {50, 9, Unorm, 6}, {56, 10, Unorm, 6},
                        {62, 11, Uint, 3}, {65, 12, Unorm, 7}, {72, 13, Uint, 3}, {75, 14, Uint, 3}};

} // namespace buffer_formats

constexpr BufferFormat splitBufferFormat(unsigned unified) {
  for (const buffer_formats::Run &run : buffer_formats::Runs) {
    if (unified < run.first || unified >= unsigned(run.first) + run.count)
      continue;
    const unsigned number = run.firstNumber + unified - run.first;
    return {run.data, uint8_t(number > buffer_formats::Sint ? buffer_formats::Float : number)};
  }
  return {};
}

// 0: there is no such format.
constexpr unsigned unifiedBufferFormat(BufferFormat format) {
  for (unsigned unified = 1; unified < 128; ++unified) {
    const BufferFormat split = splitBufferFormat(unified);
    if (split.data == format.data && split.number == format.number && format.data != 0)
      return unified;
  }
  return 0;
}

} // namespace dovetail::emulator
