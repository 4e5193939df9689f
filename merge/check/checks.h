// SPDX-License-Identifier: MIT
//
// The checks of check_image, in running order. They share a decoded view of each hardware shader and nothing with the
// code that joins: hardware facts (which registers are loaded at entry, which hazards need wait states) are restated
// here on purpose, from the ISA manual and the register reference, so that a wrong table on the other side is found.
#pragma once

#include "merge/image.h"
#include "src/mc/disassembler.h"
#include <fmt/format.h>
#include <string>
#include <vector>

namespace dovetail::check {

// One hardware shader, decoded. Instruction indices are positions in `instructions`.
struct StageText {
  const Image *image = nullptr;
  const ImageStage *stage = nullptr;
  std::vector<mc::Instruction> instructions; // offsets count from the start of the image
  std::vector<std::vector<uint32_t>> successors;
  std::vector<bool> reachable;

  std::span<const ImagePart> parts() const { return {&image->parts[stage->firstPart], stage->partCount}; }
  // The part that an offset lies in; its s_nops in front belong to it.
  const ImagePart &partAt(uint32_t offset) const;
};

class Defects {
public:
  template <typename... Args>
  void add(const StageText &text, uint32_t offset, fmt::format_string<Args...> format, Args &&...args) {
    m_texts.push_back(place(text, offset) + fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args> void addGlobal(fmt::format_string<Args...> format, Args &&...args) {
    m_texts.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  bool empty() const { return m_texts.empty(); }
  std::vector<std::string> take() { return std::move(m_texts); }

private:
  // "vs.vertex_prolog+0x1c (0x11c): "
  static std::string place(const StageText &text, uint32_t offset);
  std::vector<std::string> m_texts;
};

// The registers that hold something when a hardware shader starts, as the programmed registers make the hardware load
// them.
struct EntryState {
  std::vector<bool> sgprs; // by index
  std::vector<bool> vgprs;
  std::vector<Binding> values; // what is known of their meaning
};

// Parts tile their stage: aligned entry, only s_nops between them, nothing behind the last.
void checkLayout(const Image &image, Defects &defects);
// Decodes the whole text of a stage and finds its control flow: every reachable instruction decodes, no branch leaves
// its part except to the part's end, every path ends in s_endpgm. False if the stage cannot be looked at further.
bool decodeStage(const Image &image, const ImageStage &stage, StageText &text, Defects &defects);
// What the programmed registers load, and the rules that they must keep.
EntryState entryState(const StageText &text, Defects &defects);
// Exports: one done (and valid mask in a pixel shader) on every path, nothing behind it.
void checkExports(const StageText &text, Defects &defects);
// No register is read that neither the hardware nor an earlier instruction wrote.
void checkInitialisedRegisters(const StageText &text, const EntryState &entry, Defects &defects);
// Whatever a part's contract names is in its register when the part starts, and what it says it preserves is never
// written.
void checkContractValues(const StageText &text, const EntryState &entry, Defects &defects);
// Wait states between hazardous pairs, within parts and across their borders.
void checkWaitStates(const StageText &text, Defects &defects);
// PC-relative addresses point into the constants of the part that computes them.
void checkConstantAddresses(const StageText &text, Defects &defects);
// The programmed limits cover the registers, scratch and LDS that the code uses.
void checkLimits(const StageText &text, Defects &defects);

} // namespace dovetail::check
