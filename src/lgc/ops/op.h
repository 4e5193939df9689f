// SPDX-License-Identifier: MIT
//
// Front ends record graphics operations as dialect ops: typed calls in LLVM IR that BuilderReplayer lowers later. An op
// is a call of a declaration named `lgc.<mnemonic>.<overload>`. The declaration carries its OpCode as metadata, so
// matching is a table look-up and never compares strings. The op classes are expanded from ops/ops.def and
// ops/internal.def:
//
//   if (auto *load = dyn_cast<BufferLoadOp>(&instruction))
//     use(load->desc(), load->flags());
//
// Only the middle-end creates internal ops; they have no Builder method.
#pragma once

#include "src/abi/interface/layout_constant.h"
#include "src/abi/interface/shader_interface.h"
#include "src/lgc/ops/op_types.h"
#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/seq/for_each_i.hpp>
#include <boost/preprocessor/tuple/elem.hpp>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <type_traits>

namespace llvm {
class IRBuilderBase;
}

namespace lgc {

using llvm::Type;
using llvm::Value;

// The possible effects of an op, for the attributes of its declaration.
enum class OpEffects : uint32_t {
  Pure,            // a function of its operands
  PureRead,        // reads memory that does not change during the shader
  Read,            // reads memory
  Write,           // reads and writes memory or has another side effect
  Convergent,      // a function of its operands in several lanes
  ConvergentRead,  // the same, and reads memory
  ConvergentWrite, // the same, and has side effects
};

enum class OpCode : uint32_t {
#define LGC_OP(name, mnemonic, effects, resultType, operands) name,
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP
  Count
};

// Whether only the middle-end makes the op.
constexpr bool isInternal(OpCode code) {
  constexpr unsigned internalCount = 0
#define LGC_OP(name, mnemonic, effects, resultType, operands) +1
#include "src/lgc/ops/internal.def"
#undef LGC_OP
      ;
  return static_cast<uint32_t>(code) < internalCount;
}

// An SSA operand that may be absent.
class OptionalValue {
public:
  OptionalValue(Value *value = nullptr) : m_value(value) {}
  operator Value *() const { return m_value; }
  Value *operator->() const { return m_value; }

private:
  Value *m_value;
};

// The form of each C++ operand type in a call. Absent values are stored as `i1 poison`, which no present operand is.
namespace operand_codec {

inline Value *encode(llvm::LLVMContext &, Value *value) {
  return value;
}
Value *encode(llvm::LLVMContext &context, OptionalValue value);
Value *encodeImmediate(llvm::LLVMContext &context, uint32_t value);
OptionalValue decodeOptional(Value *operand);
uint32_t decodeImmediate(const Value *operand);

template <typename T>
requires(std::is_integral_v<T> || std::is_enum_v<T>) Value *encode(llvm::LLVMContext &context, T value) {
  return encodeImmediate(context, static_cast<uint32_t>(value));
}

template <typename T> T decode(Value *operand) {
  if constexpr (std::is_same_v<T, Value *>)
    return operand;
  else if constexpr (std::is_same_v<T, OptionalValue>)
    return decodeOptional(operand);
  else
    return static_cast<T>(decodeImmediate(operand));
}

// A result type is not an operand.
template <typename T> inline constexpr bool isStored = !std::is_same_v<T, Type *>;

} // namespace operand_codec

// Any dialect op.
class Op : public llvm::CallInst {
public:
  static bool classof(const llvm::CallInst *call) { return opCodeOf(call) != OpCode::Count; }
  static bool classof(const Value *value) {
    return llvm::isa<llvm::CallInst>(value) && classof(llvm::cast<llvm::CallInst>(value));
  }

  OpCode opCode() const { return opCodeOf(this); }
  llvm::StringRef mnemonic() const { return mnemonicOf(opCode()); }

