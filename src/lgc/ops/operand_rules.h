// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/ops/op.h"
#include <boost/preprocessor/cat.hpp>

namespace lgc {

// Whether the types of an op's operands fit together, and its immediates have a meaning, so that the lowering need not
// check them. The caller has checked that their number is right and that immediates are i32 constants.
bool hasGoodOperands(const Op &op);

// The same for an op that is not made yet: NameOperands{operands...}, which are named as NameOp's accessors are.
#define LGC_OPERAND_FIELD(r, data, operand)                                                                            \
  LGC_OPERAND_TYPE(operand) BOOST_PP_CAT(m_, LGC_OPERAND_NAME(operand));                                               \
  LGC_OPERAND_TYPE(operand) LGC_OPERAND_NAME(operand)() const {                                                        \
    return BOOST_PP_CAT(m_, LGC_OPERAND_NAME(operand));                                                                \
  }
#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  struct name##Operands {                                                                                              \
    BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_FIELD, _, operands)                                                              \
  };                                                                                                                   \
  bool hasGoodOperands(const name##Operands &operands_);
#include "src/lgc/ops/ops.def"
#undef LGC_OP
#undef LGC_OPERAND_FIELD

} // namespace lgc
