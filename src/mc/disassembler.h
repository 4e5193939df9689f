// SPDX-License-Identifier: MIT
//
// Decodes code into plain data. LLVM's MC layer decodes and names the registers; the class of an instruction comes from
// its encoding, which does not change with LLVM's version. No LLVM type is visible here, so rooms that know no compiler
// can look at code.
#pragma once

#include "src/base/error.h"
#include "src/isa/instruction.h"
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::mc {

// Decodes for one GPU. create() is expensive, because it sets up LLVM's tables; most callers want forGpu(), which lends
// an object. One thread at a time may use an object.
class Disassembler {
public:
  // Exclusive use of a disassembler; the destructor gives it back.
  class Lease {
  public:
    explicit Lease(std::unique_ptr<Disassembler> disassembler);
    Lease(Lease &&) noexcept;
    Lease &operator=(Lease &&) = delete;
    ~Lease();

    Disassembler &operator*() const { return *m_disassembler; }
    Disassembler *operator->() const { return m_disassembler.get(); }

  private:
    std::unique_ptr<Disassembler> m_disassembler;
  };

  // Errors: UnknownGpu.
  static Result<std::unique_ptr<Disassembler>> create(std::string_view gpuName);
  // Lends an idle disassembler, or makes a new one. (The objects do not belong to threads: a thread that owned objects
  // of a library would keep the library from being unloaded.) Thread-safe. Errors: UnknownGpu.
  static Result<Lease> forGpu(std::string_view gpuName);
  // Frees the idle ones. Thread-safe.
  static void dropIdle();

  virtual ~Disassembler() = default;

  virtual std::string_view gpuName() const = 0;

  // Errors: InvalidInput if the bytes at the offset are not an instruction of this GPU, or are cut short.
  virtual Result<isa::Instruction> decode(std::span<const uint8_t> text, uint32_t offset) = 0;
  // All instructions from the start to the end. Errors: as decode(), for the first that fails.
  Result<std::vector<isa::Instruction>> decodeAll(std::span<const uint8_t> text);
  // One instruction as assembly text, "v_mov_b32_e32 v0, s3".
  virtual Result<std::string> print(std::span<const uint8_t> text, uint32_t offset) = 0;
};

} // namespace dovetail::mc
