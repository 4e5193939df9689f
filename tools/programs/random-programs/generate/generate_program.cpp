// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/generate/generator.h"
#include <algorithm>

namespace dovetail::random_programs {

ProgramGenerator::ProgramGenerator(Shader &shader, Random &random, const Profile &profile, uint32_t number, Stage stage)
    : m_shader(shader), m_random(random), m_profile(profile) {
  m_program.number = number;
  m_program.stage = stage;
}

Scalar ProgramGenerator::anyIntegerScalar() {
  static constexpr Scalar Scalars[] = {Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64};
  return m_random.pick(Scalars);
}

Scalar ProgramGenerator::anyFloatScalar() {
  static constexpr Scalar Scalars[] = {Scalar::F16, Scalar::F32, Scalar::F32, Scalar::F64};
  return m_random.pick(Scalars);
}

Type ProgramGenerator::anyInnerType() {
  const unsigned kind = m_random.below(100);
  if (kind < m_profile.floats) {
    return {anyFloatScalar()};
  }
  if (kind < m_profile.floats + m_profile.narrow)
    return {m_random.chance(50) ? Scalar::I8 : Scalar::I16};
  if (kind < m_profile.floats + m_profile.narrow + m_profile.wide)
    return I64;
  return I32;
}

// Large structures are rare, because they take long to compile.
uint8_t ProgramGenerator::anyStructure() {
  for (;;) {
    const auto number = uint8_t(m_random.between(1, StructureCount));
    if (Type{.structure = number}.components() <= 30 || m_random.chance(10))
      return number;
  }
}

Type ProgramGenerator::anyVariableType() {
  if (m_random.chance(m_profile.structures)) {
    const uint8_t elements = m_random.chance(20) ? uint8_t(m_random.between(2, 4)) : 0;
    return {.elements = elements, .structure = anyStructure()};
  }
  Type type = m_random.chance(12) ? Bool : anyInnerType();
  if (m_random.chance(m_profile.vectors))
    type.width = uint8_t(m_random.between(2, 4));
  if (isFloat(type.scalar) && type.scalar != Scalar::F16 && m_random.chance(15)) {
    type.width = uint8_t(m_random.between(2, 4));
    type.columns = 3;
  } else if (m_random.chance(m_profile.arrays)) {
    type.elements = uint8_t(m_random.chance(70) ? 4 : m_random.between(2, 9));
  }
  return type;
}

uint32_t ProgramGenerator::addVariable(const Type &type) {
  Variable variable;
  variable.type = type;
  variable.initial = anyConstant(type).words;
  // Composite variables also become memory where they are indexed.
  variable.isMemory = m_random.chance(30);
  m_program.variables.push_back(std::move(variable));
  return uint32_t(m_program.variables.size() - 1);
}

std::optional<uint32_t> ProgramGenerator::variableOf(const Type &type) {
  std::vector<uint32_t> candidates;
  for (uint32_t i = 0; i < m_program.variables.size(); ++i)
    if (m_program.variables[i].type == type && std::ranges::find(m_counters, i) == m_counters.end())
      candidates.push_back(i);
  if (candidates.empty())
    return std::nullopt;
  return candidates[m_random.below(uint32_t(candidates.size()))];
}

SmallProgram ProgramGenerator::makeProgram() {
  addVariable(I32);
  for (unsigned i = m_random.between(2, 6); i > 0; --i)
    addVariable(anyVariableType());
  Block body;
  // First assign values that differ between invocations, and values that do not.
  for (unsigned i = m_random.below(3); i > 0; --i)
    body.push_back(assignment());
  if (m_profile.pressure)
    addPressure(body);
  for (unsigned i = 0; i < m_profile.statements && m_budget > 0; ++i) {
    if (m_random.chance(m_profile.subgroups)) {
      addConvergent(body);
      continue;
    }
    // With subgroup operations, no invocation may return early: it would be missing in what follows.
    m_mayReturn = m_profile.subgroups == 0;
    addStatement(body, m_profile.flow);
  }
  if (m_profile.pressure)
    addSums(body);
  else
    storeVariables(body);
  m_program.body = std::move(body);
  bool returns = false;
  visitStatements(m_program.body,
                  [&](const Statement &statement) { returns |= statement.kind == StatementKind::Return; });
  m_program.isInline = !returns && m_random.chance(50);
  return std::move(m_program);
}

} // namespace dovetail::random_programs
