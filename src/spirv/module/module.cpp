// SPDX-License-Identifier: MIT
//
// SPIRV-Tools' binary parser finds the instructions and their result ids. This file sorts them into the parts of a
// Module.
#include "src/spirv/module/module.h"
#include "src/spirv/module/newer_instructions.h"
#include <algorithm>
#include <memory>
#include <spirv-tools/libspirv.h>
#include <string_view>

namespace dovetail::spirv {

namespace {

uint64_t memberKey(uint32_t structType, uint32_t member) {
  return uint64_t(structType) << 32 | member;
}

class Parser {
public:
  explicit Parser(std::span<const uint32_t> words) : m_words(words), m_visible(showToTools(words)) {}

  Result<Module> parse() {
    std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6),
                                                                         spvContextDestroy);
    spv_diagnostic diagnostic = nullptr;
    spv_result_t result = spvBinaryParse(context.get(), this, m_visible.words.data(), m_visible.words.size(), onHeader,
                                         onInstruction, &diagnostic);
    std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> owned(diagnostic, spvDiagnosticDestroy);
    if (result != SPV_SUCCESS)
      return makeError(ErrorCode::InvalidInput, "not valid SPIR-V at word {}: {}", m_visible.offsets[m_taken],
                       diagnostic ? diagnostic->error : "");
    for (uint32_t offset : m_visible.hidden)
      takeHidden(offset);
    spreadGroups();
    return std::move(m_module);
  }

private:
  static spv_result_t onHeader(void *self, spv_endianness_t, uint32_t, uint32_t version, uint32_t, uint32_t idBound,
                               uint32_t) {
    Module &module = static_cast<Parser *>(self)->m_module;
    module.version = version;
    module.idBound = idBound;
    return SPV_SUCCESS;
  }

  static spv_result_t onInstruction(void *self, const spv_parsed_instruction_t *parsed) {
    static_cast<Parser *>(self)->take(*parsed);
    return SPV_SUCCESS;
  }

  // Adds an instruction, which refers to the module's own words.
  void take(const spv_parsed_instruction_t &parsed) {
    Instruction inst;
    inst.wordOffset = m_visible.offsets[m_taken++];
    inst.opcode = static_cast<spv::Op>(m_words[inst.wordOffset] & 0xffff);
    inst.resultType = parsed.type_id;
    inst.result = parsed.result_id;
    unsigned skip = 1 + (parsed.type_id != 0) + (parsed.result_id != 0);
    inst.operands = m_words.subspan(inst.wordOffset + skip, parsed.num_words - skip);
    file(inst);
    if (!m_inFunction)
      return;
    for (uint16_t i = 0; i < parsed.num_operands; ++i) {
      const spv_parsed_operand_t &operand = parsed.operands[i];
      const uint32_t id = parsed.words[operand.offset];
      if (operand.type == SPV_OPERAND_TYPE_ID && id < m_module.idBound) // otherwise, it is not valid
        m_module.functions.back().referencedIds.push_back(id);
    }
  }

  // Adds a capability or execution mode that was hidden from SPIRV-Tools. These have no results.
  void takeHidden(uint32_t offset) {
    Instruction inst;
    inst.wordOffset = offset;
    inst.opcode = static_cast<spv::Op>(m_words[offset] & 0xffff);
    inst.operands = m_words.subspan(offset + 1, (m_words[offset] >> 16) - 1);
    file(inst);
  }

