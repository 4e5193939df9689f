// SPDX-License-Identifier: MIT
//
// Sorts the instructions into the parts of a Module. SPIRV-Tools has checked the words when the module was validated.
// So this reads them without its grammar of operands, which takes most of the time that its own parser needs.
#include "src/spirv/module/module.h"
#include "src/spirv/module/instruction_form.h"
#include "src/spirv/module/visible_module.h"
#include <algorithm>
#include <string_view>

namespace dovetail::spirv {

namespace {

uint64_t memberKey(uint32_t structType, uint32_t member) {
  return uint64_t(structType) << 32 | member;
}

class Parser {
public:
  explicit Parser(std::span<const uint32_t> words) : m_words(words) {}

  Result<Module> parse() {
    if (m_words.size() < HeaderWords || m_words[0] != spv::MagicNumber)
      return makeError(ErrorCode::InvalidInput, "not valid SPIR-V at word 0: there is no header");
    m_module.version = m_words[1];
    m_module.idBound = m_words[3];
    for (size_t at = HeaderWords, length; at < m_words.size(); at += length) {
      length = m_words[at] >> 16;
      if (length == 0 || length > m_words.size() - at)
        return makeError(ErrorCode::InvalidInput, "not valid SPIR-V at word {}: the instruction has {} words", at,
                         length);
      DOVETAIL_CHECK(take(m_words.subspan(at, length), static_cast<uint32_t>(at)));
    }
    spreadGroups();
    return std::move(m_module);
  }

private:
  // Adds an instruction, which refers to the module's own words.
  Result<void> take(std::span<const uint32_t> words, uint32_t offset) {
    Instruction inst;
    inst.wordOffset = offset;
    inst.opcode = static_cast<spv::Op>(words[0] & 0xffff);
    const InstructionForm *form = findForm(inst.opcode);
    if (!form)
      return makeError(ErrorCode::InvalidInput, "not valid SPIR-V at word {}: opcode {} is not known", offset,
                       uint32_t(inst.opcode));
    const size_t head = 1 + form->hasType + form->hasResult;
    if (words.size() < head + form->neededWords)
      return makeError(ErrorCode::InvalidInput, "not valid SPIR-V at word {}: {} words are too few for opcode {}",
                       offset, words.size(), uint32_t(inst.opcode));
    inst.resultType = form->hasType ? words[1] : 0;
    inst.result = form->hasResult ? words[head - 1] : 0;
    inst.operands = words.subspan(head);
    if (isDebugInstruction(inst))
      return {};
    file(inst);
    if (m_inFunction)
      noteIds(inst, *form);
    return {};
  }

  // Whether it is one of those that have no meaning (visible_module.h).
  bool isDebugInstruction(const Instruction &inst) {
    if (inst.opcode == spv::Op::OpExtInst || inst.opcode == OpExtInstWithForwardRefs)
      return m_debugSets.contains(inst.operand(0));
    if (inst.opcode != spv::Op::OpExtInstImport)
      return false;
    std::span<const uint32_t> words = inst.operands;
    if (!isDebugSet(takeString(words)))
      return false;
    m_debugSets.insert(inst.result);
    return true;
  }

  void noteIds(const Instruction &inst, const InstructionForm &form) {
    std::vector<uint32_t> &ids = m_module.functions.back().referencedIds;
    const char *letter = form.operands;
    for (uint32_t word : inst.operands) {
      if (*letter == 0)
        return;
      if (*letter == 'i' && word < m_module.idBound) // otherwise, it is not valid
        ids.push_back(word);
      if (letter[1] != '+')
        ++letter;
    }
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
  bool m_inFunction = false;
  std::unordered_set<uint32_t> m_debugSets; // sets of debug instructions
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
