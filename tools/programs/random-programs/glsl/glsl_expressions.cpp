// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/glsl/glsl_expressions.h"
#include "tools/programs/random-programs/program/structures.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dovetail::random_programs {

namespace {

using Arguments = std::vector<std::string>;

constexpr std::string_view ScalarNames[] = {"bool",     "uint8_t",   "uint16_t",  "uint32_t",
                                            "uint64_t", "float16_t", "float32_t", "float64_t"};
constexpr std::string_view VectorNames[] = {"bvec",   "u8vec",  "u16vec", "u32vec",
                                            "u64vec", "f16vec", "f32vec", "f64vec"};

// uint8_t to int8_t, u8vec2 to i8vec2.
std::string signedType(const Type &type) {
  const std::string name = glslType(type);
  return name[1] == 'i' ? name.substr(1) : "i" + name.substr(1);
}

// The function that packs a vector of integers into one integer, or unpacks it; "": none.
std::string packOf(unsigned bits, unsigned width) {
  const unsigned total = bits * width;
  if (width == 1)
    return "";
  if (bits == 32 && width == 2)
    return "packUint2x32";
  return total == 16 || total == 32 || total == 64 ? fmt::format("pack{}", total) : "";
}

std::string unpackOf(unsigned bits, unsigned width) {
  if (width == 1)
    return "";
  if (bits == 32 && width == 2)
    return "unpackUint2x32";
  return bits == 8 ? "unpack8" : bits == 16 ? "unpack16" : "";
}

bool canPack(const Type &type) {
  const unsigned bits = bitsOf(type.scalar), total = bits * type.width;
  return type.width == 1 || (isInteger(type.scalar) && bits < 64 && total <= 64 && type.width != 3);
}

std::string bitcast(const Type &from, const Type &to, const std::string &value) {
  std::string whole = value;
  const unsigned total = bitsOf(from.scalar) * from.width;
  if (isFloat(from.scalar))
    whole = fmt::format("{}({})",
                        total == 16   ? "float16BitsToUint16"
                        : total == 32 ? "floatBitsToUint"
                                      : "doubleBitsToUint64",
                        value);
  else if (const std::string pack = packOf(bitsOf(from.scalar), from.width); !pack.empty())
    whole = fmt::format("{}({})", pack, value);
  if (isFloat(to.scalar))
    return fmt::format("{}({})",
                       total == 16   ? "uint16BitsToFloat16"
                       : total == 32 ? "uintBitsToFloat"
                                     : "uint64BitsToDouble",
                       whole);
  if (const std::string unpack = unpackOf(bitsOf(to.scalar), to.width); !unpack.empty())
    return fmt::format("{}({})", unpack, whole);
  return whole;
}

std::string_view infixOf(Op op) {
  switch (op) {
  case Op::Add:
  case Op::FloatAdd:
    return "+";
  case Op::Subtract:
  case Op::FloatSubtract:
    return "-";
  case Op::Multiply:
  case Op::FloatMultiply:
    return "*";
  case Op::Divide:
  case Op::DivideSigned:
    return "/";
  case Op::Modulo:
  case Op::ModuloSigned:
    return "%";
  case Op::And:
    return "&";
  case Op::Or:
    return "|";
  case Op::Xor:
    return "^";
  case Op::ShiftLeft:
    return "<<";
  case Op::ShiftRight:
  case Op::ShiftRightSigned:
    return ">>";
  default:
    return "";
  }
}

// The text of a call, for operations on words; the arguments follow.
std::string_view callOf(Op op) {
  switch (op) {
  case Op::Minimum:
  case Op::MinimumSigned:
  case Op::FloatMinimum:
    return "min";
  case Op::Maximum:
  case Op::MaximumSigned:
  case Op::FloatMaximum:
    return "max";
  case Op::Clamp:
  case Op::ClampSigned:
  case Op::FloatClamp:
    return "clamp";
  case Op::AbsoluteSigned:
  case Op::FloatAbsolute:
    return "abs";
  case Op::SignSigned:
  case Op::FloatSign:
    return "sign";
  case Op::BitReverse:
    return "bitfieldReverse";
  case Op::BitCount:
    return "bitCount";
  case Op::LowestBit:
    return "findLSB";
  case Op::HighestBit:
  case Op::HighestBitSigned:
    return "findMSB";
  case Op::Floor:
    return "floor";
  case Op::Ceiling:
    return "ceil";
  case Op::Truncate:
    return "trunc";
  case Op::RoundEven:
    return "roundEven";
  case Op::AddWithCarry:
    return "sumOf";
  case Op::CarryOfAdd:
    return "carryOf";
  case Op::SubtractWithBorrow:
    return "differenceOf";
  case Op::BorrowOfSubtract:
    return "borrowOf";
  case Op::LowProduct:
    return "lowOf";
  case Op::HighProduct:
    return "highOf";
  case Op::LowProductSigned:
    return "lowSignedOf";
  case Op::HighProductSigned:
    return "highSignedOf";
  default:
    return "";
  }
}

struct Comparison {
  std::string_view infix, call;
};

Comparison comparisonOf(Op op) {
  switch (op) {
  case Op::Equal:
  case Op::FloatEqual:
    return {"==", "equal"};
  case Op::Unequal:
  case Op::FloatUnequal:
    return {"!=", "notEqual"};
  case Op::Less:
  case Op::LessSigned:
  case Op::FloatLess:
    return {"<", "lessThan"};
  case Op::LessOrEqual:
  case Op::LessOrEqualSigned:
  case Op::FloatLessOrEqual:
    return {"<=", "lessThanEqual"};
  case Op::Greater:
  case Op::GreaterSigned:
  case Op::FloatGreater:
    return {">", "greaterThan"};
  default:
    return {">=", "greaterThanEqual"};
  }
}

bool isSigned(Op op) {
  switch (op) {
  case Op::DivideSigned:
  case Op::ModuloSigned:
  case Op::ShiftRightSigned:
  case Op::MinimumSigned:
  case Op::MaximumSigned:
  case Op::ClampSigned:
  case Op::AbsoluteSigned:
  case Op::SignSigned:
  case Op::HighestBitSigned:
  case Op::LessSigned:
  case Op::LessOrEqualSigned:
  case Op::GreaterSigned:
  case Op::GreaterOrEqualSigned:
    return true;
  default:
    return false;
  }
}

std::string joined(const Arguments &arguments) {
  return fmt::format("{}", fmt::join(arguments, ", "));
}

std::string rowText(const Expression &expression, const OperationRow &row, Arguments arguments) {
  const Type &type = expression.type, &from = expression.arguments[0].type;
  const Op op = expression.op;
  if (isSigned(op))
    for (size_t i = 0; i < arguments.size(); ++i)
      arguments[i] = fmt::format("{}({})", signedType(expression.arguments[i].type), arguments[i]);
  switch (row.signature) {
  case Signature::Compares:
  case Signature::FloatCompares:
    if (type.width > 1)
      return fmt::format("{}({})", comparisonOf(op).call, joined(arguments));
    return fmt::format("({} {} {})", arguments[0], comparisonOf(op).infix, arguments[1]);
  case Signature::Booleans: {
    if (type.width > 1)
      return op == Op::Untrue ? fmt::format("not({})", arguments[0])
             : op == Op::SameTruth || op == Op::OtherTruth
                 ? fmt::format("{}({})", op == Op::SameTruth ? "equal" : "notEqual", joined(arguments))
                 : fmt::format("mix({}, {}, {})", arguments[0], arguments[1],
                               op == Op::BothTrue ? arguments[0] : fmt::format("not({})", arguments[0]));
    if (op == Op::Untrue)
      return fmt::format("(!{})", arguments[0]);
    const char *infix = op == Op::BothTrue ? "&&" : op == Op::EitherTrue ? "||" : op == Op::SameTruth ? "==" : "!=";
    return fmt::format("({} {} {})", arguments[0], infix, arguments[1]);
  }
  default:
    break;
  }
  std::string text;
  if (op == Op::Negate || op == Op::FloatNegate)
    text = fmt::format("(-{})", arguments[0]);
  else if (op == Op::Not)
    text = fmt::format("(~{})", arguments[0]);
  else if (op >= Op::FloatAdd && op <= Op::FloatMultiply)
    return fmt::format("{}({})",
                       op == Op::FloatAdd        ? "plus"
                       : op == Op::FloatSubtract ? "minus"
                                                 : "times",
                       joined(arguments));
  else if (const std::string_view infix = infixOf(op); !infix.empty())
    text = fmt::format("({} {} {})", arguments[0], infix, arguments[1]);
  else if (op == Op::BitFieldInsert)
    text =
        fmt::format("bitfieldInsert({}, {}, int({}), int({}))", arguments[0], arguments[1], arguments[2], arguments[3]);
  else if (op == Op::BitFieldExtract)
    text = fmt::format("bitfieldExtract({}, int({}), int({}))", arguments[0], arguments[1], arguments[2]);
  else if (op == Op::BitFieldExtractSigned)
    text = fmt::format("bitfieldExtract({}({}), int({}), int({}))", signedType(from), arguments[0], arguments[1],
                       arguments[2]);
  else
    text = fmt::format("{}({})", callOf(op), joined(arguments));
  return isFloat(type.scalar) ? text : fmt::format("{}({})", glslType(type), text);
}

std::string subgroupText(const Expression &expression, const Arguments &arguments) {
  constexpr std::string_view Names[] = {
      "Add",       "Min",     "Max",        "And",    "Or",  "Xor", "InclusiveAdd", "ExclusiveAdd", "BroadcastFirst",
      "Broadcast", "Shuffle", "ShuffleXor", "Ballot", "All", "Any"};
  const auto form = SubgroupForm(expression.words[0]);
  if (form == SubgroupForm::Ballot)
    return fmt::format("subgroupBallot({})[{}]", arguments[0], expression.words[1]);
  if (form == SubgroupForm::MaximumSigned)
    return fmt::format("{}(subgroupMax({}({})))", glslType(expression.type), signedType(expression.type), arguments[0]);
  return fmt::format("subgroup{}({})", Names[size_t(form)], joined(arguments));
}

bool isConstant(const Expression &expression) {
  if (expression.op == Op::Variable || expression.op == Op::Lane || expression.op == Op::Load ||
      expression.op == Op::Element)
    return false;
  return std::ranges::all_of(expression.arguments, isConstant);
}

} // namespace

