// SPDX-License-Identifier: MIT
//
// A SPIR-V module as plain data: its instructions with their word offsets, its functions cut into blocks, and its
// decorations by id. Nothing is interpreted here; types and constants wait for specialisation.
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/environment.h"
#include <cstdint>
#include <deque>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace dovetail::spirv {

// Instructions begin behind the header.
constexpr size_t HeaderWords = 5;

// One instruction. Its words stay in the module's word array.
struct Instruction {
  spv::Op opcode = spv::Op::OpNop;
  uint32_t wordOffset = 0;            // of its first word, from the start of the module
  uint32_t resultType = 0;            // 0: none
  uint32_t result = 0;                // 0: none
  std::span<const uint32_t> operands; // the words after the opcode word, the result type and the result

  uint32_t operand(size_t index) const { return operands[index]; }
  size_t operandCount() const { return operands.size(); }
};

// The number of an OpConstant or OpSpecConstant, zero-extended from the width of its type. (In the module, a type that
// is narrower than a word fills the word by its sign.)
uint64_t numberOf(const Instruction &constant, uint32_t width);
// The low bits.
constexpr uint64_t truncated(uint64_t value, uint32_t width) {
  return width < 64 ? value & ((uint64_t(1) << width) - 1) : value;
}

struct Block {
  uint32_t label = 0;
  std::vector<Instruction> instructions; // without OpLabel, OpLine and OpNoLine; the last one is the terminator
};

struct Function {
  uint32_t id = 0;
  uint32_t resultType = 0;
  uint32_t wordOffset = 0;
  std::vector<uint32_t> referencedIds; // by any instruction of the function; an id may be listed several times
  std::vector<Instruction> parameters;
  std::vector<Block> blocks;                         // in the module's order
  std::unordered_map<uint32_t, uint32_t> blockIndex; // label -> place in `blocks`
};

struct DecorationInstance {
  spv::Decoration decoration;
  std::span<const uint32_t> operands; // literals
};

struct EntryPoint {
  spv::ExecutionModel model;
  uint32_t function = 0;
  std::string name;
  uint32_t wordOffset = 0;
  std::vector<uint32_t> interfaceIds;
};

struct ExecutionMode {
  uint32_t function = 0;
  spv::ExecutionMode mode;
  bool isId = false; // OpExecutionModeId: the operands are ids of constants
  uint32_t wordOffset = 0;
  std::span<const uint32_t> operands;
};

// Can be moved, but not copied: decorations refer to the module's data.
struct Module {
  Module() = default;
  Module(Module &&) = default;
  Module &operator=(Module &&) = default;

  Environment environment = Environment::Vulkan;
  uint32_t version = 0; // as in the header: 0x00010300 is 1.3
  uint32_t idBound = 0;
  std::vector<Instruction> capabilities;
  std::vector<Instruction> extensions;
  spv::AddressingModel addressingModel = spv::AddressingModel::Logical;
  std::vector<EntryPoint> entryPoints;
  std::vector<ExecutionMode> executionModes;
  std::unordered_map<uint32_t, std::string> names;
  std::unordered_map<uint32_t, std::string> extInstImports; // id -> name of the set
  std::vector<Instruction> globals;                         // types, constants, variables, in order
  std::vector<Function> functions;
  std::unordered_map<uint32_t, uint32_t> functionIndex; // id -> place in `functions`

  bool hasCapability(spv::Capability capability) const;
  // The decorations of an id. Groups are already spread over their targets.
  std::span<const DecorationInstance> decorations(uint32_t id) const;
  std::span<const DecorationInstance> memberDecorations(uint32_t structType, uint32_t member) const;
  // Empty for a member without a name.
  std::string_view memberName(uint32_t structType, uint32_t member) const;

  // A function and all functions that it calls, directly or not. Each is listed once.
  std::vector<const Function *> callTree(uint32_t function) const;
  // By id: whether the entry point's call tree refers to it, or it is an output of its interface that has an initial
  // value.
  std::vector<bool> usedIds(const EntryPoint &entry) const;

  // Filled in by parse().
  std::unordered_map<uint32_t, std::vector<DecorationInstance>> idDecorations;
  std::unordered_map<uint64_t, std::vector<DecorationInstance>> structMemberDecorations; // struct id << 32 | member
  std::unordered_map<uint64_t, std::string> structMemberNames;                           // likewise

  // Adds a decoration that the module does not have itself (reflect/opengl_uniforms.h).
  void decorate(uint32_t id, spv::Decoration decoration, uint32_t literal);
  void decorateMember(uint32_t structType, uint32_t member, spv::Decoration decoration, uint32_t literal);
  std::deque<uint32_t> addedLiterals; // of the decorations that decorate() added
};

// The first decoration of a kind; nullptr if there is none.
const DecorationInstance *findDecoration(std::span<const DecorationInstance> decorations, spv::Decoration decoration);

// Reads a literal string: bytes packed into words, ended by a zero byte. `words` becomes the words behind the string.
std::string takeString(std::span<const uint32_t> &words);

// The text of an OpExtension.
std::string extensionName(const Instruction &extension);

// The words must outlive the module, and must be valid (see validate()).
Result<Module> parseModule(std::span<const uint32_t> words);

} // namespace dovetail::spirv
