// SPDX-License-Identifier: MIT
//
// A random program as its generator knows it: typed expressions and structured statements as plain data. The
// interpreter runs it, the back ends write it as SPIR-V or GLSL, and the reducer takes parts of it away.
//
// Small programs lie side by side in one shader. Each invocation of each small program has words of its own in the
// output buffer, so that a wrong word names both. Integers have no sign; operations do.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::random_programs {

enum class Scalar : uint8_t { Bool, I8, I16, I32, I64, F16, F32, F64 };
constexpr unsigned ScalarCount = 8;
unsigned bitsOf(Scalar scalar); // Bool: 1
bool isInteger(Scalar scalar);  // not Bool
bool isFloat(Scalar scalar);
Scalar integerOf(unsigned bits);

struct Type {
  Scalar scalar = Scalar::I32;
  uint8_t width = 1;    // components of a vector; 1: a scalar
  uint8_t columns = 0;  // of a matrix of such vectors; 0: none
  uint8_t elements = 0; // of an array of all that; 0: none

  bool operator==(const Type &) const = default;
  unsigned components() const { return unsigned(width) * (columns ? columns : 1) * (elements ? elements : 1); }
  bool isVector() const { return width > 1 && !columns && !elements; }
  bool isScalar() const { return width == 1 && !columns && !elements; }
  Type with(Scalar other) const { return {other, width, columns, elements}; }
  // Of an array its element, of a matrix its column, of a vector its component.
  Type inner() const;
};

constexpr Type Bool = {Scalar::Bool}, I8 = {Scalar::I8}, I16 = {Scalar::I16}, I32 = {Scalar::I32}, I64 = {Scalar::I64},
               F16 = {Scalar::F16}, F32 = {Scalar::F32}, F64 = {Scalar::F64};

enum class Op : uint8_t {
  Constant, // words: its components
  Variable, // index: which
  Lane,     // the invocation's number in its workgroup, or its pixel's in the framebuffer
  Load,     // arguments: index; Expression::space, of the type's scalar
  Element,  // arguments: index; of the variable `index`, whose type is an array, a matrix or a vector
  // Conversions of components.
  ConvertUnsigned, // integers to other widths, extended by zeros or cut off
  ConvertSigned,   // extended by the sign
  Bitcast,         // all bits stay; components may be combined or split
  FloatOfUnsigned,
  FloatOfSigned,
  UnsignedOfFloat,
  SignedOfFloat,
  ConvertFloat,
  // Vectors.
  Construct,     // arguments: scalars or vectors
  Extract,       // words[0]: which component
  ExtractAt,     // arguments: vector, index
  InsertAt,      // arguments: vector, scalar, index
  Shuffle,       // arguments: two vectors; words: which components
  Select,        // arguments: condition (a boolean, or one for each component), then, else
  AllTrue,       // of a vector of booleans
  AnyTrue,       //
  Dot,           // arguments: integers of vectors or of four packed bytes, perhaps what it is added to with saturation;
                 // words[0]: DotForm
  ColumnScale,   // matrix times scalar
  MatrixProduct, // matrix times vector
  Subgroup,      // words[0]: SubgroupForm
  Derivative,    // of a float, fine; words[0]: 0 along x, 1 along y
#define RANDOM_CORE(name, operands, signature, instruction) name,
#define RANDOM_EXTENDED(name, operands, signature, instruction) name,
#include "tools/random-programs/program/operations.def"
};

enum class Signature : uint8_t { None, Integers, Words, Compares, Booleans, Floats, FloatCompares };
struct OperationRow {
  Op op;
  std::string_view name;
  uint8_t operands;
  Signature signature;
  bool isExtended;      // an instruction of GLSL.std.450
  uint32_t instruction; // its number
};
const std::vector<OperationRow> &operationRows();
// nullptr: none of the table.
const OperationRow *findRow(Op op);
std::string_view toString(Op op);

enum class DotForm : uint8_t { Unsigned, Signed, Mixed };

enum class SubgroupForm : uint8_t {
  Add,
  Minimum,
  MaximumSigned,
  And,
  Or,
  Xor,
  InclusiveAdd,
  ExclusiveAdd,
  BroadcastFirst,
  Broadcast,  // arguments: value, index (a constant)
  Shuffle,    // arguments: value, index
  ShuffleXor, // arguments: value, mask (a constant)
  Ballot,     // of a boolean: the first of its words; words[1]: which
  All,
  Any,
};
constexpr unsigned SubgroupFormCount = 15;

// Where loads and stores go. Elements are counted in the type's scalar.
enum class Space : uint8_t {
  Input,    // a storage buffer that nobody writes, of every type
  Uniform,  // a uniform block of words
  Push,     // push constants, words
  Pointer,  // a buffer of words by its address
  Several,  // an array of four storage buffers of words; index / InputElements: which
  Scratch,  // a storage buffer; each invocation has elements of its own, of every type
  Shared,   // words
  Output,   // words, of this invocation and small program
  Counters, // words that atomics add to, of this small program
  Varying,  // words that one stage hands to the next, of each vertex
};
constexpr unsigned SpaceCount = 10;
constexpr unsigned InputElements = 64, UniformElements = 32, PushElements = 24, ScratchElements = 8, OutputWords = 12,
                   SeveralBuffers = 4, CounterWords = 4, VaryingWords = 4;

