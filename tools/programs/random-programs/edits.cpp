// SPDX-License-Identifier: MIT
//
// The reducer's steps. A step is found by its number, which counts through the shader in the order of its text. So no
// data has to be kept from one candidate to the next.
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include "tools/programs/random-programs/reduce.h"
#include "tools/programs/random-programs/spirv/float_modes.h"
#include <algorithm>

namespace dovetail::random_programs {

namespace {

// Counts down to the wanted edit.
class Countdown {
public:
  explicit Countdown(size_t number) : m_left(number) {}
  bool isNow() { return m_left != Gone && m_left-- == 0; }
  bool isOver() const { return m_left == Gone; }

private:
  static constexpr size_t Gone = ~size_t(0);
  size_t m_left;
};

// Removes halves, then smaller shares, then single small programs.
bool dropPrograms(Shader &shader, Countdown &countdown) {
  std::vector<SmallProgram> &programs = shader.programs;
  const size_t count = programs.size();
  if (count < 2)
    return false;
  for (size_t size = count / 2; size > 0; size /= 2)
    for (size_t first = 0; first < count; first += size)
      if (countdown.isNow()) {
        programs.erase(programs.begin() + ptrdiff_t(first),
                       programs.begin() + ptrdiff_t(std::min(first + size, count)));
        return true;
      }
  return false;
}

bool dropStatements(Block &block, Countdown &countdown) {
  // First remove runs of statements.
  for (size_t size = block.size() / 2; size > 1; size /= 2)
    for (size_t first = 0; first + size <= block.size(); first += size)
      if (countdown.isNow()) {
        block.erase(block.begin() + ptrdiff_t(first), block.begin() + ptrdiff_t(first + size));
        return true;
      }
  for (size_t i = 0; i < block.size(); ++i) {
    if (countdown.isNow()) {
      block.erase(block.begin() + ptrdiff_t(i));
      return true;
    }
    Statement &statement = block[i];
    // Outside of a loop, exits in its body would mean something else.
    const bool hasExits = std::ranges::any_of(statement.blocks, [](Block &inner) {
      bool found = false;
      visitStatements(inner, [&](const Statement &exit) {
        found |= exit.kind >= StatementKind::Break && exit.kind <= StatementKind::Continue;
      });
      return found;
    });
    for (size_t k = 0; k < statement.blocks.size(); ++k) {
      if ((statement.kind == StatementKind::If || !hasExits) && countdown.isNow()) {
        Block inner = std::move(statement.blocks[k]);
        block.erase(block.begin() + ptrdiff_t(i));
        block.insert(block.begin() + ptrdiff_t(i), inner.begin(), inner.end());
        return true;
      }
    }
    if (statement.kind == StatementKind::If && statement.blocks.size() > 1 && countdown.isNow()) {
      statement.blocks.pop_back();
      return true;
    }
    for (size_t k = 0; statement.kind == StatementKind::Switch && k + 1 < statement.cases.size(); ++k)
      if (countdown.isNow()) {
        statement.cases.erase(statement.cases.begin() + ptrdiff_t(k));
        statement.blocks.erase(statement.blocks.begin() + ptrdiff_t(k));
        return true;
      }
    for (Block &inner : statement.blocks)
      if (dropStatements(inner, countdown))
        return true;
  }
  return false;
}

// The result of a function, with the call's arguments in place of parameters.
Expression inlined(const Expression &call) {
  Expression result = call.arguments.back();
  auto replace = [&](auto &self, Expression &expression) -> void {
    if (expression.op == Op::Parameter) {
      expression = Expression(call.arguments[expression.index]);
      return;
    }
    // The last argument of an inner call is its body, which has parameters of its own.
    for (size_t i = 0; i + (expression.op == Op::Call) < expression.arguments.size(); ++i)
      self(self, expression.arguments[i]);
  };
  replace(replace, result);
  return result;
}

bool shrinkExpression(Expression &expression, Countdown &countdown) {
  const Type type = expression.type;
  if (expression.op != Op::Constant && type.scalar != Scalar::Bool && countdown.isNow()) {
    expression = simplest(type);
    return true;
  }
  for (uint64_t truth = 0; truth < 2; ++truth)
    if (expression.op != Op::Constant && type.scalar == Scalar::Bool && countdown.isNow()) {
      expression = constant(type, truth);
      return true;
    }
  for (Expression &argument : expression.arguments)
    if (argument.type == type && countdown.isNow()) {
      expression = Expression(argument);
      return true;
    }
  for (Expression &argument : expression.arguments)
    for (Expression &inner : argument.arguments)
      if (argument.type != type && inner.type == type && countdown.isNow()) {
        expression = Expression(inner);
        return true;
      }
  if (expression.op == Op::Call && countdown.isNow()) {
    expression = inlined(expression);
    return true;
  }
  // The lane's number keeps the value different between invocations.
  if (type == I32 && expression.op != Op::Constant && expression.op != Op::Lane && countdown.isNow()) {
    expression = make(Op::Lane, I32, {});
    return true;
  }
  for (Expression &argument : expression.arguments)
    if (shrinkExpression(argument, countdown))
      return true;
  return false;
}

bool shrinkExpressions(Block &block, Countdown &countdown) {
  for (Statement &statement : block) {
    for (Expression &value : statement.values)
      if (shrinkExpression(value, countdown))
        return true;
    for (Block &inner : statement.blocks)
      if (shrinkExpressions(inner, countdown))
        return true;
  }
  return false;
}

// Drops unused variables.
void dropVariables(SmallProgram &program) {
  std::vector<bool> isUsed(program.variables.size());
  auto mark = [&](Statement &statement) {
    if (statement.kind <= StatementKind::AssignElement || statement.kind == StatementKind::Loop)
      isUsed[statement.variable] = true;
  };
  visitStatements(program.body, mark);
  visitExpressions(program.body, [&](Expression &expression) {
    if (expression.op == Op::Variable || expression.op == Op::Element)
      isUsed[expression.index] = true;
  });
  std::vector<uint32_t> numbers;
  std::vector<Variable> kept;
  for (size_t i = 0; i < isUsed.size(); ++i) {
    numbers.push_back(uint32_t(kept.size()));
    if (isUsed[i])
      kept.push_back(std::move(program.variables[i]));
  }
  program.variables = std::move(kept);
  visitStatements(program.body, [&](Statement &statement) {
    if (statement.kind <= StatementKind::AssignElement || statement.kind == StatementKind::Loop)
      statement.variable = numbers[statement.variable];
  });
  visitExpressions(program.body, [&](Expression &expression) {
    if (expression.op == Op::Variable || expression.op == Op::Element)
      expression.index = numbers[expression.index];
  });
}

bool simplifyVariables(SmallProgram &program, Countdown &countdown) {
  if (countdown.isNow()) {
    dropVariables(program);
    return true;
  }
  if (!program.isInline && countdown.isNow()) {
    bool returns = false;
    visitStatements(program.body,
                    [&](const Statement &statement) { returns |= statement.kind == StatementKind::Return; });
    program.isInline = !returns;
    return true;
  }
  for (Variable &variable : program.variables) {
    if (variable.isMemory && variable.type.isScalar() && countdown.isNow()) {
      variable.isMemory = false;
      return true;
    }
    if (countdown.isNow()) {
      variable.initial = simplest(variable.type).words;
      return true;
    }
  }
  return false;
}

// Tries ordinary forms, small numbers and fewer invocations.
bool simplifyShader(Shader &shader, Countdown &countdown) {
  if (shader.capturesVertices && countdown.isNow()) {
    shader.capturesVertices = false;
    return true;
  }
  for (FloatMode &mode : shader.floatModes)
    for (const FloatModeRow &row : FloatModeRows)
      if (mode.*row.flag && countdown.isNow()) {
        mode.*row.flag = false;
        return true;
      }
  if (shader.groups() > 1 && countdown.isNow()) {
    shader.lanes = shader.groupLanes;
    return true;
  }
  if (shader.groupLanes > 64 && countdown.isNow()) {
    shader.lanes = shader.lanes / shader.groupLanes * 64;
    shader.groupLanes = 64;
    return true;
  }
  for (SmallProgram &program : shader.programs) {
    bool isDone = false;
    visitStatements(program.body, [&](Statement &statement) {
      const bool hasForm = statement.kind != StatementKind::Atomic; // an atomic's form is another operation
      if (!isDone && hasForm && statement.form && countdown.isNow()) {
        statement.form = 0;
        isDone = true;
      }
    });
    visitExpressions(program.body, [&](Expression &expression) {
      if (expression.op == Op::Constant && !isFloat(expression.type.scalar))
        for (uint64_t &word : expression.words)
          for (uint64_t simple : {uint64_t(0), uint64_t(1), word & 0xff})
            if (!isDone && simple < word && countdown.isNow()) {
              word = simple;
              isDone = true;
            }
    });
    if (isDone)
      return true;
  }
  return false;
}

// A step without any effect would be tried for ever.
bool isSame(const Shader &one, const Shader &other) {
  return one.lanes == other.lanes && one.groupLanes == other.groupLanes && print(one) == print(other);
}

bool applyOne(Shader &shader, unsigned stage, Countdown &countdown) {
  if (stage == 0)
    return dropPrograms(shader, countdown);
  if (stage == 4)
    return simplifyShader(shader, countdown);
  for (SmallProgram &program : shader.programs) {
    const bool isDone = stage == 1   ? dropStatements(program.body, countdown)
                        : stage == 2 ? shrinkExpressions(program.body, countdown)
                                     : simplifyVariables(program, countdown);
    if (isDone)
      return true;
  }
  return false;
}

} // namespace

bool applyEdit(Shader &shader, unsigned stage, size_t number) {
  const Shader before = shader;
  Countdown countdown(number);
  if (!applyOne(shader, stage, countdown))
    return false;
  // No effect: return an empty shader, which does not fail.
  if (isSame(before, shader))
    shader.programs.clear();
  return true;
}

} // namespace dovetail::random_programs
