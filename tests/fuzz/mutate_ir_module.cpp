// SPDX-License-Identifier: MIT
#include "tests/fuzz/mutate_ir.h"
#include <array>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace dovetail::fuzz {

namespace {

using Random = std::mt19937_64;

uint64_t pickNumber(Random &random) {
  constexpr std::array<uint64_t, 24> numbers = {0,  1,  2,  3,  4,  5,   6,   7,   8,   9,     12,         15,
                                                16, 31, 32, 63, 64, 127, 128, 255, 256, 65535, 0x7fffffff, 0xffffffff};
  return numbers[random() % numbers.size()];
}

template <typename List> auto pick(List &list, Random &random) {
  return list[random() % list.size()];
}

std::vector<Instruction *> instructionsOf(Module &module) {
  std::vector<Instruction *> all;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      all.push_back(&instruction);
  return all;
}

std::vector<CallInst *> callsOf(Module &module) {
  std::vector<CallInst *> calls;
  for (Instruction *instruction : instructionsOf(module))
    if (auto *call = dyn_cast<CallInst>(instruction); call && call->getCalledFunction())
      calls.push_back(call);
  return calls;
}

// Replaces an operand by another value of its type that exists at that place, or by a constant.
void changeOperand(Module &module, Random &random) {
  const std::vector<Instruction *> all = instructionsOf(module);
  if (all.empty())
    return;
  Instruction *instruction = pick(all, random);
  if (instruction->getNumOperands() == 0)
    return;
  Use &use = instruction->getOperandUse(random() % instruction->getNumOperands());
  Type *type = use->getType();
  if (isa<BasicBlock, Function>(use.get()) || type->isMetadataTy())
    return;
  const unsigned choice = random() % 8;
  if (choice == 0)
    return use.set(UndefValue::get(type));
  if (choice == 1)
    return use.set(PoisonValue::get(type));
  if (choice == 2)
    return use.set(Constant::getNullValue(type));
  if (choice <= 4 && type->isIntegerTy())
    return use.set(ConstantInt::get(cast<IntegerType>(type), pickNumber(random)));
  const DominatorTree dominators(*instruction->getFunction());
  std::vector<Value *> others;
  for (Instruction &other : instructions(*instruction->getFunction()))
    if (other.getType() == type && dominators.dominates(&other, use))
      others.push_back(&other);
  for (Argument &argument : instruction->getFunction()->args())
    if (argument.getType() == type)
      others.push_back(&argument);
  if (!others.empty())
    use.set(pick(others, random));
}

// Changes a constant of a call: the immediates of ops are there.
void changeImmediate(Module &module, Random &random) {
  const std::vector<CallInst *> calls = callsOf(module);
  if (calls.empty())
    return;
  CallInst *call = pick(calls, random);
  if (call->arg_empty())
    return;
  const unsigned at = random() % call->arg_size();
  if (auto *number = dyn_cast<ConstantInt>(call->getArgOperand(at)))
    call->setArgOperand(at, ConstantInt::get(number->getType(), pickNumber(random)));
}

// Replaces the callee by another function of the same type.
void changeCallee(Module &module, Random &random) {
  const std::vector<CallInst *> calls = callsOf(module);
  if (calls.empty())
    return;
  CallInst *call = pick(calls, random);
  std::vector<Function *> others;
  for (Function &function : module)
    if (function.getFunctionType() == call->getFunctionType() && function.isDeclaration())
      others.push_back(&function);
  call->setCalledFunction(pick(others, random));
}

// Replaces an op by another of the same type, which the module may not have yet.
void changeOp(Module &module, Random &random) {
  constexpr std::array mnemonics = {"hardware.value",
                                    "vertex.attribute",
                                    "flat.fragment.input",
                                    "vertex.fragment.input",
                                    "color.input",
                                    "write.output",
                                    "load.descriptor",
                                    "geometry.input",
                                    "patch.input",
                                    "read.patch.output",
                                    "send.vertex",
                                    "send.cut",
                                    "return.value",
                                    "emit.vertex",
                                    "end.primitive",
                                    "kill",
                                    "barrier",
                                    "derivative",
                                    "read.generic.input",
                                    "read.builtin.input",
                                    "read.builtin.output",
                                    "read.generic.output",
                                    "read.push.constants",
                                    "load.push.constant",
                                    "image.query.size",
                                    "write.patch.output",
                                    "sample.mask.in",
                                    "extend.address",
                                    "buffer.length",
                                    "capture.output",
                                    "write.builtin.output",
                                    "write.generic.output",
                                    "load.buffer.desc",
                                    "load.image.desc",
                                    "demote.to.helper.invocation"};
  const std::vector<CallInst *> calls = callsOf(module);
  if (calls.empty())
    return;
  CallInst *call = pick(calls, random);
  const std::string name = std::string("lgc.") + mnemonics[random() % mnemonics.size()] + ".any";
  Function *other = module.getFunction(name);
  if (!other || other->getFunctionType() != call->getFunctionType())
    other = Function::Create(call->getFunctionType(), GlobalValue::ExternalLinkage, name, module);
  call->setCalledFunction(other);
}

void removeInstruction(Module &module, Random &random) {
  const std::vector<Instruction *> all = instructionsOf(module);
  if (all.empty())
    return;
  Instruction *instruction = pick(all, random);
  if (instruction->isTerminator() || instruction->getType()->isTokenTy())
    return;
  if (!instruction->getType()->isVoidTy())
    instruction->replaceAllUsesWith(UndefValue::get(instruction->getType()));
  instruction->eraseFromParent();
}

// Copies an instruction to another place, where its operands may not exist yet.
void copyInstruction(Module &module, Random &random) {
  const std::vector<Instruction *> all = instructionsOf(module);
  if (all.empty())
    return;
  Instruction *instruction = pick(all, random), *to = pick(all, random);
  if (instruction->isTerminator() || isa<PHINode>(instruction) || isa<PHINode>(to))
    return;
  instruction->clone()->insertBefore(to->getIterator());
}

// Changes something in the metadata that has the state of the compile.
void changeMetadata(Module &module, Random &random) {
  std::vector<MDNode *> nodes;
  for (NamedMDNode &named : module.named_metadata())
    for (MDNode *node : named.operands())
      nodes.push_back(node);
  for (size_t i = 0; i < nodes.size() && nodes.size() < 4096; ++i)
    for (const MDOperand &operand : nodes[i]->operands())
      if (auto *node = dyn_cast_or_null<MDNode>(operand.get()))
        nodes.push_back(node);
  if (nodes.empty())
    return;
  MDNode *node = pick(nodes, random);
  if (node->getNumOperands() == 0)
    return;
  const unsigned at = random() % node->getNumOperands();
  auto *number = mdconst::dyn_extract_or_null<ConstantInt>(node->getOperand(at));
  if (number && random() % 4 != 0)
    return node->replaceOperandWith(at,
                                    ConstantAsMetadata::get(ConstantInt::get(number->getType(), pickNumber(random))));
  MDNode *other = pick(nodes, random);
  if (other->getNumOperands() != 0)
    node->replaceOperandWith(at, other->getOperand(random() % other->getNumOperands()));
}

void removeMetadata(Module &module, Random &random) {
  std::vector<NamedMDNode *> named;
  for (NamedMDNode &one : module.named_metadata())
    named.push_back(&one);
  if (!named.empty())
    module.eraseNamedMetadata(pick(named, random));
}

void changeBranch(Module &module, Random &random) {
  const std::vector<Instruction *> all = instructionsOf(module);
  if (all.empty())
    return;
  Instruction *end = pick(all, random)->getParent()->getTerminator();
  if (end->getNumSuccessors() == 0)
    return;
  std::vector<BasicBlock *> blocks;
  for (BasicBlock &block : *end->getFunction())
    if (!block.isEntryBlock() && !isa<PHINode>(block.front()))
      blocks.push_back(&block);
  const unsigned at = random() % end->getNumSuccessors();
  if (!blocks.empty() && !isa<PHINode>(end->getSuccessor(at)->front()))
    end->setSuccessor(at, pick(blocks, random));
}

} // namespace

void mutateModule(Module &module, Random &random) {
  for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
    switch (random() % 14) {
    case 0:
    case 1:
    case 2:
      changeOperand(module, random);
      break;
    case 3:
    case 4:
    case 5:
      changeImmediate(module, random);
      break;
    case 6:
      changeCallee(module, random);
      break;
    case 7:
      changeOp(module, random);
      break;
    case 8:
      removeInstruction(module, random);
      break;
    case 9:
      copyInstruction(module, random);
      break;
    case 10:
    case 11:
      changeMetadata(module, random);
      break;
    case 12:
      changeBranch(module, random);
      break;
    default:
      if (random() % 4 == 0)
        removeMetadata(module, random);
      break;
    }
}

} // namespace dovetail::fuzz
