// SPDX-License-Identifier: MIT
#include "tests/random-programs/small_shaders.h"
#include <doctest/doctest.h>

namespace dovetail::random_programs {

Shader shaderOf(SmallProgram program) {
  Shader shader;
  shader.sharedElements = 64;
  shader.programCount = 1;
  for (unsigned content = 1; content < ContentCount; ++content) {
    const Type type = typeOfContent(content);
    const unsigned components = type.components();
    for (unsigned i = 0; i < inputElements(content) * components; ++i) // small integers are unusual as floats
      shader.inputs[content].push_back(isFloat(type.scalarOf(i % components)) ? 0 : i);
    shader.scratch[content].resize(size_t(shader.lanes) * scratchElements(content) * components);
  }
  shader.uniforms.resize(UniformElements);
  shader.push.resize(PushElements);
  shader.pointed.resize(InputElements);
  shader.several.resize(size_t(InputElements) * SeveralBuffers);
  shader.programs = {std::move(program)};
  return shader;
}

std::vector<Variable> words(unsigned count) {
  return std::vector<Variable>(count, Variable{.type = I32, .initial = {0}});
}

Expression lane() {
  return make(Op::Lane, I32, {});
}

Expression word(uint32_t value) {
  return constant(I32, value);
}

Expression binary(Op op, Expression x, Expression y) {
  const OperationRow *row = findRow(op);
  const Type type = row && row->signature == Signature::Compares ? Bool : x.type;
  return make(op, type, {std::move(x), std::move(y)});
}

Statement assign(uint32_t variable, Expression value) {
  Statement statement;
  statement.variable = variable;
  statement.values = {std::move(value)};
  return statement;
}

Statement store(Expression value, uint32_t index) {
  Statement statement;
  statement.kind = StatementKind::Store;
  statement.values = {std::move(value), word(index)};
  return statement;
}

Statement when(Expression condition, Block then) {
  Statement statement;
  statement.kind = StatementKind::If;
  statement.values = {std::move(condition)};
  statement.blocks = {std::move(then)};
  return statement;
}

Statement jump(StatementKind kind) {
  Statement statement;
  statement.kind = kind;
  return statement;
}

std::vector<uint32_t> firstWords(const Shader &shader) {
  const Interpretation result = interpret(shader);
  if (result.undefined)
    FAIL(result.undefined->reason);
  std::vector<uint32_t> firsts;
  for (uint32_t i = 0; i < shader.lanes; ++i)
    firsts.push_back(result.output[size_t(i) * OutputWords]);
  return firsts;
}

} // namespace dovetail::random_programs
