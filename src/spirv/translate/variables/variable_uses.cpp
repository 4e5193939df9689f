// SPDX-License-Identifier: MIT
#include "src/spirv/translate/variables/variable_uses.h"
#include "src/spirv/translate/context/operand_kinds.h"
#include <llvm/IR/Constants.h>
#include <spirv/unified1/GLSL.std.450.h>

namespace dovetail::spirv {

namespace {

// Function and Private variables, and outputs. Control shaders write outputs elsewhere, which does no harm here.
bool isOwn(spv::StorageClass storage) {
  return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private ||
         storage == spv::StorageClass::Output;
}

} // namespace

void VariableUses::search() {
  const Module &module = m_context.module;
  m_variables.assign(module.idBound, 0);
  m_needsAddress.assign(module.idBound, false);
  m_isShared.assign(module.idBound, false);
  for (const Instruction &inst : module.globals)
    if (inst.opcode == spv::Op::OpVariable && isOwn(static_cast<spv::StorageClass>(inst.operand(0)))) {
      m_variables[inst.result] = inst.result;
      m_isShared[inst.result] = true;
    }
  const std::vector<const Function *> functions = module.callTree(m_context.entry.function);
  for (const Function *function : functions)
    search(*function);
  spreadAddresses();
  noteSharedStores(functions);
  for (const Function *function : functions)
    noteLoopStores(*function);
  m_blockUses.clear();
  m_sharedStores.clear();
}

void VariableUses::search(const Function &function) {
  FunctionFacts facts = {ControlFlow(m_context, function), findCallCopies(function, m_context.values.useCounts()), {}};
  for (const Instruction &parameter : function.parameters)
    if (m_context.resultType(parameter).kind == TypeKind::Pointer)
      m_variables[parameter.result] = parameter.result;
  std::unordered_map<uint32_t, BlockUses> &blocks = m_blockUses[function.id];
  for (const Block &block : function.blocks) {
    BlockUses &uses = blocks[block.label];
    for (const Instruction &inst : block.instructions)
      search(inst, uses);
  }
  // A function may be given the original instead of the copy.
  for (const auto &[copy, made] : facts.copies.variables) {
    m_needsToo.emplace_back(copy, variableOf(made.original));
    m_needsToo.emplace_back(variableOf(made.original), copy);
  }
  m_functions.emplace(function.id, std::move(facts));
}

void VariableUses::search(const Instruction &inst, BlockUses &uses) {
  switch (inst.opcode) {
  case spv::Op::OpVariable:
    m_variables[inst.result] = inst.result;
    break;
  case spv::Op::OpLoad:
    break;
  case spv::Op::OpStore:
    uses.stored.push_back(variableOf(inst.operand(0)));
    takeAddress(inst.operand(1));
    break;
  case spv::Op::OpCopyMemory:
    uses.stored.push_back(variableOf(inst.operand(0)));
    break;
  case spv::Op::OpCopyObject:
    m_variables[inst.result] = variableOf(inst.operand(0));
    break;
  case spv::Op::OpAccessChain:
  case spv::Op::OpInBoundsAccessChain:
    m_variables[inst.result] = variableOf(inst.operand(0));
    if (!isConstantPath(inst))
      takeAddress(inst.operand(0));
    break;
  case spv::Op::OpFunctionCall:
    searchCall(inst, uses);
    break;
  case spv::Op::OpExtInst:
    searchExtInst(inst, uses);
    break;
  default:
    for (uint32_t id : valueOperands(inst))
      takeAddress(id);
    break;
  }
}

void VariableUses::searchCall(const Instruction &call, BlockUses &uses) {
  uses.called.push_back(call.operand(0));
  const Function &callee = m_context.module.functions[m_context.module.functionIndex.at(call.operand(0))];
  for (size_t i = 0; i < callee.parameters.size(); ++i)
    if (const uint32_t variable = variableOf(call.operand(1 + i))) {
      uses.stored.push_back(variable);
      m_needsToo.emplace_back(callee.parameters[i].result, variable);
    }
}

void VariableUses::searchExtInst(const Instruction &inst, BlockUses &uses) {
  const std::string &set = m_context.module.extInstImports.at(inst.operand(0)); // not one of debug instructions
  const uint32_t number = inst.operand(1);
  const bool isStore = set == "GLSL.std.450" && (number == GLSLstd450Modf || number == GLSLstd450Frexp);
  for (size_t i = 2; i < inst.operandCount(); ++i) {
    if (isStore)
      uses.stored.push_back(variableOf(inst.operand(i)));
    else
      takeAddress(inst.operand(i));
  }
}

bool VariableUses::isConstantPath(const Instruction &accessChain) const {
  const TypeInfo *type = &m_context.type(m_context.typeOf(accessChain.operand(0)).element);
  for (uint32_t id : accessChain.operands.subspan(1)) {
    const IdValue *bound = m_context.values.find(id);
    const auto *index = bound && bound->value ? llvm::dyn_cast<llvm::ConstantInt>(bound->value) : nullptr;
    const uint32_t count = type->kind == TypeKind::Vector ? type->count : type->hasParts() ? type->partCount() : 0;
    if (!index || index->getValue().uge(count))
      return false;
    type = &m_context.type(
        type->kind == TypeKind::Vector ? type->element : type->partType(static_cast<uint32_t>(index->getZExtValue())));
  }
  return true;
}

void VariableUses::spreadAddresses() {
  std::unordered_multimap<uint32_t, uint32_t> needsToo(m_needsToo.begin(), m_needsToo.end());
  std::vector<uint32_t> toVisit;
  for (const auto &[first, second] : m_needsToo)
    if (m_needsAddress[first])
      toVisit.push_back(first);
  while (!toVisit.empty()) {
    auto [next, end] = needsToo.equal_range(toVisit.back());
    toVisit.pop_back();
    for (; next != end; ++next)
      if (!m_needsAddress[next->second]) {
        m_needsAddress[next->second] = true;
        toVisit.push_back(next->second);
      }
  }
}

// Spreads stores to shared variables from each function to its callers.
void VariableUses::noteSharedStores(std::span<const Function *const> functions) {
  std::unordered_map<uint32_t, std::vector<uint32_t>> callers;
  std::vector<std::pair<uint32_t, uint32_t>> toVisit; // function, variable
  auto note = [&](uint32_t function, uint32_t variable) {
    if (m_sharedStores[function].insert(variable).second)
      toVisit.emplace_back(function, variable);
  };
  for (const Function *function : functions)
    for (const auto &[label, uses] : m_blockUses.at(function->id)) {
      for (uint32_t variable : uses.stored)
        if (m_isShared[variable])
          note(function->id, variable);
      for (uint32_t callee : uses.called)
        callers[callee].push_back(function->id);
    }
  while (!toVisit.empty()) {
    const auto [function, variable] = toVisit.back();
    toVisit.pop_back();
    for (uint32_t caller : callers[function])
      note(caller, variable);
  }
}

// A function's own variables and parameters are others each time that it is called, so of what a loop calls, only
// stores to shared variables count.
void VariableUses::noteLoopStores(const Function &function) {
  FunctionFacts &facts = m_functions.at(function.id);
  for (const auto &[head, loop] : facts.flow.loops()) {
    std::unordered_set<uint32_t> stored;
    for (uint32_t label : loop.blocks) {
      const BlockUses &uses = m_blockUses.at(function.id).at(label);
      stored.insert(uses.stored.begin(), uses.stored.end());
      for (uint32_t callee : uses.called)
        stored.insert(m_sharedStores[callee].begin(), m_sharedStores[callee].end());
    }
    stored.erase(0);
    facts.loopStores[head].assign(stored.begin(), stored.end());
  }
}

} // namespace dovetail::spirv
