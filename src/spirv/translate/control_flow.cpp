// SPDX-License-Identifier: MIT
//
// Functions, blocks and branches. Each call of a SPIR-V function gets LLVM blocks of its own. Only reachable blocks are
// translated: SPIR-V orders blocks so that a definition comes before its uses. Phis are the exception and are completed
// last. Every way out of the shader leads to the one exit block, where outputs are written.
//
// In SPIR-V, a branch on an undefined value goes either way. In LLVM it is undefined behaviour: everything behind it
// counts as unreachable, defined outputs included. So the condition is frozen.
#include "src/spirv/module/terminator.h"
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Instructions.h>
#include <unordered_set>

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

Result<void> Translator::translateFunctionBody(const Function &function, Scope &scope, IdValue &returned) {
  Scope *outer = m_scope;
  scope.function = &function;
  scope.copies = &callCopies(function);
  if (function.blocks.empty())
    return makeError(ErrorCode::Unsupported, "OpFunction at word {}: a function without a body is not supported",
                     function.wordOffset);

  auto selectorWords = [&](const Instruction &inst) -> unsigned {
    return inst.opcode == spv::Op::OpSwitch && typeOf(inst.operand(0)).width == 64 ? 2 : 1;
  };
  std::unordered_set<uint32_t> reachable = {function.blocks.front().label};
  std::vector<uint32_t> toVisit = {function.blocks.front().label};
  while (!toVisit.empty()) {
    const Block &block = function.blocks[function.blockIndex.at(toVisit.back())];
    toVisit.pop_back();
    const Instruction &terminator = block.instructions.back();
    forEachTarget(terminator, selectorWords(terminator), [&](uint32_t label) {
      if (reachable.insert(label).second)
        toVisit.push_back(label);
    });
  }

  unsigned returnCount = 0;
  for (const Block &block : function.blocks) {
    if (reachable.count(block.label)) {
      scope.entryOf[block.label] = llvm::BasicBlock::Create(m_context, "", m_main);
      returnCount += block.instructions.back().opcode == spv::Op::OpReturnValue;
    }
  }
  if (m_reconvergesMaximally)
    scope.loops = findLoops(function, [&](const Block &block, const std::function<void(uint32_t)> &visit) {
      const Instruction &terminator = block.instructions.back();
      forEachTarget(terminator, selectorWords(terminator), visit);
    });
  scope.hasSeveralReturns = returnCount > 1;
  scope.returnBlock = llvm::BasicBlock::Create(m_context, "", m_main);
  m_builder.CreateBr(scope.entryOf.at(function.blocks.front().label));

  m_scope = &scope;
  for (const Block &block : function.blocks) {
    if (reachable.count(block.label))
      DOVETAIL_CHECK(translateBlock(block));
  }
  DOVETAIL_CHECK(completePhis());
  m_scope = outer;

  scope.returnBlock->moveAfter(&m_main->back());
  m_builder.SetInsertPoint(scope.returnBlock);
  returned = DOVETAIL_TRY(joinReturns(function, scope));
  return {};
}

// The value, pointer or image that the function returns, joined from all its returns; nothing if it returns none.
Result<IdValue> Translator::joinReturns(const Function &function, const Scope &scope) {
  const TypeInfo &info = type(function.resultType);
  if (info.kind == TypeKind::Void)
    return IdValue();
  if (scope.returns.size() == 1)
    return scope.returns.front().first;
  if (scope.returnMemory)
    return IdValue{nullptr, nullptr, nullptr, scope.returnMemory};
  auto join = [&](llvm::Type *type, const std::function<Value *(const IdValue &)> &part) -> Value * {
    llvm::PHINode *phi = m_builder.CreatePHI(type, scope.returns.size());
    for (const auto &[value, block] : scope.returns)
      phi->addIncoming(part(value), block);
    return phi;
  };
  if (info.value) {
    Value *value = scope.returns.empty() ? static_cast<Value *>(llvm::PoisonValue::get(info.value))
                                         : join(info.value, [](const IdValue &each) { return each.value; });
    return IdValue{value, nullptr, nullptr};
  }
  ImageValue image = nullImage(info);
  for (const auto &[value, block] : scope.returns)
    image.flags |= value.image->flags;
  const auto descriptors = descriptorsOf(image);
  for (size_t i = 0; i < descriptors.size() && !scope.returns.empty(); ++i)
    *descriptors[i] = join((*descriptors[i])->getType(), [&](const IdValue &each) {
      ImageValue part = *each.image;
      return *descriptorsOf(part)[i];
    });
  return IdValue{nullptr, nullptr, std::make_shared<const ImageValue>(image)};
}

