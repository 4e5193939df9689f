// SPDX-License-Identifier: MIT
#include "src/spirv/translate/function_body.h"
#include "src/spirv/module/terminator.h"
#include "src/spirv/translate/functions.h"
#include "src/spirv/translate/globals.h"
#include "src/spirv/translate/ops/handlers.h"
#include <algorithm>
#include <climits>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

FunctionBody::FunctionBody(Functions &functions, Services &services, const Function &function,
                           std::span<const IdValue> arguments)
    : m_functions(functions), m_services(services), m_builder(services.builder), m_function(function),
      m_facts(services.variableUses.of(function)), m_phis(services) {
  m_scope.function = &function;
  for (size_t i = 0; i < function.parameters.size(); ++i)
    m_scope.values[function.parameters[i].result] = arguments[i];
}

void FunctionBody::createBlocks() {
  for (const Block &block : m_function.blocks) {
    if (!m_facts.flow.isReachable(block.label))
      continue;
    m_blocks.stretchOf[block.label] =
        &m_services.variableValues.create(m_services.createBlock(), m_facts.flow.predecessorCount(block.label));
  }
  // How many blocks return is not known.
  m_return = &m_services.variableValues.create(m_services.createBlock(), UINT_MAX);
}

Result<IdValue> FunctionBody::translate() {
  if (m_function.blocks.empty())
    return makeError(ErrorCode::Unsupported, "OpFunction at word {}: a function without a body is not supported",
                     m_function.wordOffset);
  createBlocks();
  if (m_services.reconvergesMaximally)
    m_innermost = m_facts.flow.innermostLoops();
  m_hasSeveralReturns =
      1 < std::ranges::count_if(m_function.blocks, [&](const Block &block) {
        return block.instructions.back().opcode == spv::Op::OpReturnValue && m_facts.flow.isReachable(block.label);
      });
  Stretch &first = *m_blocks.stretchOf.at(m_function.blocks.front().label);
  m_services.variableValues.branch(first, m_builder.CreateBr(first.start));

  ValueScope *outer = m_services.values.enter(&m_scope);
  for (const Block &block : m_function.blocks) {
    if (m_facts.flow.isReachable(block.label))
      DOVETAIL_CHECK(translateBlock(block));
  }
  DOVETAIL_CHECK(m_phis.complete(m_blocks));
  m_services.values.enter(outer);

  m_return->start->moveAfter(&m_services.main->back());
  m_builder.SetInsertPoint(m_return->start);
  m_services.variableValues.close(*m_return);
  m_services.variableValues.enter(*m_return);
  return joinReturns();
}

// The value, pointer or image that the function returns, joined from all its returns; nothing if it returns none.
Result<IdValue> FunctionBody::joinReturns() {
  const TypeInfo &info = m_services.type(m_function.resultType);
  if (info.kind == TypeKind::Void)
    return IdValue();
  if (m_returns.size() == 1)
    return m_returns.front().first;
  if (m_returnMemory)
    return IdValue{.composite = m_returnMemory};
  auto join = [&](llvm::Type *type, const std::function<llvm::Value *(const IdValue &)> &part) -> llvm::Value * {
    llvm::PHINode *phi = m_builder.CreatePHI(type, m_returns.size());
    for (const auto &[value, block] : m_returns)
      phi->addIncoming(part(value), block);
    return phi;
  };
  if (info.value) {
    llvm::Value *value = m_returns.empty() ? static_cast<llvm::Value *>(llvm::PoisonValue::get(info.value))
                                           : join(info.value, [](const IdValue &each) { return each.value; });
    return IdValue{.value = value};
  }
  ImageValue image = m_services.descriptors.null(info);
  for (const auto &[value, block] : m_returns)
    image.flags |= value.image->flags;
  const auto descriptors = Descriptors::partsOf(image);
  for (size_t i = 0; i < descriptors.size() && !m_returns.empty(); ++i)
    *descriptors[i] = join((*descriptors[i])->getType(), [&](const IdValue &each) {
      ImageValue part = *each.image;
      return *Descriptors::partsOf(part)[i];
    });
  return IdValue{.image = std::make_shared<const ImageValue>(image)};
}

Result<void> FunctionBody::translateBlock(const Block &block) {
  Stretch &stretch = *m_blocks.stretchOf.at(block.label);
  stretch.start->moveAfter(&m_services.main->back());
  m_builder.SetInsertPoint(stretch.start);
  m_services.variableValues.enter(stretch);
  if (const auto loop = m_facts.flow.loops().find(block.label); loop != m_facts.flow.loops().end())
    enterLoop(stretch, loop->second);
  m_scope.block = &block;
  for (const Instruction &inst : block.instructions) {
    if (isLeftToCall(inst))
      continue;
    m_functions.setSourcePlace(inst);
    switch (inst.opcode) {
    case spv::Op::OpPhi:
      DOVETAIL_CHECK(m_phis.add(inst, block.label));
      break;
    case spv::Op::OpVariable:
      DOVETAIL_CHECK(translateLocalVariable(m_services, inst));
      break;
    case spv::Op::OpFunctionCall:
      DOVETAIL_CHECK(translateCall(inst));
      break;
    default:
      if (isTerminator(inst.opcode)) {
        DOVETAIL_CHECK(translateTerminator(inst));
        m_blocks.endOf[block.label] = m_builder.GetInsertBlock();
      } else {
        DOVETAIL_CHECK(translateInstruction(m_services, inst));
      }
      break;
    }
  }
  return {};
}

