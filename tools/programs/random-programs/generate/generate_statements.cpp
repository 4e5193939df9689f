// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/generate/generator.h"
#include "tools/programs/random-programs/interpret/interpret.h"
#include "tools/programs/random-programs/program/structures.h"
#include <algorithm>

namespace dovetail::random_programs {

Statement ProgramGenerator::store(unsigned word, Expression value) {
  Statement statement;
  statement.kind = StatementKind::Store;
  statement.space = Space::Output;
  statement.values = {std::move(value), constant(I32, word)};
  return statement;
}

// A word of any value; a composite's components are combined.
Expression ProgramGenerator::asWord(Expression value) {
  const Type type = value.type;
  if (!type.isScalar()) {
    Expression sum;
    // Of a long composite, only some parts count.
    const bool isLong = type.parts() > 16;
    for (unsigned i = 0; i < (isLong ? 4 : type.parts()); ++i) {
      const unsigned number = isLong ? m_random.below(type.parts()) : i;
      Expression part = make(Op::Extract, type.part(number), {value});
      part.words = {number};
      Expression word = asWord(std::move(part));
      if (i == 0)
        sum = std::move(word);
      else
        sum = make(Op::Add, I32, {make(Op::Multiply, I32, {std::move(sum), constant(I32, 31)}), std::move(word)});
    }
    return sum;
  }
  switch (type.scalar) {
  case Scalar::Bool:
    return make(Op::Select, I32, {std::move(value), constant(I32, 1), constant(I32, 0)});
  case Scalar::I8:
  case Scalar::I16:
    return make(m_random.chance(50) ? Op::ConvertUnsigned : Op::ConvertSigned, I32, {std::move(value)});
  case Scalar::I32:
    return value;
  case Scalar::I64: {
    Expression high = make(Op::ShiftRight, I64, {value, constant(I64, 32)});
    return make(
        Op::Xor, I32,
        {make(Op::ConvertUnsigned, I32, {std::move(high)}), make(Op::ConvertUnsigned, I32, {std::move(value)})});
  }
  default:
    return asWord(make(Op::Bitcast, {integerOf(bitsOf(type.scalar))}, {std::move(value)}));
  }
}

void ProgramGenerator::storeVariables(Block &block) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < m_program.variables.size(); ++i)
    order.push_back(i);
  unsigned word = 0;
  for (; word < OutputWords && !order.empty(); ++word) {
    const size_t chosen = m_random.below(uint32_t(order.size()));
    block.push_back(store(word, asWord(readVariable(m_program, order[chosen]))));
    order.erase(order.begin() + ptrdiff_t(chosen));
  }
}

Statement ProgramGenerator::assignment() {
  const uint32_t count = uint32_t(m_program.variables.size());
  for (;;) {
    const uint32_t variable = m_random.below(count);
    if (std::ranges::find(m_counters, variable) != m_counters.end())
      continue;
    const Type type = m_program.variables[variable].type;
    Statement statement;
    statement.variable = variable;
    if (!type.isScalar() && m_random.chance(60)) {
      statement.kind = StatementKind::AssignElement;
      m_program.variables[variable].isMemory = true;
      Type part = type;
      do {
        const bool isMember = part.isStructure() || m_random.chance(20);
        statement.path.push_back(isMember ? m_random.below(part.parts()) : AtIndex);
        part = part.part(isMember ? unsigned(statement.path.back()) : 0);
      } while (!part.isScalar() && m_random.chance(type.structure ? 60 : 25));
      statement.values.push_back(any(part, m_profile.depth));
      fillIndices(type, statement.path, 2, statement.values);
      return statement;
    }
    statement.values.push_back(any(type, m_profile.depth));
    statement.form = statement.values[0].op == Op::Variable && m_random.chance(70);
    return statement;
  }
}

Statement ProgramGenerator::memoryStatement() {
  Statement statement;
  statement.kind = StatementKind::Store;
  if (m_shader.isChain) {
    const bool isHanded = m_program.stage != Stage::Fragment && m_random.chance(70);
    statement.space = isHanded ? Space::Varying : Space::Output;
    statement.values.push_back(any(I32, m_profile.depth));
    statement.values.push_back(index(isHanded ? VaryingWords : OutputWords, 1));
    return statement;
  }
  if (!m_shader.hasDerivatives && m_random.chance(m_profile.structures))
    return structureStore();
  switch (m_random.below(4)) {
  case 0: {
    statement.kind = StatementKind::Atomic;
    statement.space = Space::Counters;
    // Each counter has one form of atomics, or all counters have the same form.
    const bool isOneForm = m_program.number % 3 == 0;
    const uint32_t counter = m_random.below(CounterWords);
    statement.form = uint8_t((isOneForm ? m_program.number / 3 : counter + m_program.number) % AtomicFormCount);
    statement.values = {any(I32, m_profile.depth - 1), isOneForm ? index(CounterWords, 1) : constant(I32, counter)};
    return statement;
  }
  case 1:
  case 2:
    if (m_random.chance(50) && !m_shader.hasDerivatives)
      return scratchStore();
    statement.space = Space::Output;
    statement.values = {any(I32, m_profile.depth), constant(I32, m_random.below(OutputWords))};
    return statement;
  default:
    return m_shader.hasDerivatives ? assignment() : scratchStore();
  }
}

