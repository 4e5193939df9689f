// SPDX-License-Identifier: MIT
//
// Whoever makes a part needs its instructions as plain data: which registers they use, and how its ends meet other
// parts. LLVM takes thousands of its own instructions to decode one of 64 bits, more than to encode ten. So this class
// describes the instructions of an object file when LLVM encodes them. It stands in front of LLVM's encoder.
//
// It knows what bytes do not tell: how many registers an image's address has, whether an image's atomic returns a
// value, and that DS instructions of GFX9 do not read M0.
#pragma once

#include "src/isa/instruction.h"
#include "src/mc/instruction_describer.h"
#include <llvm/ADT/ArrayRef.h>
#include <memory>
#include <vector>

namespace llvm {
class AsmPrinter;
class MCInst;
class MCInstPrinter;
class raw_pwrite_stream;
class TargetMachine;
} // namespace llvm

namespace lgc {

class RecordedInstructions {
public:
  // The TargetMachine must outlive this object.
  explicit RecordedInstructions(llvm::TargetMachine &machine);
  ~RecordedInstructions();

  // Gives the pass that prints object files a streamer that records. It writes into the stream, as the pass's own did.
  // Both the stream and this object must outlive the pass.
  void record(llvm::AsmPrinter &printer, llvm::raw_pwrite_stream &stream);

  // Forgets what was recorded.
  void clear();
  // The instructions since clear(), in the order of the code, without what mc::readControl() adds. None if one of them
  // cannot be described.
  std::vector<dovetail::isa::Instruction> take();

private:
  class Emitter;
  void add(const llvm::MCInst &inst, llvm::ArrayRef<char> bytes);

  llvm::TargetMachine &m_machine;
  const std::unique_ptr<llvm::MCInstPrinter> m_names;
  dovetail::mc::InstructionDescriber m_describer;
  std::vector<dovetail::isa::Instruction> m_instructions;
  uint32_t m_offset = 0; // of the next one
  bool m_isComplete = true;
};

} // namespace lgc
