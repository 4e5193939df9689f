// SPDX-License-Identifier: MIT
//
// Makes arrays, matrices and structures: whole ones, parts of them, and functions with such parameters.
#include "tools/programs/random-programs/generate/generator.h"
#include "tools/programs/random-programs/program/structures.h"

namespace dovetail::random_programs {

void ProgramGenerator::fillIndices(const Type &whole, const Path &path, unsigned depth,
                                   std::vector<Expression> &indices) {
  Type type = whole;
  for (uint64_t step : path) {
    if (step == AtIndex)
      indices.push_back(index(type.parts(), depth));
    type = type.part(step == AtIndex ? 0 : unsigned(step));
  }
}

std::vector<Path> ProgramGenerator::anyPathsTo(const Type &whole, const Type &part) {
  std::vector<Path> paths = pathsTo(whole, part);
  for (Path &path : paths) {
    Type type = whole;
    for (uint64_t &step : path) {
      const Type next = type.part(step == AtIndex ? 0 : unsigned(step));
      if (step == AtIndex && m_random.chance(40))
        step = m_random.below(type.parts());
      type = next;
    }
  }
  return paths;
}

std::optional<Expression> ProgramGenerator::component(const Type &type, unsigned depth) {
  // Numbers: first variables, then parameters.
  const size_t variables = m_program.variables.size();
  std::vector<std::pair<size_t, Path>> candidates;
  for (size_t i = 0; i < variables + m_parameters.size(); ++i) {
    const Type &whole = i < variables ? m_program.variables[i].type : m_parameters[i - variables];
    for (Path &path : anyPathsTo(whole, type))
      if (!path.empty())
        candidates.emplace_back(i, std::move(path));
  }
  if (candidates.empty())
    return std::nullopt;
  const auto &[number, path] = candidates[m_random.below(uint32_t(candidates.size()))];
  const bool isParameter = number >= variables;
  const Type &whole = isParameter ? m_parameters[number - variables] : m_program.variables[number].type;
  Expression result;
  if (isParameter || m_random.chance(40)) {
    Expression composite = isParameter
                               ? Expression{.op = Op::Parameter, .type = whole, .index = uint32_t(number - variables)}
                               : readVariable(m_program, uint32_t(number));
    result = make(Op::Extract, type, {std::move(composite)});
    result.words = path;
    Type at = whole;
    for (uint64_t &step : result.words) {
      if (step == AtIndex)
        step = m_random.below(at.parts());
      at = at.part(unsigned(step));
    }
    return result;
  }
  result = make(Op::Element, type, {});
  result.words = path;
  result.index = uint32_t(number);
  const bool isOfVector = whole.isVector() && path[0] == AtIndex;
  m_program.variables[number].isMemory |= !isOfVector;
  fillIndices(whole, path, depth, result.arguments);
  return result;
}

std::optional<Expression> ProgramGenerator::loadPart(const Type &type) {
  std::vector<std::pair<uint8_t, Path>> candidates;
  for (uint8_t number = 1; number <= StructureCount; ++number)
    if (hasLayout(number))
      for (Path &path : anyPathsTo({.structure = number}, type))
        candidates.emplace_back(number, std::move(path));
  if (candidates.empty())
    return std::nullopt;
  auto &[number, path] = candidates[m_random.below(uint32_t(candidates.size()))];
  Expression result = make(Op::Load, type, {});
  result.space = m_random.chance(50) ? Space::Scratch : Space::Input;
  result.index = number;
  const unsigned content = contentOf(type.scalar, number);
  result.arguments.push_back(
      index(result.space == Space::Scratch ? scratchElements(content) : inputElements(content), 1));
  fillIndices({.structure = number}, path, 1, result.arguments);
  result.words = std::move(path);
  return result;
}

Expression ProgramGenerator::anyComposite(const Type &type, unsigned depth) {
  switch (m_random.below(type.columns && !type.elements ? 5 : 4)) {
  case 0:
    return make(Op::Select, type, {any(Bool, depth - 1), any(type, depth - 1), leaf(type)});
  case 1: {
    // Insert any part.
    Expression result = make(Op::Insert, type, {any(type, depth - 1)});
    Type part = type;
    do {
      result.words.push_back(m_random.below(part.parts()));
      part = part.part(unsigned(result.words.back()));
    } while (!part.isScalar() && m_random.chance(50));
    result.arguments.push_back(any(part, depth - 1));
    return result;
  }
  case 2: {
    if (type.parts() > 9)
      return leaf(type);
    Expression result = make(Op::Construct, type, {});
    for (unsigned i = 0; i < type.parts(); ++i)
      result.arguments.push_back(m_random.chance(50) ? any(type.part(i), depth - 1) : leaf(type.part(i)));
    return result;
  }
  case 3:
    if (std::optional<Expression> part = component(type, depth))
      return std::move(*part);
    return leaf(type);
  default:
    return make(Op::ColumnScale, type, {leaf(type), any({type.scalar}, depth - 1)});
  }
}

Expression ProgramGenerator::call(const Type &type, unsigned depth) {
  std::vector<Type> parameters = {type};
  for (unsigned i = m_random.below(3); i > 0; --i) {
    const auto count = uint32_t(m_program.variables.size());
    parameters.push_back(count && m_random.chance(60) ? m_program.variables[m_random.below(count)].type
                                                      : anyVariableType());
  }
  Expression result = make(Op::Call, type, {});
  for (const Type &parameter : parameters)
    result.arguments.push_back(any(parameter, depth - 1));
  result.words = {m_random.chance(50) ? m_random.below(1u << parameters.size()) : 0u};
  // A function's body sees no variables.
  std::vector<Variable> variables;
  unsigned loops = 0;
  std::swap(variables, m_program.variables);
  std::swap(loops, m_loops);
  std::swap(parameters, m_parameters);
  result.arguments.push_back(any(type, depth));
  std::swap(parameters, m_parameters);
  std::swap(loops, m_loops);
  std::swap(variables, m_program.variables);
  return result;
}

} // namespace dovetail::random_programs