Statement ProgramGenerator::scratchStore() {
  static constexpr Scalar Scalars[] = {Scalar::I8,  Scalar::I16, Scalar::I32, Scalar::I32,
                                       Scalar::F16, Scalar::F32, Scalar::I64};
  Statement statement;
  statement.kind = StatementKind::Store;
  statement.space = Space::Scratch;
  statement.values.push_back(any({m_random.pick(Scalars)}, m_profile.depth));
  statement.values.push_back(index(ScratchElements, 1));
  return statement;
}

// Stores a structure or a part of one, often a copy from another buffer.
Statement ProgramGenerator::structureStore() {
  Statement statement;
  statement.kind = StatementKind::Store;
  statement.space = Space::Scratch;
  do
    statement.structure = anyStructure();
  while (!hasLayout(statement.structure));
  Type part = {.structure = statement.structure};
  while (!part.isScalar() && m_random.chance(40)) {
    const bool isIndexed = !part.isStructure() && m_random.chance(60);
    statement.path.push_back(isIndexed ? AtIndex : m_random.below(part.parts()));
    part = part.part(isIndexed ? 0 : unsigned(statement.path.back()));
  }
  std::optional<Expression> copied = m_random.chance(40) ? loadPart(part) : std::nullopt;
  statement.form = copied && m_random.chance(50);
  statement.values.push_back(copied ? std::move(*copied) : any(part, m_profile.depth));
  statement.values.push_back(index(scratchElements(contentOf(part.scalar, statement.structure)), 1));
  fillIndices({.structure = statement.structure}, statement.path, 1, statement.values);
  return statement;
}

std::optional<Statement> ProgramGenerator::jump() {
  Statement statement;
  const unsigned kind = m_random.below(100);
  if (m_program.stage == Stage::Fragment && kind < 12) {
    statement.kind = m_random.chance(70) ? StatementKind::Demote : StatementKind::Kill;
    return statement;
  }
  if (kind < 30 && m_mayReturn)
    statement.kind = StatementKind::Return;
  else if (kind < 60 && m_loops > 0)
    statement.kind = StatementKind::Continue;
  else if (kind < 85 && (m_profile.parted ? m_isInSwitch : m_breakable > 0))
    statement.kind = StatementKind::Break;
  else if (m_loops > 0 && m_isInSwitch && m_profile.parted == 0)
    statement.kind = StatementKind::BreakLoop;
  else
    return std::nullopt;
  return statement;
}

Block ProgramGenerator::block(unsigned count, unsigned nesting) {
  Block result;
  for (unsigned i = 0; i < count && m_budget > 0; ++i)
    addStatement(result, nesting);
  return result;
}

void ProgramGenerator::addStatement(Block &block, unsigned nesting) {
  if (nesting > 0 && m_random.chance(m_profile.controlFlow))
    return addControlFlow(block, nesting - 1);
  if (m_profile.parted && mayPartSubgroups() && m_random.chance(m_profile.parted))
    return block.push_back(subgroupOperation());
  block.push_back(m_random.chance(m_profile.memory) ? memoryStatement() : assignment());
}

void ProgramGenerator::addControlFlow(Block &block, unsigned nesting) {
  const unsigned kind = m_random.below(10);
  block.push_back(kind < 5 ? condition(nesting) : kind < 8 ? loop(nesting) : choice(nesting));
}

Statement ProgramGenerator::condition(unsigned nesting) {
  Statement statement;
  statement.kind = StatementKind::If;
  statement.values.push_back(any(Bool, m_profile.depth));
  std::optional<Statement> exit = m_random.chance(40) ? jump() : std::nullopt;
  statement.form = uint8_t(exit && m_random.chance(40));
  Block then = statement.form ? Block() : this->block(m_random.between(1, 3), nesting);
  if (exit)
    then.push_back(std::move(*exit));
  statement.blocks.push_back(std::move(then));
  if (!statement.form && m_random.chance(40)) {
    Block otherwise = this->block(m_random.between(1, 2), nesting);
    if (m_random.chance(15))
      if (std::optional<Statement> other = jump())
        otherwise.push_back(std::move(*other));
    statement.blocks.push_back(std::move(otherwise));
  }
  return statement;
}

