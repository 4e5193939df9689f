// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/program/program.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dovetail::random_programs {

namespace {

constexpr std::string_view SpecialNames[] = {"Constant",
                                             "Variable",
                                             "Group",
                                             "Lane",
                                             "Parameter",
                                             "Load",
                                             "Element",
                                             "ConvertUnsigned",
                                             "ConvertSigned",
                                             "Bitcast",
                                             "FloatOfUnsigned",
                                             "FloatOfSigned",
                                             "UnsignedOfFloat",
                                             "SignedOfFloat",
                                             "ConvertFloat",
                                             "Construct",
                                             "Extract",
                                             "Insert",
                                             "ExtractAt",
                                             "InsertAt",
                                             "Shuffle",
                                             "Select",
                                             "AllTrue",
                                             "AnyTrue",
                                             "Dot",
                                             "ColumnScale",
                                             "MatrixProduct",
                                             "Subgroup",
                                             "Derivative",
                                             "Call"};
static_assert(std::size(SpecialNames) == size_t(Op::Call) + 1);
constexpr std::string_view ScalarNames[] = {"bool", "i8", "i16", "i32", "i64", "f16", "f32", "f64"};
constexpr std::string_view SpaceNames[] = {"input",   "uniform", "push",   "pointer",  "several",
                                           "scratch", "shared",  "output", "counters", "varying"};
constexpr std::string_view StageNames[] = {"compute", "vertex", "control", "evaluation", "geometry", "fragment"};
constexpr std::string_view StatementNames[] = {"assign",  "assign element", "store",      "if",       "loop",
                                               "switch",  "break",          "break loop", "continue", "return",
                                               "barrier", "atomic",         "demote",     "kill"};

std::string print(const Path &path) {
  std::string text;
  for (uint64_t step : path)
    text += step == AtIndex ? "[]" : fmt::format(".{}", step);
  return text;
}

void print(const Block &block, unsigned depth, std::string &text) {
  for (const Statement &statement : block) {
    text += std::string(2 * size_t(depth), ' ') + std::string(StatementNames[size_t(statement.kind)]);
    if (statement.kind <= StatementKind::AssignElement || statement.kind == StatementKind::Loop)
      text += fmt::format(" v{}", statement.variable);
    if (statement.kind == StatementKind::Store || statement.kind == StatementKind::Atomic)
      text += fmt::format(" {}", SpaceNames[size_t(statement.space)]);
    if (statement.structure)
      text += fmt::format(":s{}", statement.structure);
    text += print(statement.path);
    if (statement.form)
      text += fmt::format(" form {}", statement.form);
    for (const Expression &value : statement.values)
      text += " " + random_programs::print(value);
    text += "\n";
    for (size_t i = 0; i < statement.blocks.size(); ++i) {
      if (i < statement.cases.size())
        text += fmt::format("{}case {}{}\n", std::string(2 * size_t(depth), ' '),
                            fmt::join(statement.cases[i].labels, ", "),
                            statement.cases[i].fallsThrough ? ", falls through" : "");
      else if (i > 0)
        text += std::string(2 * size_t(depth), ' ') + "else\n";
      print(statement.blocks[i], depth + 1, text);
    }
  }
}

} // namespace

std::string_view toString(Op op) {
  const OperationRow *row = findRow(op);
  return row ? row->name : SpecialNames[size_t(op)];
}

std::string print(const Type &type) {
  std::string text =
      type.structure ? fmt::format("s{}", type.structure) : std::string(ScalarNames[size_t(type.scalar)]);
  if (type.width > 1)
    text += fmt::format("x{}", type.width);
  if (type.columns)
    text += fmt::format("x{}", type.columns);
  if (type.elements)
    text += fmt::format("[{}]", type.elements);
  return text;
}

std::string print(const Expression &expression) {
  if (expression.op == Op::Constant)
    return fmt::format("{}:{:#x}", print(expression.type), fmt::join(expression.words, ","));
  if (expression.op == Op::Variable)
    return fmt::format("v{}", expression.index);
  std::string text(toString(expression.op));
  if (expression.op == Op::Load)
    text += fmt::format(" {}", SpaceNames[size_t(expression.space)]);
  if (expression.op == Op::Load && expression.index)
    text += fmt::format(":s{}", expression.index);
  if (expression.op == Op::Element)
    text += fmt::format(" v{}", expression.index);
  if (expression.op == Op::Parameter)
    return fmt::format("p{}", expression.index);
  if (expression.op == Op::Load || expression.op == Op::Element || expression.op == Op::Extract ||
      expression.op == Op::Insert)
    text += print(expression.words);
  else if (!expression.words.empty())
    text += fmt::format("<{}>", fmt::join(expression.words, ","));
  text += fmt::format(":{}(", print(expression.type));
  for (size_t i = 0; i < expression.arguments.size(); ++i)
    text += (i ? ", " : "") + print(expression.arguments[i]);
  return text + ")";
}

std::string print(const Shader &shader) {
  std::string text;
  if (shader.capturesVertices)
    text += "captures vertices\n";
  for (size_t i = 0; i < shader.floatModes.size(); ++i)
    if (const FloatMode &mode = shader.floatModes[i]; mode != FloatMode())
      text += fmt::format("floats of {} bits:{}{}{}{}{}\n", i == 0 ? "32" : "16 and 64",
                          mode.keepsDenormals ? " denormals" : "", mode.flushesDenormals ? " no denormals" : "",
                          mode.roundsToEven ? " to nearest even" : "", mode.roundsToZero ? " toward zero" : "",
                          mode.keepsSigns ? " infinities and negative zeros" : "");
  for (const SmallProgram &program : shader.programs) {
    text += fmt::format("program {}{}, {}\n", program.number, program.isInline ? " inline" : "",
                        StageNames[size_t(program.stage)]);
    for (size_t i = 0; i < program.variables.size(); ++i)
      text +=
          fmt::format("  {} v{}{} = {:#x}\n", print(program.variables[i].type), i,
                      program.variables[i].isMemory ? " in memory" : "", fmt::join(program.variables[i].initial, ","));
    print(program.body, 1, text);
  }
  return text;
}

} // namespace dovetail::random_programs
