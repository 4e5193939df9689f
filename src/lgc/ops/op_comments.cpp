// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op_comments.h"
#include "src/lgc/ops/op.h"
#include <boost/preprocessor/stringize.hpp>
#include <llvm/Support/FormattedStream.h>

using namespace llvm;

namespace lgc {

namespace {

// The name of a value; the enumerators' numbers change from build to build.
StringRef nameOf(dovetail::ValueKind kind) {
  static constexpr StringRef Names[] = {
#define VALUE(kind, name, shape) name,
#include "src/abi/values.def"
#undef VALUE
  };
  return static_cast<size_t>(kind) < std::size(Names) ? Names[static_cast<size_t>(kind)] : "?";
}

template <typename T> void addImmediate(SmallVectorImpl<char> &text, StringRef name, const T &operand) {
  raw_svector_ostream out(text);
  if constexpr (std::is_same_v<T, dovetail::ValueKind>)
    out << (text.empty() ? "" : ", ") << name << ' ' << nameOf(operand);
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    out << (text.empty() ? "" : ", ") << name << ' ' << static_cast<uint32_t>(operand);
}

} // namespace

void OpComments::printInfoComment(const Value &value, formatted_raw_ostream &out) {
  auto *op = dyn_cast<Op>(&value);
  if (!op)
    return;
  SmallString<64> text;
  switch (op->opCode()) {
#define LGC_OPERAND_ADD(r, data, operand)                                                                              \
  addImmediate(text, BOOST_PP_STRINGIZE(LGC_OPERAND_NAME(operand)), typedOp->LGC_OPERAND_NAME(operand)());
#define LGC_OP(name_, mnemonic_, effects_, resultType_, operands_)                                                     \
  case OpCode::name_: {                                                                                                \
    [[maybe_unused]] auto *typedOp = cast<name_##Op>(op);                                                              \
    BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_ADD, _, operands_)                                                               \
    break;                                                                                                             \
  }
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP
#undef LGC_OPERAND_ADD
  case OpCode::Count:
    break;
  }
  if (!text.empty())
    out << " ; " << text;
}

} // namespace lgc