std::string glslType(const Type &type) {
  if (type.elements)
    return fmt::format("{}[{}]", glslType(type.inner()), type.elements);
  if (type.structure)
    return fmt::format("S{}", type.structure);
  if (type.columns)
    return fmt::format("{}mat{}x{}", type.scalar == Scalar::F64 ? "f64" : "f32", type.columns, type.width);
  if (type.width > 1)
    return fmt::format("{}{}", VectorNames[size_t(type.scalar)], type.width);
  return std::string(ScalarNames[size_t(type.scalar)]);
}

std::string glslConstant(const Type &type, const std::vector<uint64_t> &words) {
  if (!type.isScalar()) {
    Arguments parts;
    for (unsigned i = 0; i < type.parts(); ++i) {
      const Type part = type.part(i);
      const auto first = words.begin() + type.offsetOf(i);
      parts.push_back(glslConstant(part, {first, first + part.components()}));
    }
    return fmt::format("{}({})", glslType(type), joined(parts));
  }
  switch (type.scalar) {
  case Scalar::Bool:
    return words[0] ? "true" : "false";
  case Scalar::I32:
    return fmt::format("{}u", words[0]);
  case Scalar::I64:
    return fmt::format("{}ul", words[0]);
  case Scalar::F16:
    return fmt::format("uint16BitsToFloat16(uint16_t({}u))", words[0]);
  case Scalar::F32:
    return fmt::format("uintBitsToFloat({}u)", words[0]);
  case Scalar::F64:
    return fmt::format("uint64BitsToDouble({}ul)", words[0]);
  default:
    return fmt::format("{}({}u)", glslType(type), words[0]);
  }
}