struct Expression {
  Op op = Op::Constant;
  Type type;
  std::vector<Expression> arguments;
  std::vector<uint64_t> words;
  uint32_t index = 0;
  Space space = Space::Input;
};

enum class StatementKind : uint8_t {
  Assign,        // values: value
  AssignElement, // values: value, index
  Store,         // values: value, index; Statement::space
  If,            // values: condition; blocks: then, perhaps else
  Loop,          // values: limit of the counter `variable`; blocks: body
  Switch,        // values: selector; blocks: cases, of which the last is the default
  Break,         // of the innermost loop or switch
  BreakLoop,     // of the innermost loop, out of switches in it
  Continue,
  Return,
  Barrier,
  Atomic, // values: value, index (a constant); Statement::space; form: AtomicForm
  Demote,
  Kill,
};

enum class LoopForm : uint8_t {
  TestAtHeader, // while (counter < limit)
  TestInside,   // the same as a break behind the header
  TestAtEnd,    // runs once at least
};
constexpr unsigned LoopFormCount = 3;
enum class AtomicForm : uint8_t { Add, Minimum, MaximumSigned, And, Or, Xor };
constexpr unsigned AtomicFormCount = 6;

struct Statement;
using Block = std::vector<Statement>;

struct SwitchCase {
  std::vector<uint64_t> labels; // none of the default
  bool fallsThrough = false;    // into the next one
};

struct Statement {
  StatementKind kind = StatementKind::Assign;
  uint32_t variable = 0;
  Space space = Space::Output;
  uint8_t form = 0;
  std::vector<Expression> values;
  std::vector<Block> blocks;
  std::vector<SwitchCase> cases;
};

struct Variable {
  Type type;
  bool isMemory = false;         // in the SPIR-V: a variable rather than values and phis
  std::vector<uint64_t> initial; // components
};

enum class Stage : uint8_t { Compute, Vertex, TessControl, TessEval, Geometry, Fragment };
constexpr unsigned StageCount = 6;

struct SmallProgram {
  uint32_t number = 0; // in its shader; kept when others go
  std::vector<Variable> variables;
  Block body;
  bool isInline = false; // in main(), if it has no return
  Stage stage = Stage::Compute;
};

// One shader, or a chain of them, and all that it reads. A chain draws a point for each invocation, each on a pixel of
// its own. A stage may run more than once for a point, so only the output is written there.
struct Shader {
  uint64_t seed = 0;
  Stage stage = Stage::Compute; // or Fragment: the last one
  bool isChain = false, hasTessellation = false, hasGeometry = false;
  uint32_t lanes = 64; // of the only workgroup, or pixels of the framebuffer
  uint32_t sharedElements = 0;
  uint32_t programCount = 0; // that it has words for
  // Fragment shaders: whether they have derivatives. Then nobody stores to Space::Scratch: a pixel's helper invocations
  // in other primitives, or parts of a clipped one, would see what it has stored or not.
  bool hasDerivatives = false;
  // Fragment shaders: pixels from this one on, and below that one, are drawn.
  std::array<uint32_t, 4> scissor = {0, 0, 8, 8}; // x, y, width, height
  std::vector<SmallProgram> programs;             // by stage
  // Elements by Scalar.
  std::array<std::vector<uint64_t>, ScalarCount> inputs, scratch;
  std::vector<uint32_t> uniforms, push, pointed, several;

  // In the order in which they run.
  std::vector<Stage> stages() const;
  uint32_t outputWords() const { return programCount * lanes * OutputWords; }
};

constexpr uint32_t UnwrittenWord = 0xdeadbeef;

Expression constant(Type type, uint64_t word);
Expression constant(Type type, std::vector<uint64_t> words);
Expression readVariable(const SmallProgram &program, uint32_t variable);
Expression make(Op op, Type type, std::vector<Expression> arguments);

// Expressions and statements of a program in the order of its text; what is visited may be changed but for its place.
template <typename Visit> void visitExpressions(Expression &expression, const Visit &visit) {
  visit(expression);
  for (Expression &argument : expression.arguments)
    visitExpressions(argument, visit);
}
template <typename Visit> void visitStatements(Block &block, const Visit &visit) {
  for (Statement &statement : block) {
    visit(statement);
    for (Block &inner : statement.blocks)
      visitStatements(inner, visit);
  }
}
template <typename Visit> void visitExpressions(Block &block, const Visit &visit) {
  visitStatements(block, [&](Statement &statement) {
    for (Expression &value : statement.values)
      visitExpressions(value, visit);
  });
}

// The whole as text, for people and for tests.
std::string print(const Expression &expression);
std::string print(const Shader &shader);

} // namespace dovetail::random_programs
