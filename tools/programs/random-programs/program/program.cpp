// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/program/program.h"
#include "tools/programs/random-programs/program/structures.h"
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail::random_programs {

unsigned bitsOf(Scalar scalar) {
  switch (scalar) {
  case Scalar::Bool:
    return 1;
  case Scalar::I8:
    return 8;
  case Scalar::I16:
  case Scalar::F16:
    return 16;
  case Scalar::I32:
  case Scalar::F32:
    return 32;
  case Scalar::I64:
  case Scalar::F64:
    return 64;
  }
  return 0;
}

bool isInteger(Scalar scalar) {
  return scalar >= Scalar::I8 && scalar <= Scalar::I64;
}

bool isFloat(Scalar scalar) {
  return scalar >= Scalar::F16;
}

Scalar integerOf(unsigned bits) {
  return bits == 8 ? Scalar::I8 : bits == 16 ? Scalar::I16 : bits == 32 ? Scalar::I32 : Scalar::I64;
}

unsigned Type::components() const {
  unsigned count = unsigned(width) * (columns ? columns : 1);
  if (structure) {
    count = 0;
    for (const Type &member : membersOf(structure))
      count += member.components();
  }
  return count * (elements ? elements : 1);
}

Scalar Type::scalarOf(unsigned component) const {
  if (!structure)
    return scalar;
  component %= Type{.structure = structure}.components();
  for (const Type &member : membersOf(structure)) {
    if (component < member.components())
      return member.scalarOf(component);
    component -= member.components();
  }
  return scalar;
}

unsigned Type::parts() const {
  return isStructure() ? unsigned(membersOf(structure).size()) : elements ? elements : columns ? columns : width;
}

Type Type::part(unsigned number) const {
  return isStructure() ? membersOf(structure)[number] : inner();
}

unsigned Type::offsetOf(unsigned part) const {
  unsigned offset = 0;
  for (unsigned i = 0; i < part && isStructure(); ++i)
    offset += this->part(i).components();
  return isStructure() ? offset : part * inner().components();
}

Type typeAlong(Type whole, const Path &path) {
  for (uint64_t step : path)
    whole = whole.part(step == AtIndex ? 0 : unsigned(step));
  return whole;
}

std::vector<Path> pathsTo(const Type &whole, const Type &part) {
  if (whole == part)
    return {{}};
  if (whole.isScalar())
    return {};
  std::vector<Path> paths;
  for (unsigned i = 0; i < (whole.isStructure() ? whole.parts() : 1); ++i)
    for (Path &path : pathsTo(whole.part(i), part)) {
      path.insert(path.begin(), whole.isStructure() ? i : AtIndex);
      paths.push_back(std::move(path));
    }
  return paths;
}

unsigned contentOf(Scalar scalar, uint8_t structure) {
  return structure ? ScalarCount + structure - 1 : unsigned(scalar);
}

Type typeOfContent(unsigned content) {
  return content < ScalarCount ? Type{Scalar(content)} : Type{.structure = uint8_t(content - ScalarCount + 1)};
}

unsigned inputElements(unsigned content) {
  return content < ScalarCount ? InputElements : InputElements / 4;
}

unsigned scratchElements(unsigned content) {
  return content < ScalarCount ? ScratchElements : ScratchElements / 4;
}

Uses usesOf(const Shader &shader) {
  Uses uses;
  auto add = [&](Space space, unsigned content) { uses.contents[size_t(space)] |= 1u << content; };
  for (const SmallProgram &program : shader.programs) {
    Block &body = const_cast<Block &>(program.body); // only visited, not changed
    visitExpressions(body, [&](Expression &expression) {
      if (expression.op == Op::Load)
        add(expression.space, contentOf(expression.type.scalar, uint8_t(expression.index)));
    });
    visitStatements(body, [&](const Statement &statement) {
      if (statement.kind == StatementKind::Store || statement.kind == StatementKind::Atomic)
        add(statement.space, contentOf(statement.values[0].type.scalar, statement.structure));
    });
  }
  return uses;
}

Type Type::inner() const {
  if (elements)
    return {scalar, width, columns, 0, structure};
  if (columns)
    return {scalar, width, 0, 0};
  return {scalar, 1, 0, 0};
}

const std::vector<OperationRow> &operationRows() {
  static const std::vector<OperationRow> rows = {
#define RANDOM_CORE(name, operands, signature, instruction)                                                            \
  {Op::name, #name, operands, Signature::signature, false, uint32_t(spv::Op::instruction)},
#define RANDOM_EXTENDED(name, operands, signature, instruction)                                                        \
  {Op::name, #name, operands, Signature::signature, true, uint32_t(GLSLstd450##instruction)},
#include "tools/programs/random-programs/program/operations.def"
  };
  return rows;
}

const OperationRow *findRow(Op op) {
  const std::vector<OperationRow> &rows = operationRows();
  return op < rows.front().op ? nullptr : &rows[size_t(op) - size_t(rows.front().op)];
}

std::vector<Stage> Shader::stages() const {
  if (!isChain)
    return stage == Stage::Compute ? std::vector{Stage::Compute} : std::vector{Stage::Vertex, Stage::Fragment};
  std::vector<Stage> stages = {Stage::Vertex};
  if (hasTessellation)
    stages.insert(stages.end(), {Stage::TessControl, Stage::TessEval});
  if (hasGeometry)
    stages.push_back(Stage::Geometry);
  stages.push_back(Stage::Fragment);
  return stages;
}

Stage Shader::lastBeforeRaster() const {
  return hasGeometry ? Stage::Geometry : hasTessellation ? Stage::TessEval : Stage::Vertex;
}

Expression simplest(Type type) {
  std::vector<uint64_t> words;
  for (unsigned i = 0; i < type.components(); ++i) {
    const Scalar scalar = type.scalarOf(i);
    words.push_back(scalar == Scalar::F16   ? 0x3c00
                    : scalar == Scalar::F32 ? 0x3f800000
                    : scalar == Scalar::F64 ? 0x3ff0000000000000
                                            : 0);
  }
  return constant(type, std::move(words));
}

Expression constant(Type type, uint64_t word) {
  return constant(type, std::vector<uint64_t>(type.components(), word));
}

Expression constant(Type type, std::vector<uint64_t> words) {
  for (unsigned i = 0; i < words.size(); ++i)
    if (const unsigned bits = bitsOf(type.scalarOf(i)); bits < 64)
      words[i] &= (uint64_t(1) << bits) - 1;
  return {.op = Op::Constant, .type = type, .words = std::move(words)};
}

Expression readVariable(const SmallProgram &program, uint32_t variable) {
  return {.op = Op::Variable, .type = program.variables[variable].type, .index = variable};
}

Expression make(Op op, Type type, std::vector<Expression> arguments) {
  return {.op = op, .type = type, .arguments = std::move(arguments)};
}

} // namespace dovetail::random_programs