bool hasGlsl(const Expression &expression) {
  switch (expression.op) {
  case Op::Dot:
  case Op::RemainderSigned:
  case Op::Insert:
  case Op::Call:
  case Op::Parameter:
    return false;
  case Op::Select: { // glslang mistakes buffers' types for those of values here
    const bool isPlain = expression.type.isScalar() || expression.type.isVector();
    return isPlain || std::ranges::none_of(expression.arguments, [](const Expression &argument) {
             return argument.op == Op::Load || argument.op == Op::Extract;
           });
  }
  case Op::Subgroup: // 64 bits would need one more extension
    return expression.type.scalar != Scalar::I64;
  case Op::ModuloSigned: // GLSL leaves it undefined for negative numbers, but glslang writes OpSMod
  case Op::InsertAt:
    return true;
  case Op::Bitcast:
    return canPack(expression.type) && canPack(expression.arguments[0].type);
  default:
    return true;
  }
}

std::string glslPath(const Type &whole, const Path &path, std::span<const std::string> indices) {
  std::string text;
  Type type = whole;
  size_t next = 0;
  for (uint64_t step : path) {
    text += step == AtIndex      ? fmt::format("[{}]", indices[next++])
            : type.isStructure() ? fmt::format(".m{}", step)
                                 : fmt::format("[{}]", step);
    type = type.part(step == AtIndex ? 0 : unsigned(step));
  }
  return text;
}

