// SPDX-License-Identifier: MIT
//
// Assembly runs with buffers: memory from lists of values, descriptors in SGPRs, and values read back.
#pragma once

#include "tests/emulator/isa/run_assembly.h"
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include <cstring>
#include <vector>

namespace dovetail::emulator::test {

constexpr uint8_t AnyDataFormat = 4, AnyNumFormat = 4; // 32, UINT; untyped accesses need any valid format

class MemoryRun : public AssemblyRun {
public:
  using AssemblyRun::AssemblyRun;

  template <typename T> uint64_t map(const std::vector<T> &values, bool writable = true) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return gpu.memory().map("data", bytes, 256, writable);
  }

  template <typename T> T read(uint64_t address, unsigned index = 0) {
    T value = {};
    std::span<uint8_t> bytes = gpu.memory().at(address + index * sizeof(T), sizeof(T));
    if (bytes.size() == sizeof(T))
      std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }

  void setSgpr(unsigned number, uint32_t value) {
    if (setup.sgprs.size() <= number)
      setup.sgprs.resize(number + 1);
    setup.sgprs[number] = value;
  }
  void setPair(unsigned number, uint64_t value) {
    setSgpr(number, uint32_t(value));
    setSgpr(number + 1, uint32_t(value >> 32));
  }
  void bind(unsigned firstSgpr, const BufferDescriptor &descriptor) {
    std::array<uint32_t, 4> words = encode(descriptor, gpu.generation());
    for (unsigned i = 0; i != 4; ++i)
      setSgpr(firstSgpr + i, words[i]);
  }
  // A buffer without a stride, of `bytes` bytes.
  void bindRaw(unsigned firstSgpr, uint64_t address, uint32_t bytes) {
    BufferDescriptor descriptor;
    descriptor.base = address;
    descriptor.numRecords = bytes;
    descriptor.dataFormat = AnyDataFormat;
    descriptor.numFormat = AnyNumFormat;
    descriptor.rangeCheck = uint8_t(RangeCheck::Bytes);
    bind(firstSgpr, descriptor);
  }
};

} // namespace dovetail::emulator::test