  void file(const Instruction &inst) {
    switch (inst.opcode) {
    case spv::Op::OpNop:
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
    case spv::Op::OpSource:
    case spv::Op::OpSourceContinued:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpString:
    case spv::Op::OpModuleProcessed:
      return;
    case spv::Op::OpCapability:
      m_module.capabilities.push_back(inst);
      return;
    case spv::Op::OpExtension:
      m_module.extensions.push_back(inst);
      return;
    case spv::Op::OpExtInstImport: {
      std::span<const uint32_t> words = inst.operands;
      m_module.extInstImports[inst.result] = takeString(words);
      return;
    }
    case spv::Op::OpMemoryModel:
      m_module.addressingModel = static_cast<spv::AddressingModel>(inst.operand(0));
      return;
    case spv::Op::OpEntryPoint: {
      EntryPoint entry;
      entry.model = static_cast<spv::ExecutionModel>(inst.operand(0));
      entry.function = inst.operand(1);
      entry.wordOffset = inst.wordOffset;
      std::span<const uint32_t> words = inst.operands.subspan(2);
      entry.name = takeString(words);
      entry.interfaceIds.assign(words.begin(), words.end());
      m_module.entryPoints.push_back(std::move(entry));
      return;
    }
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      m_module.executionModes.push_back({inst.operand(0), static_cast<spv::ExecutionMode>(inst.operand(1)),
                                         inst.opcode == spv::Op::OpExecutionModeId, inst.wordOffset,
                                         inst.operands.subspan(2)});
      return;
    case spv::Op::OpName: {
      std::span<const uint32_t> words = inst.operands.subspan(1);
      m_module.names[inst.operand(0)] = takeString(words);
      return;
    }
    case spv::Op::OpMemberName: {
      std::span<const uint32_t> words = inst.operands.subspan(2);
      m_module.structMemberNames[memberKey(inst.operand(0), inst.operand(1))] = takeString(words);
      return;
    }
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
      m_module.idDecorations[inst.operand(0)].push_back(
          {static_cast<spv::Decoration>(inst.operand(1)), inst.operands.subspan(2)});
      return;
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
      m_module.structMemberDecorations[memberKey(inst.operand(0), inst.operand(1))].push_back(
          {static_cast<spv::Decoration>(inst.operand(2)), inst.operands.subspan(3)});
      return;
    case spv::Op::OpDecorationGroup:
    case spv::Op::OpTypeForwardPointer:
      return;
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
      m_groups.push_back(inst);
      return;
    case spv::Op::OpFunction: {
      Function function;
      function.id = inst.result;
      function.resultType = inst.resultType;
      function.wordOffset = inst.wordOffset;
      m_module.functionIndex[inst.result] = m_module.functions.size();
      m_module.functions.push_back(std::move(function));
      m_inFunction = true;
      return;
    }
    case spv::Op::OpFunctionEnd:
      m_inFunction = false;
      return;
    default:
      break;
    }
    if (!m_inFunction) {
      m_module.globals.push_back(inst);
      return;
    }
    Function &function = m_module.functions.back();
    if (inst.opcode == spv::Op::OpFunctionParameter) {
      function.parameters.push_back(inst);
    } else if (inst.opcode == spv::Op::OpLabel) {
      function.blockIndex[inst.result] = function.blocks.size();
      function.blocks.push_back({inst.result, {}});
    } else if (!function.blocks.empty()) {
      function.blocks.back().instructions.push_back(inst);
    }
  }

  void spreadGroups() {
    for (const Instruction &inst : m_groups) {
      std::vector<DecorationInstance> group = m_module.idDecorations[inst.operand(0)];
      if (inst.opcode == spv::Op::OpGroupDecorate) {
        for (uint32_t target : inst.operands.subspan(1)) {
          auto &list = m_module.idDecorations[target];
          list.insert(list.end(), group.begin(), group.end());
        }
      } else {
        for (size_t i = 1; i + 1 < inst.operandCount(); i += 2) {
          auto &list = m_module.structMemberDecorations[memberKey(inst.operand(i), inst.operand(i + 1))];
          list.insert(list.end(), group.begin(), group.end());
        }
      }
    }
  }

  std::span<const uint32_t> m_words;
  const VisibleModule m_visible;
  size_t m_taken = 0; // instructions
  bool m_inFunction = false;
  std::vector<Instruction> m_groups;
  Module m_module;
};

} // namespace