void FunctionBody::enterLoop(Stretch &head, const Loop &loop) {
  head.isLoopHead = true;
  head.outerEdges = m_facts.flow.predecessorCount(loop.head) - loop.backEdges;
  for (uint32_t variable : m_facts.loopStores.at(loop.head))
    if (const IdValue *bound = m_services.values.find(variable);
        bound && bound->pointer && bound->pointer->kind == Pointer::Kind::Promoted)
      head.loopStores.push_back(m_services.ownMemory.leavesOf(*bound->pointer));
  if (head.edges.size() == head.outerEdges)
    m_services.variableValues.findDominator(head);
}

Result<void> FunctionBody::translateTerminator(const Instruction &inst) {
  const auto target = [&](uint32_t label) { return m_blocks.stretchOf.at(label)->start; };
  const auto noteEdges = [&](llvm::Instruction *terminator) {
    for (uint32_t label : m_facts.flow.targets(m_scope.block->label))
      m_services.variableValues.branch(*m_blocks.stretchOf.at(label), terminator);
  };
  switch (inst.opcode) {
  case spv::Op::OpBranch: {
    auto loop = m_innermost.find(m_scope.block->label);
    if (loop != m_innermost.end() && loop->second->merge == inst.operand(0))
      leaveLoop(*m_blocks.stretchOf.at(inst.operand(0)));
    else
      noteEdges(m_builder.CreateBr(target(inst.operand(0))));
    return {};
  }
  case spv::Op::OpBranchConditional: {
    llvm::Value *condition = DOVETAIL_TRY(m_services.operand(inst, 0));
    noteEdges(
        m_builder.CreateCondBr(m_builder.CreateFreeze(condition), target(inst.operand(1)), target(inst.operand(2))));
    return {};
  }
  case spv::Op::OpSwitch: {
    llvm::Value *selector = DOVETAIL_TRY(m_services.operand(inst, 0));
    auto *selectorType = llvm::cast<llvm::IntegerType>(selector->getType());
    unsigned literalWords = selectorType->getBitWidth() == 64 ? 2 : 1;
    llvm::SwitchInst *switchInst = m_builder.CreateSwitch(m_builder.CreateFreeze(selector), target(inst.operand(1)));
    std::unordered_set<uint64_t> seen;
    for (size_t i = 2; i + literalWords < inst.operandCount(); i += literalWords + 1) {
      uint64_t literal = inst.operand(i);
      if (literalWords == 2)
        literal |= uint64_t(inst.operand(i + 1)) << 32;
      llvm::APInt bits = llvm::APInt(64, literal).trunc(selectorType->getBitWidth());
      if (seen.insert(bits.getZExtValue()).second)
        switchInst->addCase(llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(selectorType, bits)),
                            target(inst.operand(i + literalWords)));
    }
    noteEdges(switchInst);
    return {};
  }
  case spv::Op::OpReturn:
    leaveLoop(*m_return);
    return {};
  case spv::Op::OpReturnValue:
    return returnValue(inst);
  case spv::Op::OpKill:
  case spv::Op::OpTerminateInvocation:
    leaveLoop(*m_services.exit, /*kills=*/true);
    return {};
  default:
    m_builder.CreateUnreachable();
    return {};
  }
}

Result<void> FunctionBody::returnValue(const Instruction &inst) {
  const IdValue *bound = m_services.values.find(inst.operand(0));
  IdValue returned;
  if (bound && bound->image) {
    returned.image = bound->image;
  } else if (bound && bound->composite && !m_hasSeveralReturns) {
    returned.composite = bound->composite;
  } else if (m_hasSeveralReturns &&
             (m_returnMemory || m_services.composites.liesInMemory(m_services.typeOf(inst.operand(0))))) {
    if (!m_returnMemory)
      m_returnMemory =
          std::make_shared<const Pointer>(m_services.ownMemory.createTemporary(m_services.typeOf(inst.operand(0))));
    DOVETAIL_CHECK(m_services.composites.store(inst, *m_returnMemory, inst.operand(0)));
    returned.composite = m_returnMemory;
  } else {
    returned.value = DOVETAIL_TRY(m_services.operand(inst, 0));
  }
  m_returns.emplace_back(std::move(returned), m_builder.GetInsertBlock());
  leaveLoop(*m_return);
  return {};
}

// For LLVM, only blocks that lead back to its head are in a loop. A block that a lane runs on its way out would come to
// lie behind the loop, where lanes of all iterations run it together. A shader that reconverges maximally runs it in
// the iteration. So the block gets a branch back to the head that is taken if no lane is active. That never happens,
// but LLVM does not know it.
void FunctionBody::leaveLoop(Stretch &target, bool kills) {
  auto loop = m_innermost.find(m_scope.block->label);
  const bool isKept = loop != m_innermost.end();
  llvm::Value *isAnyActive = isKept ? m_builder.CreateSubgroupAny(m_builder.getTrue()) : nullptr;
  if (kills)
    m_builder.CreateKill();
  if (!isKept) {
    m_services.variableValues.branch(target, m_builder.CreateBr(target.start));
    return;
  }
  Stretch &head = *m_blocks.stretchOf.at(loop->second->head);
  llvm::Instruction *terminator = m_builder.CreateCondBr(isAnyActive, target.start, head.start);
  m_services.variableValues.branch(target, terminator);
  m_services.variableValues.addNeverTaken(head, terminator);
}

} // namespace dovetail::spirv