std::string glslStructures() {
  std::string text;
  for (uint8_t number = 1; number <= StructureCount; ++number) {
    text += fmt::format("struct S{} {{", number);
    for (size_t i = 0; i < membersOf(number).size(); ++i)
      text += fmt::format(" {} m{};", glslType(membersOf(number)[i]), i);
    text += " };\n";
  }
  return text;
}

std::string glslPlace(const Shader &shader, const SmallProgram &program, Space space, const Type &element,
                      const std::string &index) {
  const std::string name = glslType(element);
  switch (space) {
  case Space::Input:
    return fmt::format("input_{}[{}]", name, index);
  case Space::Uniform:
    return fmt::format("uniforms[{}]", index);
  case Space::Push:
    return fmt::format("push[{}]", index);
  case Space::Pointer:
    return fmt::format("pointed.words[{}]", index);
  case Space::Several:
    return fmt::format("several[nonuniformEXT({} / {}u)].words[{} % {}u]", index, InputElements, index, InputElements);
  case Space::Scratch:
    return fmt::format("scratch_{}[lane * {}u + {}]", name,
                       scratchElements(contentOf(element.scalar, element.structure)), index);
  case Space::Shared:
    return fmt::format("sharedWords[{}]", index);
  case Space::Output:
    return fmt::format("outputs[(lane + {}u) * {}u + {}]", program.number * shader.lanes, OutputWords, index);
  case Space::Counters:
    return fmt::format("counters[{} + {}u]", index, program.number * CounterWords);
  case Space::Varying:
    return fmt::format("varyings[{}]", index);
  }
  return "";
}

