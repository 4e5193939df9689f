// SPDX-License-Identifier: MIT
//
// Builds a SPIR-V module: its sections, and types and constants, which are declared only once.
#pragma once

#include "tools/programs/random-programs/program/program.h"
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail::random_programs {

using Words = std::vector<uint32_t>;

// Appends an instruction.
void append(Words &section, spv::Op op, std::span<const uint32_t> operands);
inline void append(Words &section, spv::Op op, std::initializer_list<uint32_t> operands) {
  append(section, op, std::span(operands.begin(), operands.size()));
}
void appendString(Words &words, std::string_view text);

class SpirvModule {
public:
  uint32_t newId() { return m_nextId++; }

  void need(spv::Capability capability) { m_capabilities.insert(capability); }
  void needExtension(const std::string &name) { m_extensions.insert(name); }
  uint32_t extendedSet(); // GLSL.std.450

  // `isLaidOut`: the type for buffers, which differs for structures and arrays.
  uint32_t type(const Type &type, bool isLaidOut = false);
  uint32_t functionType(uint32_t result, const Words &parameters);
  uint32_t voidType();
  uint32_t pointerType(spv::StorageClass storage, uint32_t pointee);
  // A structure of two words.
  uint32_t pairType();
  uint32_t constant(const Type &type, const std::vector<uint64_t> &words);
  uint32_t word(uint32_t value) { return constant(I32, {value}); }

  // Declares a type, constant or variable even if an equal one exists.
  uint32_t declare(spv::Op op, std::initializer_list<uint32_t> operands);
  uint32_t declareTyped(spv::Op op, uint32_t type, std::initializer_list<uint32_t> operands);
  void decorate(uint32_t id, spv::Decoration decoration, std::initializer_list<uint32_t> operands = {});
  void decorateMember(uint32_t id, uint32_t member, spv::Decoration decoration,
                      std::initializer_list<uint32_t> operands = {});
  void addToInterface(uint32_t variable) { m_interface.push_back(variable); }
  void addMode(uint32_t entry, spv::ExecutionMode mode, std::initializer_list<uint32_t> operands);
  bool usesPointers = false; // PhysicalStorageBuffer64

  Words functions;

  Words finish(spv::ExecutionModel model, uint32_t entry);

private:
  uint32_t scalarType(Scalar scalar);
  uint32_t structureType(const Type &type, bool isLaidOut);

  uint32_t m_nextId = 1, m_extendedSet = 0, m_void = 0, m_pair = 0;
  std::set<spv::Capability> m_capabilities;
  std::set<std::string> m_extensions;
  Words m_modes, m_decorations, m_declarations;
  std::vector<uint32_t> m_interface;
  std::map<std::vector<uint32_t>, uint32_t> m_types, m_pointers, m_functionTypes;
  std::map<std::vector<uint64_t>, uint32_t> m_constants;
};

} // namespace dovetail::random_programs
