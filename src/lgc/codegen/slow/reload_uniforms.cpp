// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/reload_uniforms.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// Of about 100 SGPRs, which also hold other values.
constexpr unsigned MaxDwords = 64;

// The number of dwords of a uniform; 0 for other instructions. A uniform at a computed place does not count: to load it
// again, the place would stay in SGPRs instead.
unsigned uniformDwords(const Instruction &inst) {
  auto *load = dyn_cast<IntrinsicInst>(&inst);
  if (!load || load->getIntrinsicID() != Intrinsic::amdgcn_s_buffer_load || !isa<Constant>(load->getArgOperand(1)))
    return 0;
  return static_cast<unsigned>(load->getType()->getPrimitiveSizeInBits().getFixedValue() / 32);
}

class Reloading {
public:
  explicit Reloading(ArrayRef<BasicBlock *> pieces) : m_pieces(pieces.begin(), pieces.end()) {}

  void run(BasicBlock &block) {
    m_block = &block;
    m_copies.clear();
    for (Instruction &inst : block)
      if (!isa<PHINode>(inst))
        for (Use &operand : inst.operands())
          operand.set(valueFor(&inst, operand));
  }

private:
  // Whether the value is a uniform, or consists of uniforms and constants without computation: parts of them, and
  // splats.
  bool isUniform(const Value *value) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst)
      return isa<Constant>(value);
    if (!isa<BitCastInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst>(inst))
      return uniformDwords(*inst) != 0;
    if (auto known = m_isUniform.find(inst); known != m_isUniform.end())
      return known->second;
    return m_isUniform[inst] = all_of(inst->operands(), [&](const Use &part) { return isUniform(part); });
  }

  // The value; for a uniform of another piece, a copy in front of its first user.
  Value *valueFor(Instruction *user, Value *value) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || inst->getParent() == m_block || !m_pieces.contains(inst->getParent()) || !isUniform(inst))
      return value;
    if (Instruction *made = m_copies.lookup(inst))
      return made;
    Instruction *copy = inst->clone();
    for (Use &operand : copy->operands())
      operand.set(valueFor(user, operand));
    copy->insertBefore(user->getIterator());
    m_copies[inst] = copy;
    return copy;
  }

  const SmallPtrSet<const BasicBlock *, 16> m_pieces;
  BasicBlock *m_block = nullptr;
  DenseMap<const Instruction *, bool> m_isUniform;
  DenseMap<const Instruction *, Instruction *> m_copies; // in this block
};

} // namespace

bool hasManyUniforms(const BasicBlock &block) {
  unsigned dwords = 0;
  for (const Instruction &inst : block)
    dwords += uniformDwords(inst);
  return dwords > MaxDwords;
}

void reloadUniforms(ArrayRef<BasicBlock *> pieces) {
  Reloading reloading(pieces);
  for (BasicBlock *piece : pieces)
    reloading.run(*piece);
}

} // namespace lgc