  // OpCode::Count if the call is not a dialect op.
  static OpCode opCodeOf(const llvm::CallInst *call);
  static llvm::StringRef mnemonicOf(OpCode code);

protected:
  // Inserts a call of the op at the builder's insertion point.
  static llvm::CallInst *createCall(llvm::IRBuilderBase &builder, OpCode code, Type *resultType,
                                    llvm::ArrayRef<Value *> operands, const llvm::Twine &name);
};

// The position among the stored operands of the operand declared at place `index` of a row.
template <typename... Operands> constexpr unsigned storedPosition(unsigned index) {
  constexpr bool stored[] = {operand_codec::isStored<Operands>..., false};
  unsigned position = 0;
  for (unsigned i = 0; i < index; ++i)
    position += stored[i];
  return position;
}

#define LGC_OPERAND_TYPE(operand) BOOST_PP_TUPLE_ELEM(0, operand)
#define LGC_OPERAND_NAME(operand) BOOST_PP_TUPLE_ELEM(1, operand)
#define LGC_OPERAND_PARAMETER(r, data, operand) LGC_OPERAND_TYPE(operand) LGC_OPERAND_NAME(operand),
#define LGC_OPERAND_ARGUMENT(r, data, operand) LGC_OPERAND_NAME(operand),
#define LGC_OPERAND_TYPE_LIST(r, data, operand) LGC_OPERAND_TYPE(operand),
#define LGC_OPERAND_ENUMERATOR(r, data, operand) LGC_OPERAND_NAME(operand),
// The parameter list and the argument list of a row, each with a trailing comma.
#define LGC_PARAMETERS(operands) BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_PARAMETER, _, operands)
#define LGC_ARGUMENTS(operands) BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_ARGUMENT, _, operands)

// A named accessor: `Value *desc() const`. A Type * operand reads the call's own type.
#define LGC_OPERAND_ACCESSOR(r, data, operand)                                                                         \
  LGC_OPERAND_TYPE(operand) LGC_OPERAND_NAME(operand)() const {                                                        \
    return getOperandAs<LGC_OPERAND_TYPE(operand), Index::LGC_OPERAND_NAME(operand)>();                                \
  }

template <typename... Operands> class OpOperands : public Op {
protected:
  template <typename T, auto index> T getOperandAs() const {
    if constexpr (operand_codec::isStored<T>)
      return operand_codec::decode<T>(getArgOperand(storedPosition<Operands...>(static_cast<unsigned>(index))));
    else
      return getType();
  }

  template <typename T> static void append(llvm::LLVMContext &context, llvm::SmallVectorImpl<Value *> &to, T operand) {
    if constexpr (operand_codec::isStored<T>)
      to.push_back(operand_codec::encode(context, operand));
  }
};

// OpOperands with the operand types of a row; the Nil keeps the list well formed for rows without operands.
struct Nil;

#define LGC_OP(name_, mnemonic_, effects_, resultType_, operands_)                                                     \
  class name_##Op : public OpOperands<BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_TYPE_LIST, _, operands_) Nil> {                \
    enum class Index : unsigned { BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_ENUMERATOR, _, operands_) };                       \
                                                                                                                       \
  public:                                                                                                              \
    static constexpr OpCode code = OpCode::name_;                                                                      \
    static bool classof(const llvm::CallInst *call) { return opCodeOf(call) == code; }                                 \
    static bool classof(const Value *value) {                                                                          \
      return llvm::isa<llvm::CallInst>(value) && classof(llvm::cast<llvm::CallInst>(value));                           \
    }                                                                                                                  \
    static name_##Op *create(llvm::IRBuilderBase &builder,                                                             \
                             LGC_PARAMETERS(operands_) const llvm::Twine &instName = "");                              \
    BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_ACCESSOR, _, operands_)                                                          \
  };
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP

// An op whose OpCode is known. Each cast of an Op looks the OpCode up by name in the context; use KnownOp to ask for
// many classes.
class KnownOp {
public:
  explicit KnownOp(Op &op) : m_op(op), m_code(op.opCode()) {}

  // nullptr if the op is another one.
  template <typename T> T *as() const { return m_code == T::code ? static_cast<T *>(&m_op) : nullptr; }

private:
  Op &m_op;
  OpCode m_code;
};

// Checks every dialect op of a module against its row: operand count, constant immediates, result type. Returns a text
// that names the first bad op, or an empty one.
std::string verifyOps(const llvm::Module &module);

// A HardwareValueOp of one dword: an i32 that the hardware or the driver puts into a register at the wave's start.
Value *hardwareDword(llvm::IRBuilderBase &builder, dovetail::ValueKind kind, unsigned index = 0);

} // namespace lgc
