// SPDX-License-Identifier: MIT
//
// Operations whose result has the type of their first operand.
#pragma once

#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

constexpr Op Shifts[] = {Op::ShiftLeft, Op::ShiftRight, Op::ShiftRightSigned};
constexpr Op Extensions[] = {Op::ConvertUnsigned, Op::ConvertSigned};

inline Expression of(Op op, Expression x) {
  const Type type = x.type;
  return make(op, type, {std::move(x)});
}

inline Expression of(Op op, Expression x, Expression y) {
  const Type type = x.type;
  return make(op, type, {std::move(x), std::move(y)});
}

inline Expression shifted(Op op, Expression x, unsigned count) {
  const Type type = x.type;
  return of(op, std::move(x), constant(type, count));
}

} // namespace dovetail::random_programs