Statement ProgramGenerator::loop(unsigned nesting) {
  Statement statement;
  statement.kind = StatementKind::Loop;
  statement.variable = addVariable(I32);
  statement.form = uint8_t(m_random.below(LoopFormCount));
  if (m_random.chance(40))
    statement.values.push_back(constant(I32, m_random.between(1, 5)));
  else
    statement.values.push_back(make(Op::And, I32, {any(I32, 2), constant(I32, m_random.chance(50) ? 3 : 7)}));
  m_counters.push_back(statement.variable);
  const bool wasInSwitch = m_isInSwitch;
  m_isInSwitch = false;
  ++m_loops;
  ++m_breakable;
  Block body = this->block(m_random.between(1, 4), nesting);
  // An extra exit, which lanes take in different rounds. SPIR-V leaves open whether an operation in front of an exit is
  // in the loop, so that only invocations of one round meet there.
  if (m_random.chance(50)) {
    Statement leave;
    leave.kind = StatementKind::If;
    leave.values.push_back(any(Bool, m_profile.depth));
    std::optional<Statement> exit = m_profile.parted ? Statement{.kind = StatementKind::Break} : jump();
    if (exit) {
      leave.form = uint8_t(m_random.chance(50));
      leave.blocks.push_back({std::move(*exit)});
      const uint32_t places = m_profile.parted ? 1 : uint32_t(body.size() + 1);
      body.insert(body.begin() + ptrdiff_t(m_random.below(places)), std::move(leave));
    }
  }
  statement.blocks.push_back(std::move(body));
  --m_breakable;
  --m_loops;
  m_isInSwitch = wasInSwitch;
  return statement;
}

Statement ProgramGenerator::choice(unsigned nesting) {
  static constexpr Scalar Scalars[] = {Scalar::I32, Scalar::I32, Scalar::I32, Scalar::I16, Scalar::I8, Scalar::I64};
  Statement statement;
  statement.kind = StatementKind::Switch;
  const Type type = {m_random.pick(Scalars)};
  const bool isSmall = m_random.chance(80);
  Expression selector = any(type, m_profile.depth - 1);
  if (isSmall)
    selector = make(Op::And, type, {std::move(selector), constant(type, 7)});
  statement.values.push_back(std::move(selector));
  const bool wasInSwitch = m_isInSwitch;
  m_isInSwitch = true;
  ++m_breakable;
  ++m_switches;
  std::vector<uint64_t> used;
  const unsigned count = m_random.between(1, 4);
  for (unsigned i = 0; i <= count; ++i) {
    SwitchCase one;
    for (unsigned label = i < count ? m_random.between(1, 2) : 0; label > 0; --label) {
      uint64_t word = isSmall ? m_random.below(8) : interestingWord(bitsOf(type.scalar));
      while (std::ranges::find(used, word) != used.end())
        word = isSmall ? (word + 1) % 16 : interestingWord(bitsOf(type.scalar));
      used.push_back(word);
      one.labels.push_back(word);
    }
    Block body = this->block(m_random.between(i < count ? 1 : 0, 2), nesting);
    if (m_random.chance(20))
      if (std::optional<Statement> exit = jump())
        body.push_back(std::move(*exit));
    one.fallsThrough = i + 1 < count && m_random.chance(30);
    statement.blocks.push_back(std::move(body));
    statement.cases.push_back(std::move(one));
  }
  --m_breakable;
  --m_switches;
  m_isInSwitch = wasInSwitch;
  return statement;
}

// Makes values that live from here to addSums().
void ProgramGenerator::addPressure(Block &block) {
  const uint32_t first = uint32_t(m_program.variables.size());
  for (unsigned i = 0; i < m_profile.pressure; ++i) {
    const uint32_t variable = addVariable(I32);
    m_program.variables[variable].isMemory = false;
    m_long.push_back(variable);
    Statement statement;
    statement.variable = variable;
    Expression loaded = make(Op::Load, I32, {});
    loaded.space = m_random.chance(70) ? Space::Input : Space::Uniform;
    const unsigned count = loaded.space == Space::Input ? InputElements : UniformElements;
    Expression place = make(Op::Add, I32, {make(Op::Lane, I32, {}), constant(I32, i)});
    loaded.arguments.push_back(m_random.chance(70) ? make(Op::And, I32, {std::move(place), constant(I32, count - 1)})
                                                   : constant(I32, i % count));
    statement.values.push_back(
        i > 2 && m_random.chance(30)
            ? make(Op::Xor, I32, {std::move(loaded), readVariable(m_program, m_random.between(first, variable - 1))})
            : std::move(loaded));
    block.push_back(std::move(statement));
  }
}

void ProgramGenerator::addSums(Block &block) {
  for (unsigned word = 0; word < 4; ++word) {
    Expression sum = constant(I32, word);
    for (size_t i = word; i < m_long.size(); i += 4)
      sum = make(m_random.chance(50) ? Op::Add : Op::Xor, I32, {std::move(sum), readVariable(m_program, m_long[i])});
    block.push_back(store(word, std::move(sum)));
  }
}

} // namespace dovetail::random_programs