bool Module::hasCapability(spv::Capability capability) const {
  return std::any_of(capabilities.begin(), capabilities.end(), [&](const Instruction &inst) {
    return static_cast<spv::Capability>(inst.operand(0)) == capability;
  });
}

std::span<const DecorationInstance> Module::decorations(uint32_t id) const {
  auto found = idDecorations.find(id);
  return found == idDecorations.end() ? std::span<const DecorationInstance>() : found->second;
}

std::span<const DecorationInstance> Module::memberDecorations(uint32_t structType, uint32_t member) const {
  auto found = structMemberDecorations.find(memberKey(structType, member));
  return found == structMemberDecorations.end() ? std::span<const DecorationInstance>() : found->second;
}

std::string_view Module::memberName(uint32_t structType, uint32_t member) const {
  auto found = structMemberNames.find(memberKey(structType, member));
  return found == structMemberNames.end() ? std::string_view() : found->second;
}

void Module::decorate(uint32_t id, spv::Decoration decoration, uint32_t literal) {
  idDecorations[id].push_back({decoration, std::span(&addedLiterals.emplace_back(literal), 1)});
}

void Module::decorateMember(uint32_t structType, uint32_t member, spv::Decoration decoration, uint32_t literal) {
  structMemberDecorations[memberKey(structType, member)].push_back(
      {decoration, std::span(&addedLiterals.emplace_back(literal), 1)});
}

std::vector<const Function *> Module::callTree(uint32_t function) const {
  std::vector<const Function *> tree;
  std::unordered_set<uint32_t> seen = {function};
  std::vector<uint32_t> toVisit = {function};
  while (!toVisit.empty()) {
    const Function &next = functions[functionIndex.at(toVisit.back())];
    toVisit.pop_back();
    tree.push_back(&next);
    for (const Block &block : next.blocks)
      for (const Instruction &inst : block.instructions)
        if (inst.opcode == spv::Op::OpFunctionCall && seen.insert(inst.operand(0)).second)
          toVisit.push_back(inst.operand(0));
  }
  return tree;
}

std::vector<bool> Module::usedIds(const EntryPoint &entry) const {
  std::vector<bool> used(idBound);
  for (const Function *function : callTree(entry.function))
    for (uint32_t id : function->referencedIds)
      used[id] = true;
  for (const Instruction &inst : globals)
    if (inst.opcode == spv::Op::OpVariable && spv::StorageClass(inst.operand(0)) == spv::StorageClass::Output &&
        inst.operandCount() > 1 && std::ranges::find(entry.interfaceIds, inst.result) != entry.interfaceIds.end())
      used[inst.result] = true;
  return used;
}

uint64_t numberOf(const Instruction &constant, uint32_t width) {
  const uint64_t high = constant.operandCount() > 1 ? constant.operand(1) : 0;
  return truncated(high << 32 | constant.operand(0), width);
}

const DecorationInstance *findDecoration(std::span<const DecorationInstance> decorations, spv::Decoration decoration) {
  for (const DecorationInstance &instance : decorations) {
    if (instance.decoration == decoration)
      return &instance;
  }
  return nullptr;
}

std::string takeString(std::span<const uint32_t> &words) {
  std::string text;
  size_t used = 0;
  bool ended = false;
  while (used < words.size() && !ended) {
    uint32_t word = words[used++];
    for (unsigned i = 0; i < 4 && !ended; ++i) {
      char c = static_cast<char>(word >> (8 * i));
      ended = c == 0;
      if (!ended)
        text.push_back(c);
    }
  }
  words = words.subspan(used);
  return text;
}

std::string extensionName(const Instruction &extension) {
  std::span<const uint32_t> words = extension.operands;
  return takeString(words);
}

Result<Module> parseModule(std::span<const uint32_t> words) {
  return Parser(words).parse();
}

} // namespace dovetail::spirv