std::string glslExpression(const Shader &shader, const SmallProgram &program, const Expression &expression) {
  const Type &type = expression.type;
  if (expression.op == Op::Constant)
    return glslConstant(type, expression.words);
  if (expression.op == Op::Variable)
    return fmt::format("v{}", expression.index);
  if (expression.op == Op::Group)
    return "gl_WorkGroupID.x";
  if (expression.op == Op::Lane)
    return "lane";
  Arguments arguments;
  for (const Expression &argument : expression.arguments)
    arguments.push_back(glslExpression(shader, program, argument));
  // glslang folds constant expressions, and folds sign() of 64 bits wrongly: so make them not constant.
  if (isConstant(expression) && (expression.type.isScalar() || expression.type.isVector()))
    for (size_t i = 0; i < arguments.size(); ++i)
      if (const Type &given = expression.arguments[i].type;
          expression.arguments[i].op == Op::Constant && (given.isScalar() || given.isVector()))
        arguments[i] = fmt::format("hold({})", arguments[i]);
  switch (expression.op) {
  case Op::Load: {
    const Type element = typeOfContent(contentOf(type.scalar, uint8_t(expression.index)));
    return glslPlace(shader, program, expression.space, element, arguments[0]) +
           glslPath(element, expression.words, std::span(arguments).subspan(1));
  }
  case Op::Element:
    return fmt::format("v{}{}", expression.index,
                       glslPath(program.variables[expression.index].type, expression.words, arguments));
  case Op::ConvertSigned:
    return fmt::format("{}({}({}))", glslType(type), signedType(expression.arguments[0].type), arguments[0]);
  case Op::FloatOfSigned:
    return fmt::format("{}({}({}))", glslType(type), signedType(expression.arguments[0].type), arguments[0]);
  case Op::SignedOfFloat:
    return fmt::format("{}({}({}))", glslType(type), signedType(type), arguments[0]);
  case Op::ConvertUnsigned:
  case Op::FloatOfUnsigned:
  case Op::UnsignedOfFloat:
  case Op::ConvertFloat:
  case Op::Construct:
    return fmt::format("{}({})", glslType(type), joined(arguments));
  case Op::Bitcast:
    return bitcast(expression.arguments[0].type, type, arguments[0]);
  case Op::Extract:
    return arguments[0] + glslPath(expression.arguments[0].type, expression.words, {});
  case Op::ExtractAt:
    return fmt::format("{}[{}]", arguments[0], arguments[1]);
  case Op::InsertAt:
    return fmt::format("inserted({}, {}, {})", arguments[0], arguments[1], arguments[2]);
  case Op::Shuffle: {
    Arguments parts;
    const unsigned width = expression.arguments[0].type.width;
    for (uint64_t word : expression.words)
      parts.push_back(fmt::format("{}[{}]", arguments[word < width ? 0 : 1], word < width ? word : word - width));
    return fmt::format("{}({})", glslType(type), joined(parts));
  }
  case Op::Select:
    if (expression.arguments[0].type.width > 1)
      return fmt::format("mix({}, {}, {})", arguments[2], arguments[1], arguments[0]);
    return fmt::format("({} ? {} : {})", arguments[0], arguments[1], arguments[2]);
  case Op::AllTrue:
  case Op::AnyTrue:
    return fmt::format("{}({})", expression.op == Op::AllTrue ? "all" : "any", arguments[0]);
  case Op::ColumnScale:
  case Op::MatrixProduct:
    return fmt::format("({} * {})", arguments[0], arguments[1]);
  case Op::Subgroup:
    return subgroupText(expression, arguments);
  case Op::Derivative:
    return fmt::format("{}({})", expression.words[0] ? "dFdyFine" : "dFdxFine", arguments[0]);
  default:
    return rowText(expression, *findRow(expression.op), std::move(arguments));
  }
}

std::string glslFunctions() {
  std::string text =
      "uint sumOf(uint x, uint y) { uint carry; return uaddCarry(x, y, carry); }\n"
      "uint carryOf(uint x, uint y) { uint carry; uaddCarry(x, y, carry); return carry; }\n"
      "uint differenceOf(uint x, uint y) { uint borrow; return usubBorrow(x, y, borrow); }\n"
      "uint borrowOf(uint x, uint y) { uint borrow; usubBorrow(x, y, borrow); return borrow; }\n"
      "uint lowOf(uint x, uint y) { uint high, low; umulExtended(x, y, high, low); return low; }\n"
      "uint highOf(uint x, uint y) { uint high, low; umulExtended(x, y, high, low); return high; }\n"
      "uint lowSignedOf(uint x, uint y) { int high, low; imulExtended(int(x), int(y), high, low); return uint(low); }\n"
      "uint highSignedOf(uint x, uint y) { int high, low; imulExtended(int(x), int(y), high, low); return uint(high); "
      "}\n";
  for (unsigned scalar = 0; scalar < ScalarCount; ++scalar)
    for (uint8_t width = 1; width <= 4; ++width) {
      const Type type = {Scalar(scalar), width};
      const std::string name = glslType(type);
      if (isFloat(Scalar(scalar)))
        for (const auto &[function, infix] : {std::pair("plus", "+"), std::pair("minus", "-"), std::pair("times", "*")})
          text += fmt::format("{0} {1}({0} x, {0} y) {{ precise {0} result = x {2} y; return result; }}\n", name,
                              function, infix);
      text += fmt::format("{0} hold({0} x) {{ return x; }}\n", name);
      if (width > 1)
        text += fmt::format("{0} inserted({0} whole, {1} part, uint place) {{ whole[place] = part; return whole; }}\n",
                            name, glslType(type.inner()));
    }
  return text;
}

} // namespace dovetail::random_programs
