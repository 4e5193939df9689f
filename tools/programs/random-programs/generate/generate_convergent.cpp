// SPDX-License-Identifier: MIT
//
// Subgroup operations, derivatives, and shared memory with barriers: statements that need all invocations, at least all
// of a workgroup.
#include "tools/programs/random-programs/generate/generator.h"
#include "tools/programs/random-programs/interpret/interpret.h"

namespace dovetail::random_programs {

void ProgramGenerator::addConvergent(Block &block) {
  if (m_shader.stage == Stage::Fragment)
    return addDerivative(block);
  if (m_shader.groups() > 1 && m_random.chance(25))
    return addForSomeGroups(block);
  if (m_random.chance(40) && m_shader.sharedElements)
    return addShared(block);
  block.push_back(subgroupOperation());
}

void ProgramGenerator::addDerivative(Block &block) {
  if (!m_shader.hasDerivatives)
    return block.push_back(assignment());
  Expression small = make(Op::FloatOfUnsigned, F32, {make(Op::And, I32, {any(I32, 2), constant(I32, 0xfff)})});
  Expression derivative = make(Op::Derivative, F32, {std::move(small)});
  derivative.words = {m_random.below(2)};
  block.push_back(store(m_random.below(OutputWords), make(Op::SignedOfFloat, I32, {std::move(derivative)})));
}

// A branch that all invocations of a workgroup take together.
void ProgramGenerator::addForSomeGroups(Block &block) {
  Statement statement;
  statement.kind = StatementKind::If;
  Expression group = make(Op::Group, I32, {});
  statement.values.push_back(m_random.chance(50)
                                 ? make(Op::Less, Bool, {std::move(group), constant(I32, m_random.between(1, 3))})
                                 : make(Op::Equal, Bool,
                                        {make(Op::And, I32, {std::move(group), constant(I32, 1)}),
                                         make(Op::And, I32, {anyUniform(), constant(I32, 1)})}));
  statement.blocks.resize(m_random.chance(60) ? 1 : 2);
  for (Block &arm : statement.blocks)
    for (unsigned i = m_random.between(1, 2); i > 0; --i)
      m_random.chance(60) ? addShared(arm) : arm.push_back(subgroupOperation());
  block.push_back(std::move(statement));
}

Expression ProgramGenerator::anyUniform() {
  Expression loaded = make(Op::Load, I32, {constant(I32, m_random.below(UniformElements))});
  loaded.space = Space::Uniform;
  return loaded;
}

// Each invocation stores a word at its own place, in another order. Perhaps all add to words then. At last each loads
// another invocation's word.
void ProgramGenerator::addShared(Block &block) {
  const unsigned count = m_shader.sharedElements;
  Statement barrier;
  barrier.kind = StatementKind::Barrier;
  Statement put;
  put.kind = StatementKind::Store;
  put.space = Space::Shared;
  Expression own = make(Op::Xor, I32, {make(Op::Lane, I32, {}), constant(I32, m_random.below(count))});
  if (m_shader.groups() > 1)
    own = make(Op::And, I32, {std::move(own), constant(I32, count - 1)});
  put.values = {any(I32, m_profile.depth), std::move(own)};
  block.push_back(barrier);
  block.push_back(std::move(put));
  block.push_back(barrier);
  if (m_random.chance(50)) {
    addSharedAtomics(block);
    block.push_back(barrier);
  }
  Statement statement;
  Expression loaded = make(Op::Load, I32, {index(count, 2)});
  loaded.space = Space::Shared;
  statement.variable = *variableOf(I32);
  statement.values.push_back(make(Op::Add, I32, {std::move(loaded), readVariable(m_program, statement.variable)}));
  block.push_back(std::move(statement));
}

// All atomics are of one kind, so their order does not matter.
void ProgramGenerator::addSharedAtomics(Block &block) {
  Statement atomic;
  atomic.kind = StatementKind::Atomic;
  atomic.space = Space::Shared;
  atomic.form = uint8_t(m_random.below(AtomicFormCount));
  for (unsigned i = m_random.between(1, 2); i > 0; --i) {
    // Many invocations use one word, or any words.
    static constexpr unsigned Few[] = {1, 2, 4};
    const unsigned words = m_random.chance(50) ? m_random.pick(Few) : m_shader.sharedElements;
    atomic.values = {any(I32, m_profile.depth - 1), index(words, 2)};
    if (m_random.chance(50)) {
      block.push_back(atomic);
      continue;
    }
    Statement some;
    some.kind = StatementKind::If;
    some.values.push_back(any(Bool, m_profile.depth - 1));
    some.blocks.push_back({atomic});
    block.push_back(std::move(some));
  }
}

// SPIR-V leaves open which invocations meet where one case of a switch goes on in another one.
bool ProgramGenerator::mayPartSubgroups() const {
  return m_program.stage == Stage::Compute && m_switches == 0;
}

Statement ProgramGenerator::subgroupOperation() {
  Statement statement;
  auto form = SubgroupForm(m_random.below(SubgroupFormCount));
  auto namesLane = [&] { return form >= SubgroupForm::Broadcast && form <= SubgroupForm::ShuffleXor; };
  while (m_profile.parted && namesLane() && m_random.chance(80)) // the lane is seldom there
    form = SubgroupForm(m_random.below(SubgroupFormCount));
  const bool isBallot = form >= SubgroupForm::Ballot;
  const Type type = form == SubgroupForm::Ballot ? I32 : isBallot ? Bool : m_random.chance(70) ? I32 : I64;
  // Under pressure, allocation splits or spills values that live long where they are used and replaced.
  const bool isLong = m_profile.parted && !m_long.empty() && !isBallot && type == I32 && m_random.chance(70);
  auto anyLong = [&] { return m_long[m_random.below(uint32_t(m_long.size()))]; };
  Expression operand = isLong ? readVariable(m_program, anyLong()) : any(isBallot ? Bool : type, m_profile.depth);
  Expression value = make(Op::Subgroup, type, {std::move(operand)});
  value.words = {uint64_t(form)};
  if (form == SubgroupForm::Ballot)
    value.words.push_back(m_random.below(2));
  if (form == SubgroupForm::Broadcast || form == SubgroupForm::ShuffleXor)
    value.arguments.push_back(constant(I32, m_random.below(SubgroupLanes)));
  if (form == SubgroupForm::Shuffle)
    value.arguments.push_back(index(SubgroupLanes, 2));
  std::optional<uint32_t> variable = isLong ? anyLong() : variableOf(type);
  statement.variable = variable ? *variable : addVariable(type);
  statement.values.push_back(std::move(value));
  return statement;
}

} // namespace dovetail::random_programs
