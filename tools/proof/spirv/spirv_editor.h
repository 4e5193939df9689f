// SPDX-License-Identifier: MIT
//
// Rewrites SPIR-V modules. A rewriter looks at each instruction once, in the module's order, and emits what stands in
// its place. What the module must declare for that goes to the section where SPIR-V wants it. No code of the library is
// used, because some rewriters check the library.
#pragma once

#include "tools/proof/spirv/spirv_words.h"
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace dovetail {

// The words must be valid SPIR-V. Too few words for a header stay as they are.
class SpirvEditor {
public:
  using Words = std::vector<uint32_t>;

  struct Instruction {
    spv::Op opcode = spv::Op::OpNop;
    uint32_t type = 0, result = 0; // ids; 0: it has none
    Words operands;                // the words behind these

    // Whether the operand exists, and is this number or this value of an enumeration.
    template <typename T> bool is(size_t operand, T value) const {
      return operand < operands.size() && operands[operand] == static_cast<uint32_t>(value);
    }
    bool isAccessChain() const { return opcode == spv::Op::OpAccessChain || opcode == spv::Op::OpInBoundsAccessChain; }
  };

  // The sections of a module, in order. Model: the memory model, entry points, execution modes and names.
  enum class Section : uint8_t { Capability, Extension, Import, Model, Annotation, Global, Function };

  explicit SpirvEditor(std::span<const uint32_t> words);
  SpirvEditor(const SpirvEditor &) = delete;
  SpirvEditor &operator=(const SpirvEditor &) = delete;

  // ---- The module as it was read ----

  uint32_t version() const { return m_header[1]; } // 0x00010300 is 1.3
  const std::vector<Instruction> &instructions() const { return m_read; }
  bool hasResult(uint32_t id) const { return m_results.contains(id); }
  // The instruction that has this result, which must be one of the module's.
  const Instruction &definition(uint32_t id) const { return m_read[m_results.at(id)]; }
  // A result's type; 0: the result has none, or is not the module's.
  uint32_t typeOf(uint32_t id) const { return hasResult(id) ? definition(id).type : 0; }
  // The literal of an OpConstant, or its lower 32 bits.
  std::optional<uint32_t> valueOf(uint32_t id) const;
  // The type of a pointer's target, from the pointer's type.
  uint32_t pointee(uint32_t pointerType) const { return definition(pointerType).operands[1]; }
  // The OpTypeImage that a type is, or is a sampled image of; nullptr for other types.
  const Instruction *imageOf(uint32_t type) const;
  // The first literal of a decoration, also of a group's; 0 if the decoration has no literal.
  std::optional<uint32_t> decoration(uint32_t id, spv::Decoration kind) const;

  // ---- The module as it becomes ----

  // Calls `change` with each instruction, which disappears unless `change` emits it. Returns the new module. To be
  // called once.
  Words rewrite(const std::function<void(Instruction)> &change);

  uint32_t freshId() { return m_header[SpirvBoundWord]++; }
  bool isInFunctions() const { return m_section == Section::Function; }

  // Within rewrite(): writes an instruction here; in the second form, with a result of its own, which is returned.
  void emit(const Instruction &inst) { add(m_section, inst); }
  uint32_t emit(spv::Op opcode, uint32_t type, Words operands);

  // Writes an instruction at the end of a section; in the section that is being rewritten, at the place that is
  // reached.
  void add(Section section, const Instruction &inst);
  void decorate(uint32_t id, spv::Decoration kind, std::initializer_list<uint32_t> literals = {});

  // The id of a type that a module declares once (not of a pointer, an array or a structure). Finds the module's own,
  // or adds one.
  uint32_t declareType(spv::Op opcode, Words operands) { return declare(Section::Global, {opcode, 0, 0, operands}); }
  // The id of a constant that is added, the same id for the same constant.
  uint32_t declareConstant(uint32_t type, Words literals) {
    return declare(Section::Global, {spv::Op::OpConstant, type, 0, literals});
  }
  uint32_t declareFloat(float value);
  uint32_t declareNull(uint32_t type) { return declare(Section::Global, {spv::Op::OpConstantNull, type, 0, {}}); }
  void declareCapability(spv::Capability capability);
  void declareExtension(std::string_view name);
  // The id of a set of extended instructions.
  uint32_t declareImport(std::string_view name);

private:
  static constexpr size_t Sections = size_t(Section::Function) + 1;
  // What is declared once.
  using Declaration = std::tuple<spv::Op, uint32_t, Words>;

  uint32_t declare(Section section, Instruction inst);

  Words m_header;
  std::vector<Instruction> m_read;
  std::unordered_map<uint32_t, size_t> m_results; // places in m_read
  std::map<std::pair<uint32_t, spv::Decoration>, uint32_t> m_decorations;
  std::map<Declaration, uint32_t> m_declared;
  size_t m_next = 0;                       // in m_read, behind the present instruction
  Section m_section = Section::Capability; // of the present instruction
  std::set<uint32_t> m_early;              // types that are written in front of their old places
  std::array<Words, Sections> m_words;     // of each section, as far as it is rewritten
  std::array<Words, Sections> m_ends;      // what stands behind them
};

// A literal string: bytes packed into words, ended by a zero byte.
SpirvEditor::Words packString(std::string_view text);

} // namespace dovetail
