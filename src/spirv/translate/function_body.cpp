// SPDX-License-Identifier: MIT
#include "src/spirv/translate/function_body.h"
#include "src/spirv/module/terminator.h"
#include "src/spirv/translate/functions.h"
#include "src/spirv/translate/globals.h"
#include "src/spirv/translate/ops/handlers.h"
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

namespace {

// The labels that a terminator can go to.
void forEachTarget(const Instruction &inst, unsigned selectorWords, const std::function<void(uint32_t)> &visit) {
  switch (inst.opcode) {
  case spv::Op::OpBranch:
    visit(inst.operand(0));
    break;
  case spv::Op::OpBranchConditional:
    visit(inst.operand(1));
    visit(inst.operand(2));
    break;
  case spv::Op::OpSwitch:
    visit(inst.operand(1));
    for (size_t i = 2 + selectorWords; i < inst.operandCount(); i += selectorWords + 1)
      visit(inst.operand(i));
    break;
  default:
    break;
  }
}

} // namespace

FunctionBody::FunctionBody(Functions &functions, Services &services, const Function &function,
                           std::span<const IdValue> arguments)
    : m_functions(functions), m_services(services), m_builder(services.builder), m_function(function),
      m_copies(functions.callCopies(function)), m_phis(services) {
  m_scope.function = &function;
  for (size_t i = 0; i < function.parameters.size(); ++i)
    m_scope.values[function.parameters[i].result] = arguments[i];
}

void FunctionBody::visitTargets(const Block &block, const VisitTarget &visit) const {
  const Instruction &terminator = block.instructions.back();
  const bool isWide = terminator.opcode == spv::Op::OpSwitch && m_services.typeOf(terminator.operand(0)).width == 64;
  forEachTarget(terminator, isWide ? 2 : 1, visit);
}

std::unordered_set<uint32_t> FunctionBody::reachableLabels() const {
  std::unordered_set<uint32_t> reachable = {m_function.blocks.front().label};
  std::vector<uint32_t> toVisit = {m_function.blocks.front().label};
  while (!toVisit.empty()) {
    const Block &block = m_function.blocks[m_function.blockIndex.at(toVisit.back())];
    toVisit.pop_back();
    visitTargets(block, [&](uint32_t label) {
      if (reachable.insert(label).second)
        toVisit.push_back(label);
    });
  }
  return reachable;
}

Result<IdValue> FunctionBody::translate() {
  if (m_function.blocks.empty())
    return makeError(ErrorCode::Unsupported, "OpFunction at word {}: a function without a body is not supported",
                     m_function.wordOffset);
  const std::unordered_set<uint32_t> reachable = reachableLabels();
  unsigned returnCount = 0;
  for (const Block &block : m_function.blocks) {
    if (reachable.contains(block.label)) {
      m_blocks.entryOf[block.label] = m_services.createBlock();
      returnCount += block.instructions.back().opcode == spv::Op::OpReturnValue;
    }
  }
  if (m_services.reconvergesMaximally)
    m_loops = findLoops(m_function, [&](const Block &block, const VisitTarget &visit) { visitTargets(block, visit); });
  m_hasSeveralReturns = returnCount > 1;
  m_returnBlock = m_services.createBlock();
  m_builder.CreateBr(m_blocks.entryOf.at(m_function.blocks.front().label));

  ValueScope *outer = m_services.values.enter(&m_scope);
  for (const Block &block : m_function.blocks) {
    if (reachable.contains(block.label))
      DOVETAIL_CHECK(translateBlock(block));
  }
  DOVETAIL_CHECK(m_phis.complete(m_blocks));
  m_services.values.enter(outer);

  m_returnBlock->moveAfter(&m_services.main->back());
  m_builder.SetInsertPoint(m_returnBlock);
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
  llvm::BasicBlock *start = m_blocks.entryOf.at(block.label);
  start->moveAfter(&m_services.main->back());
  m_builder.SetInsertPoint(start);
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

Result<void> FunctionBody::translateTerminator(const Instruction &inst) {
  auto target = [&](uint32_t label) { return m_blocks.entryOf.at(label); };
  switch (inst.opcode) {
  case spv::Op::OpBranch: {
    auto loop = m_loops.find(m_scope.block->label);
    if (loop != m_loops.end() && loop->second.merge == inst.operand(0))
      leaveLoop(target(inst.operand(0)));
    else
      m_builder.CreateBr(target(inst.operand(0)));
    return {};
  }
  case spv::Op::OpBranchConditional: {
    llvm::Value *condition = DOVETAIL_TRY(m_services.operand(inst, 0));
    m_builder.CreateCondBr(m_builder.CreateFreeze(condition), target(inst.operand(1)), target(inst.operand(2)));
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
    return {};
  }
  case spv::Op::OpReturn:
    leaveLoop(m_returnBlock);
    return {};
  case spv::Op::OpReturnValue:
    return returnValue(inst);
  case spv::Op::OpKill:
  case spv::Op::OpTerminateInvocation:
    leaveLoop(m_services.exitBlock, /*kills=*/true);
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
  leaveLoop(m_returnBlock);
  return {};
}

// For LLVM, only blocks that lead back to its head are in a loop. A block that a lane runs on its way out would come to
// lie behind the loop, where lanes of all iterations run it together. A shader that reconverges maximally runs it in
// the iteration. So the block gets a branch back to the head that is taken if no lane is active. That never happens,
// but LLVM does not know it.
void FunctionBody::leaveLoop(llvm::BasicBlock *target, bool kills) {
  auto loop = m_loops.find(m_scope.block->label);
  const bool isKept = loop != m_loops.end();
  llvm::Value *isAnyActive = isKept ? m_builder.CreateSubgroupAny(m_builder.getTrue()) : nullptr;
  if (kills)
    m_builder.CreateKill();
  if (!isKept) {
    m_builder.CreateBr(target);
    return;
  }
  const uint32_t head = loop->second.head;
  m_blocks.kept.emplace(head, m_builder.GetInsertBlock());
  m_builder.CreateCondBr(isAnyActive, target, m_blocks.entryOf.at(head));
}

} // namespace dovetail::spirv
