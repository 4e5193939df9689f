// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/interpret/interpret_lanes.h"
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <utility>

namespace dovetail::random_programs {

namespace {

// Wide enough for sums of some 32-bit products and a 64-bit number.
__extension__ typedef __int128 Wide;

} // namespace

Evaluator::Evaluator(const Shader &shader, const SmallProgram &program, Memory &memory, const LaneMask &alive,
                     const LaneMask &helpers)
    : m_shader(shader), m_program(program), m_memory(memory), m_alive(alive), m_helpers(helpers) {
  for (const Variable &variable : program.variables) {
    if (!areUsual(variable.type, variable.initial))
      memory.refuse(nullptr, nullptr, "a variable that begins as no usual float");
    Lanes &lanes = m_variables.emplace_back(variable.type.components(), shader.lanes);
    for (unsigned component = 0; component < variable.type.components(); ++component)
      for (uint32_t lane = 0; lane < shader.lanes; ++lane)
        lanes.at(component, lane) = variable.initial[component];
  }
}

bool Evaluator::areUsual(const Type &type, const std::vector<uint64_t> &words) const {
  if (!type.structure && !isFloat(type.scalar))
    return true;
  for (unsigned i = 0; i < words.size(); ++i)
    if (const Scalar scalar = type.scalarOf(i);
        isFloat(scalar) && !isUsual(scalar, words[i], m_shader.floatMode(scalar)))
      return false;
  return true;
}

void Evaluator::refuse(const Expression &expression, std::string reason) {
  m_memory.refuse(&expression, nullptr, std::move(reason));
}

void Evaluator::assign(uint32_t variable, const Lanes &value, const LaneMask &active) {
  for (unsigned component = 0; component < m_program.variables[variable].type.components(); ++component)
    eachLane(active, [&](uint32_t lane) { m_variables[variable].at(component, lane) = value.at(component, lane); });
}

unsigned Evaluator::follow(const Type &whole, const Path &path, std::span<const Lanes> values,
                           std::span<const Expression> indices, uint32_t lane) {
  unsigned component = 0;
  size_t next = 0;
  Type type = whole;
  for (uint64_t step : path) {
    uint64_t number = step;
    if (step == AtIndex) {
      number = values[next].at(0, lane);
      if (number >= type.parts())
        return refuse(indices[next], "an index beyond the array"), 0;
      ++next;
    }
    component += type.offsetOf(unsigned(number));
    type = type.part(unsigned(number));
  }
  return component;
}

void Evaluator::assignElement(const Statement &statement, const LaneMask &active) {
  const std::span indices = std::span(statement.values).subspan(1);
  const Lanes value = evaluate(statement.values[0], active);
  std::vector<Lanes> places;
  for (const Expression &index : indices)
    places.push_back(evaluate(index, active));
  const Type &whole = m_program.variables[statement.variable].type;
  const unsigned size = statement.values[0].type.components();
  eachLane(active, [&](uint32_t lane) {
    const unsigned first = follow(whole, statement.path, places, indices, lane);
    for (unsigned component = 0; component < size; ++component)
      m_variables[statement.variable].at(first + component, lane) = value.at(component, lane);
  });
}

void Evaluator::store(const Statement &statement, const LaneMask &active) {
  const std::span indices = std::span(statement.values).subspan(2);
  const Lanes value = evaluate(statement.values[0], active), index = evaluate(statement.values[1], active);
  std::vector<Lanes> places;
  for (const Expression &index : indices)
    places.push_back(evaluate(index, active));
  const Type &type = statement.values[0].type;
  const unsigned content = contentOf(type.scalar, statement.structure);
  eachLane(active, [&](uint32_t lane) {
    const unsigned first = follow(typeOfContent(content), statement.path, places, indices, lane);
    for (unsigned component = 0; component < type.components(); ++component) {
      const Memory::Place place = {statement.space, content, index.at(0, lane), first + component};
      if (m_helpers[lane])
        m_memory.storeAsHelper(place, lane);
      else if (!m_memory.store(place, lane, value.at(component, lane)))
        m_memory.refuse(nullptr, &statement, "a store out of bounds, or a race");
    }
  });
}

void Evaluator::addAtomically(const Statement &statement, const LaneMask &active) {
  const Lanes value = evaluate(statement.values[0], active), index = evaluate(statement.values[1], active);
  eachLane(active, [&](uint32_t lane) {
    if (m_helpers[lane])
      return;
    if (!m_memory.addAtomically(statement.space, AtomicForm(statement.form), lane, index.at(0, lane),
                                uint32_t(value.at(0, lane))))
      m_memory.refuse(nullptr, &statement, "an atomic out of bounds, a race, or of another kind than before");
  });
}

void Evaluator::setCounter(uint32_t variable, const LaneMask &active) {
  eachLane(active, [&](uint32_t lane) { m_variables[variable].at(0, lane) = 0; });
}

void Evaluator::count(uint32_t variable, const LaneMask &active) {
  eachLane(active, [&](uint32_t lane) { ++m_variables[variable].at(0, lane); });
}

LaneMask Evaluator::isBelow(uint32_t variable, const Expression &limit, const LaneMask &active) {
  const Lanes value = evaluate(limit, active);
  LaneMask below;
  eachLane(active, [&](uint32_t lane) { below[lane] = m_variables[variable].at(0, lane) < value.at(0, lane); });
  return below;
}

Lanes Evaluator::evaluate(const Expression &expression, const LaneMask &active) {
  Lanes result(expression.type.components(), m_shader.lanes);
  if (expression.op == Op::Constant) {
    if (!areUsual(expression.type, expression.words))
      refuse(expression, "a constant that is no usual float");
    for (unsigned component = 0; component < expression.words.size(); ++component)
      eachLane(active, [&](uint32_t lane) { result.at(component, lane) = expression.words[component]; });
    return result;
  }
  if (m_parameters && (expression.op == Op::Variable || expression.op == Op::Element))
    return refuse(expression, "a variable of another function"), result;
  if (expression.op == Op::Variable)
    return m_variables[expression.index];
  if (expression.op == Op::Group) {
    eachLane(active, [&](uint32_t lane) { result.at(0, lane) = lane / m_shader.groupLanes; });
    return result;
  }
  if (expression.op == Op::Lane) {
    eachLane(active, [&](uint32_t lane) { result.at(0, lane) = lane; });
    return result;
  }
  if (expression.op == Op::Parameter) {
    if (m_parameters && expression.index < m_parameters->size())
      return (*m_parameters)[expression.index];
    return refuse(expression, "a parameter outside of its function"), result;
  }
  if (expression.op == Op::Call)
    return evaluateCall(expression, active);
  std::vector<Lanes> arguments;
  for (const Expression &argument : expression.arguments)
    arguments.push_back(evaluate(argument, active));
  switch (expression.op) {
  case Op::Load:
    return evaluateLoad(expression, arguments, active);
  case Op::Element:
    return evaluateElement(expression, arguments, active);
  case Op::Bitcast:
    return evaluateBitcast(expression, arguments[0], active);
  case Op::Construct:
  case Op::Extract:
  case Op::Insert:
  case Op::ExtractAt:
  case Op::InsertAt:
  case Op::Shuffle:
  case Op::Select:
  case Op::AllTrue:
  case Op::AnyTrue:
    return evaluateVector(expression, arguments, active);
  case Op::Dot:
    return evaluateDot(expression, arguments, active);
  case Op::ColumnScale:
  case Op::MatrixProduct:
    return evaluateMatrix(expression, arguments, active);
  case Op::Subgroup:
    return evaluateSubgroup(expression, arguments, active);
  case Op::Derivative:
    return evaluateDerivative(expression, arguments[0], active);
  default:
    return evaluateRow(expression, arguments, active);
  }
}

Lanes Evaluator::evaluateRow(const Expression &expression, const std::vector<Lanes> &arguments,
                             const LaneMask &active) {
  Lanes result(expression.type.components(), m_shader.lanes);
  const Scalar from = expression.arguments[0].type.scalar;
  const Scalar to = expression.type.scalar;
  const bool isRow = findRow(expression.op);
  for (unsigned component = 0; component < expression.type.components(); ++component)
    eachLane(active, [&](uint32_t lane) {
      uint64_t operands[4] = {};
      for (size_t i = 0; i < arguments.size(); ++i)
        // Beside vectors, offset and count of a bit field are scalars.
        operands[i] = arguments[i].at(expression.arguments[i].type.width > 1 ? component : 0, lane);
      const std::optional<uint64_t> word = isRow
                                               ? calculate(expression.op, from, operands, m_shader.floatMode(from))
                                               : convert(expression.op, from, to, operands[0], m_shader.floatMode(to));
      if (!word)
        return refuse(expression, "an operation that has no defined result");
      result.at(component, lane) = *word;
    });
  return result;
}

Lanes Evaluator::evaluateElement(const Expression &expression, const std::vector<Lanes> &arguments,
                                 const LaneMask &active) {
  const Lanes &variable = m_variables[expression.index];
  const unsigned size = expression.type.components();
  Lanes result(size, m_shader.lanes);
  eachLane(active, [&](uint32_t lane) {
    const unsigned first =
        follow(m_program.variables[expression.index].type, expression.words, arguments, expression.arguments, lane);
    for (unsigned component = 0; component < size; ++component)
      result.at(component, lane) = variable.at(first + component, lane);
  });
  return result;
}

Lanes Evaluator::evaluateLoad(const Expression &expression, const std::vector<Lanes> &arguments,
                              const LaneMask &active) {
  const unsigned size = expression.type.components();
  const unsigned content = contentOf(expression.type.scalar, uint8_t(expression.index));
  Lanes result(size, m_shader.lanes);
  eachLane(active, [&](uint32_t lane) {
    const unsigned first = follow(typeOfContent(content), expression.words, std::span(arguments).subspan(1),
                                  std::span(expression.arguments).subspan(1), lane);
    for (unsigned component = 0; component < size; ++component) {
      const std::optional<uint64_t> word =
          m_memory.load({expression.space, content, arguments[0].at(0, lane), first + component}, lane);
      if (!word)
        return refuse(expression.space >= Space::Scratch ? expression : expression.arguments[0],
                      "a load out of bounds, of what nobody wrote, or a race");
      if (const Scalar scalar = expression.type.scalarOf(component);
          isFloat(scalar) && !isUsual(scalar, *word, m_shader.floatMode(scalar)))
        return refuse(expression, "a load of what is no usual float");
      result.at(component, lane) = *word;
    }
  });
  return result;
}

Lanes Evaluator::evaluateCall(const Expression &expression, const LaneMask &active) {
  std::vector<Lanes> parameters;
  for (size_t i = 0; i + 1 < expression.arguments.size(); ++i)
    parameters.push_back(evaluate(expression.arguments[i], active));
  const std::vector<Lanes> *outer = std::exchange(m_parameters, &parameters);
  Lanes result = evaluate(expression.arguments.back(), active);
  m_parameters = outer;
  return result;
}

Lanes Evaluator::evaluateBitcast(const Expression &expression, const Lanes &value, const LaneMask &active) {
  const Type &from = expression.arguments[0].type, &to = expression.type;
  const unsigned fromBits = bitsOf(from.scalar), toBits = bitsOf(to.scalar);
  Lanes result(to.components(), m_shader.lanes);
  eachLane(active, [&](uint32_t lane) {
    for (unsigned bit = 0; bit < toBits * to.width; ++bit)
      result.at(bit / toBits, lane) |= (value.at(bit / fromBits, lane) >> bit % fromBits & 1) << bit % toBits;
    if (isFloat(to.scalar))
      for (unsigned component = 0; component < to.width; ++component)
        if (!isUsual(to.scalar, result.at(component, lane), m_shader.floatMode(to.scalar)))
          refuse(expression, "bits that are no usual float");
  });
  return result;
}

Lanes Evaluator::evaluateVector(const Expression &expression, const std::vector<Lanes> &arguments,
                                const LaneMask &active) {
  const std::vector<Expression> &given = expression.arguments;
  Lanes result(expression.type.components(), m_shader.lanes);
  eachLane(active, [&](uint32_t lane) {
    switch (expression.op) {
    case Op::Construct: {
      unsigned component = 0;
      for (size_t i = 0; i < arguments.size(); ++i)
        for (unsigned from = 0; from < given[i].type.components(); ++from)
          result.at(component++, lane) = arguments[i].at(from, lane);
      break;
    }
    case Op::Extract: {
      const unsigned first = follow(given[0].type, expression.words, {}, {}, lane);
      for (unsigned component = 0; component < expression.type.components(); ++component)
        result.at(component, lane) = arguments[0].at(first + component, lane);
      break;
    }
    case Op::Insert: {
      const unsigned first = follow(given[0].type, expression.words, {}, {}, lane), size = given[1].type.components();
      for (unsigned component = 0; component < expression.type.components(); ++component)
        result.at(component, lane) = component >= first && component < first + size
                                         ? arguments[1].at(component - first, lane)
                                         : arguments[0].at(component, lane);
      break;
    }
    case Op::ExtractAt:
      if (arguments[1].at(0, lane) >= given[0].type.width)
        return refuse(given[1], "an index beyond the vector");
      result.at(0, lane) = arguments[0].at(unsigned(arguments[1].at(0, lane)), lane);
      break;
    case Op::InsertAt:
      if (arguments[2].at(0, lane) >= given[0].type.width)
        return refuse(given[2], "an index beyond the vector");
      for (unsigned component = 0; component < expression.type.width; ++component)
        result.at(component, lane) =
            component == arguments[2].at(0, lane) ? arguments[1].at(0, lane) : arguments[0].at(component, lane);
      break;
    case Op::Shuffle:
      for (unsigned component = 0; component < expression.type.width; ++component) {
        const auto from = unsigned(expression.words[component]);
        result.at(component, lane) = from < given[0].type.width ? arguments[0].at(from, lane)
                                                                : arguments[1].at(from - given[0].type.width, lane);
      }
      break;
    case Op::Select:
      for (unsigned component = 0; component < expression.type.components(); ++component) {
        const bool isThen = arguments[0].at(given[0].type.width > 1 ? component : 0, lane);
        result.at(component, lane) = arguments[isThen ? 1 : 2].at(component, lane);
      }
      break;
    default: {
      uint64_t all = 1, any = 0;
      for (unsigned component = 0; component < given[0].type.width; ++component) {
        all &= arguments[0].at(component, lane);
        any |= arguments[0].at(component, lane);
      }
      result.at(0, lane) = expression.op == Op::AllTrue ? all : any;
      break;
    }
    }
  });
  return result;
}

Lanes Evaluator::evaluateDot(const Expression &expression, const std::vector<Lanes> &arguments,
                             const LaneMask &active) {
  const Type &from = expression.arguments[0].type;
  const bool isPacked = from.width == 1;
  const unsigned bits = isPacked ? 8 : bitsOf(from.scalar), count = isPacked ? 4 : from.width;
  const auto form = DotForm(expression.words[0]);
  const unsigned resultBits = bitsOf(expression.type.scalar);
  const bool isSigned = form != DotForm::Unsigned;
  const Wide low = isSigned ? -(Wide(1) << (resultBits - 1)) : Wide(0);
  const Wide high = (Wide(1) << (resultBits - isSigned)) - 1;
  Lanes result(1, m_shader.lanes);
  eachLane(active, [&](uint32_t lane) {
    Wide sum = 0;
    bool fits = true;
    auto add = [&](Wide term) {
      sum += term;
      fits = fits && term >= low && term <= high && sum >= low && sum <= high;
    };
    auto number = [](uint64_t word, unsigned bits, bool isSigned) {
      return isSigned ? Wide(signExtended(word, bits)) : Wide(word);
    };
    for (unsigned i = 0; i < count; ++i) {
      auto factor = [&](unsigned side, bool isSigned) {
        return number(isPacked ? truncated(arguments[side].at(0, lane) >> (8 * i), 8) : arguments[side].at(i, lane),
                      bits, isSigned);
      };
      add(factor(0, isSigned) * factor(1, form == DotForm::Signed));
    }
    // Only the last addition saturates.
    if (arguments.size() > 2) {
      if (!fits)
        return refuse(expression, "a sum of products that overflows in front of its accumulator");
      sum = std::clamp(sum + number(arguments[2].at(0, lane), resultBits, isSigned), low, high);
    }
    result.at(0, lane) = truncated(uint64_t(sum), resultBits);
  });
  return result;
}

// The order of these sums is open, so each step must be exact.
Lanes Evaluator::evaluateMatrix(const Expression &expression, const std::vector<Lanes> &arguments,
                                const LaneMask &active) {
  const Type &matrix = expression.arguments[0].type;
  const Scalar scalar = matrix.scalar;
  Lanes result(expression.type.components(), m_shader.lanes);
  auto put = [&](unsigned component, uint32_t lane, long double value) {
    const bool isExact = std::fetestexcept(FE_INEXACT) == 0;
    const std::optional<uint64_t> word = encodeFloat(scalar, double(value));
    if (!isExact || !word || static_cast<long double>(decodeFloat(scalar, *word)) != value)
      refuse(expression, "an inexact product");
    else
      result.at(component, lane) = *word;
    std::feclearexcept(FE_INEXACT);
  };
  eachLane(active, [&](uint32_t lane) {
    auto number = [&](unsigned side, unsigned component) {
      return static_cast<long double>(decodeFloat(scalar, arguments[side].at(component, lane)));
    };
    for (unsigned component = 0; component < expression.type.components(); ++component) {
      std::feclearexcept(FE_INEXACT);
      volatile long double sum = 0, product = 0; // volatile: calculated before the exceptions are tested
      if (expression.op == Op::ColumnScale) {
        product = number(0, component) * number(1, 0);
        put(component, lane, product);
        continue;
      }
      for (unsigned column = 0; column < matrix.columns; ++column) {
        product = number(0, column * matrix.width + component) * number(1, column);
        put(component, lane, product);
        sum = sum + product;
        put(component, lane, sum);
      }
    }
  });
  return result;
}

Lanes Evaluator::evaluateDerivative(const Expression &expression, const Lanes &value, const LaneMask &active) {
  if (active != m_alive || !m_shader.hasDerivatives)
    refuse(expression, "a derivative in divergent control flow");
  Lanes result(1, m_shader.lanes);
  const bool isAlongX = expression.words[0] == 0;
  eachLane(active, [&](uint32_t lane) {
    const uint32_t near = isAlongX ? lane & ~1u : lane & ~8u, far = near | (isAlongX ? 1 : 8);
    if (!active[near] || !active[far])
      return refuse(expression, "a derivative beside a pixel that is gone");
    const uint64_t operands[3] = {value.at(0, far), value.at(0, near), 0};
    const std::optional<uint64_t> word =
        calculate(Op::FloatSubtract, expression.type.scalar, operands, m_shader.floatMode(expression.type.scalar));
    if (!word)
      return refuse(expression, "a derivative that has no defined result");
    result.at(0, lane) = *word;
  });
  return result;
}

} // namespace dovetail::random_programs