Result<void> Translator::translateBlock(const Block &block) {
  llvm::BasicBlock *start = m_scope->entryOf.at(block.label);
  start->moveAfter(&m_main->back());
  m_builder.SetInsertPoint(start);
  for (const Instruction &inst : block.instructions) {
    m_block = &block; // a call translates other blocks
    if (isLeftToCall(inst))
      continue;
    setSourcePlace(inst);
    switch (inst.opcode) {
    case spv::Op::OpPhi:
      DOVETAIL_CHECK(translatePhi(inst, block.label));
      break;
    case spv::Op::OpVariable:
      DOVETAIL_CHECK(translateLocalVariable(inst));
      break;
    case spv::Op::OpFunctionCall:
      DOVETAIL_CHECK(translateCall(inst));
      break;
    default:
      if (isTerminator(inst.opcode)) {
        DOVETAIL_CHECK(translateTerminator(inst));
        m_scope->endOf[block.label] = m_builder.GetInsertBlock();
      } else {
        DOVETAIL_CHECK(translateInstruction(inst));
      }
      break;
    }
  }
  return {};
}

Result<void> Translator::translateTerminator(const Instruction &inst) {
  auto target = [&](uint32_t label) { return m_scope->entryOf.at(label); };
  switch (inst.opcode) {
  case spv::Op::OpBranch: {
    auto loop = m_scope->loops.find(m_block->label);
    if (loop != m_scope->loops.end() && loop->second.merge == inst.operand(0))
      leaveLoop(target(inst.operand(0)));
    else
      m_builder.CreateBr(target(inst.operand(0)));
    return {};
  }
  case spv::Op::OpBranchConditional: {
    Value *condition = DOVETAIL_TRY(operandValue(inst, 0));
    m_builder.CreateCondBr(m_builder.CreateFreeze(condition), target(inst.operand(1)), target(inst.operand(2)));
    return {};
  }
  case spv::Op::OpSwitch: {
    Value *selector = DOVETAIL_TRY(operandValue(inst, 0));
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
    leaveLoop(m_scope->returnBlock);
    return {};
  case spv::Op::OpReturnValue: {
    const IdValue *bound = find(inst.operand(0));
    IdValue returned;
    if (bound && bound->image) {
      returned.image = bound->image;
    } else if (bound && bound->composite && !m_scope->hasSeveralReturns) {
      returned.composite = bound->composite;
    } else if (m_scope->hasSeveralReturns && (m_scope->returnMemory || liesInMemory(typeOf(inst.operand(0))))) {
      if (!m_scope->returnMemory)
        m_scope->returnMemory = std::make_shared<const Pointer>(createTemporary(typeOf(inst.operand(0))));
      DOVETAIL_CHECK(storeBound(inst, *m_scope->returnMemory, inst.operand(0), {}));
      returned.composite = m_scope->returnMemory;
    } else {
      returned.value = DOVETAIL_TRY(operandValue(inst, 0));
    }
    m_scope->returns.emplace_back(std::move(returned), m_builder.GetInsertBlock());
    leaveLoop(m_scope->returnBlock);
    return {};
  }
  case spv::Op::OpKill:
  case spv::Op::OpTerminateInvocation:
    leaveLoop(m_exitBlock, /*kills=*/true);
    return {};
  default:
    m_builder.CreateUnreachable();
    return {};
  }
}

// For LLVM, only blocks that lead back to its head are in a loop. A block that a lane runs on its way out would come to
// lie behind the loop, where lanes of all iterations run it together. A shader that reconverges maximally runs it in
// the iteration. So the block gets a branch back to the head that is taken if no lane is active. That never happens,
// but LLVM does not know it.
void Translator::leaveLoop(llvm::BasicBlock *target, bool kills) {
  auto loop = m_scope->loops.find(m_block->label);
  const bool isKept = loop != m_scope->loops.end();
  Value *isAnyActive = isKept ? m_builder.CreateSubgroupAny(m_builder.getTrue()) : nullptr;
  if (kills)
    m_builder.CreateKill();
  if (!isKept) {
    m_builder.CreateBr(target);
    return;
  }
  const uint32_t head = loop->second.head;
  m_scope->kept.emplace(head, m_builder.GetInsertBlock());
  m_builder.CreateCondBr(isAnyActive, target, m_scope->entryOf.at(head));
}

Result<void> Translator::translatePhi(const Instruction &inst, uint32_t block) {
  const TypeInfo &info = resultType(inst);
  const unsigned count = inst.operandCount() / 2;
  Scope::PendingPhi pending = {&inst, block, {}, {}};
  auto makePhi = [&](llvm::Type *phiType) {
    pending.phis.push_back(m_builder.CreatePHI(phiType, count));
    return pending.phis.back();
  };
  if (info.kind == TypeKind::Pointer) {
    llvm::Type *pointerType = DOVETAIL_TRY(valueType(inst, inst.resultType));
    llvm::SmallVector<Value *, 2> parts;
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(pointerType))
      for (llvm::Type *part : structure->elements())
        parts.push_back(makePhi(part));
    else
      parts.push_back(makePhi(pointerType));
    // A pointer that comes round a loop is not known yet. Its pointee must have the same layout as those of the others.
    for (size_t i = 0; i + 1 < inst.operandCount(); i += 2)
      if (const IdValue *bound = find(inst.operand(i)); bound && bound->pointer)
        pending.layout = layoutOf(*bound->pointer);
    Pointer pointer = DOVETAIL_TRY(pointerFromParts(inst, parts, inst.resultType));
    pointer.matrix = pending.layout.matrix;
    pointer.componentStride = pending.layout.componentStride;
    pointer.flags |= pointerFlags(inst.result);
    setPointer(inst, std::move(pointer));
  } else if (liesInMemory(info)) {
    pending.incoming = createTemporary(info);
    pending.composite = createTemporary(info);
    setComposite(inst, *pending.composite);
  } else {
    setValue(inst, makePhi(DOVETAIL_TRY(valueType(inst, inst.resultType))));
  }
  m_scope->phis.push_back(std::move(pending));
  return {};
}

