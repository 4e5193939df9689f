// SPDX-License-Identifier: MIT
#include "tools/random-programs/program/program.h"
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

Type Type::inner() const {
  if (elements)
    return {scalar, width, columns, 0};
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
#include "tools/random-programs/program/operations.def"
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

Expression constant(Type type, uint64_t word) {
  return constant(type, std::vector<uint64_t>(type.components(), word));
}

Expression constant(Type type, std::vector<uint64_t> words) {
  const unsigned bits = bitsOf(type.scalar);
  for (uint64_t &word : words)
    word &= bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  return {.op = Op::Constant, .type = type, .words = std::move(words)};
}

Expression readVariable(const SmallProgram &program, uint32_t variable) {
  return {.op = Op::Variable, .type = program.variables[variable].type, .index = variable};
}

Expression make(Op op, Type type, std::vector<Expression> arguments) {
  return {.op = op, .type = type, .arguments = std::move(arguments)};
}

} // namespace dovetail::random_programs