// The values that come in along one edge, one for each of the phis.
Result<llvm::SmallVector<llvm::Value *, 2>> Translator::incomingValues(const Scope::PendingPhi &pending, uint32_t id) {
  const Instruction &inst = *pending.inst;
  llvm::SmallVector<Value *, 2> values;
  const IdValue *bound = find(id);
  Value *incoming = bound && bound->pointer ? DOVETAIL_TRY(pointerToValue(inst, *bound->pointer, pending.layout))
                                            : DOVETAIL_TRY(value(inst, id));
  if (pending.phis.size() == 1)
    values.push_back(incoming);
  else
    for (unsigned i = 0; i < pending.phis.size(); ++i)
      values.push_back(m_builder.CreateExtractValue(incoming, i));
  for (size_t i = 0; i < pending.phis.size(); ++i)
    if (values.size() != pending.phis.size() || values[i]->getType() != pending.phis[i]->getType())
      return unsupported(inst, fmt::format("%{} is of another kind than the result", id));
  return values;
}

// LLVM wants an entry for each edge; a switch may have several edges to the same block.
Result<void> Translator::completePhis() {
  for (const Scope::PendingPhi &pending : m_scope->phis) {
    const Instruction &inst = *pending.inst;
    llvm::BasicBlock *block = m_scope->entryOf.at(pending.block);
    for (size_t i = 0; i + 1 < inst.operandCount(); i += 2) {
      auto end = m_scope->endOf.find(inst.operand(i + 1));
      if (end == m_scope->endOf.end())
        continue; // an unreachable predecessor
      llvm::Instruction *terminator = end->second->getTerminator();
      m_builder.SetInsertPoint(terminator);
      if (pending.composite) {
        DOVETAIL_CHECK(storeBound(inst, pending.incoming, inst.operand(i), {}));
        continue;
      }
      const auto incoming = DOVETAIL_TRY(incomingValues(pending, inst.operand(i)));
      for (unsigned edge = 0; edge < terminator->getNumSuccessors(); ++edge)
        for (size_t part = 0; terminator->getSuccessor(edge) == block && part < incoming.size(); ++part)
          pending.phis[part]->addIncoming(incoming[part], end->second);
    }
    for (auto [kept, end] = m_scope->kept.equal_range(pending.block); kept != end; ++kept)
      for (llvm::PHINode *phi : pending.phis)
        phi->addIncoming(llvm::PoisonValue::get(phi->getType()), kept->second);
    if (pending.composite) {
      m_builder.SetInsertPoint(block, block->getFirstInsertionPt());
      DOVETAIL_CHECK(copyComposite(inst, *pending.composite, pending.incoming, {}));
    }
  }
  return {};
}

} // namespace dovetail::spirv
