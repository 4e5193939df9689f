// SPDX-License-Identifier: MIT
//
// A random program as plain data: typed expressions and structured statements. The interpreter runs it, the back ends
// write it as SPIR-V or GLSL, and the reducer takes parts of it away.
//
// Small programs lie side by side in one shader. Each invocation of each small program has words of its own in the
// output buffer, so a wrong word names both. Integers have no sign; operations do.
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
  uint8_t width = 1;     // components of a vector; 1: a scalar
  uint8_t columns = 0;   // of a matrix of such vectors; 0: no matrix
  uint8_t elements = 0;  // of an array of all that; 0: no array
  uint8_t structure = 0; // number of a structure (structures.h), in place of scalar, width and columns; 0: none

  bool operator==(const Type &) const = default;
  // The number of scalars in it; each scalar is a component, at any depth.
  unsigned components() const;
  Scalar scalarOf(unsigned component) const;
  bool isVector() const { return width > 1 && !columns && !elements && !structure; }
  bool isScalar() const { return width == 1 && !columns && !elements && !structure; }
  bool isStructure() const { return structure && !elements; }
  Type with(Scalar other) const { return {other, width, columns, elements}; }
  // An array's element, a matrix's column, or a vector's component.
  Type inner() const;
  // The number of a structure's members; for other types, that of their inner() parts.
  unsigned parts() const;
  Type part(unsigned number) const;
  unsigned offsetOf(unsigned part) const; // its first component
};

constexpr Type Bool = {Scalar::Bool}, I8 = {Scalar::I8}, I16 = {Scalar::I16}, I32 = {Scalar::I32}, I64 = {Scalar::I64},
               F16 = {Scalar::F16}, F32 = {Scalar::F32}, F64 = {Scalar::F64};

enum class Op : uint8_t {
  Constant,  // words: its components
  Variable,  // index: which
  Group,     // the workgroup's number
  Lane,      // the invocation's number among all, or its pixel's in the framebuffer
  Parameter, // index: of the function that it is in
  Load,      // arguments: index, then those of the path; Expression::space; words: the path.
             // index: the structure that elements are, 0: the type's scalar
  Element,   // of the variable `index`; words: the path, whose indices are the arguments
  // Conversions, component by component.
  ConvertUnsigned, // integers to other widths, zero-extended or cut off
  ConvertSigned,   // sign-extended
  Bitcast,         // all bits stay; components may be combined or split
  FloatOfUnsigned,
  FloatOfSigned,
  UnsignedOfFloat,
  SignedOfFloat,
  ConvertFloat,
  // Vectors.
  Construct, // arguments: scalars or vectors
  Extract,   // words: the path, without indices
  Insert,    // arguments: composite, part; words: the path, without indices
  ExtractAt, // arguments: vector, index
  InsertAt,  // arguments: vector, scalar, index
  Shuffle,   // arguments: two vectors; words: the chosen components
  Select,    // arguments: condition (a boolean, or one for each component), then, else
  AllTrue,   // of a vector of booleans
  AnyTrue,   //
  Dot, // arguments: vectors of integers or four packed bytes, perhaps an accumulator that is added with saturation;
       // words[0]: DotForm
  ColumnScale,   // matrix times scalar
  MatrixProduct, // matrix times vector
  Subgroup,      // words[0]: SubgroupForm
  Derivative,    // of a float, fine; words[0]: 0 along x, 1 along y
  Call, // of a function; arguments: its own, then its body, which reads no variable; words[0]: a bit for each argument
        // that is passed by pointer
#define RANDOM_CORE(name, operands, signature, instruction) name,
#define RANDOM_EXTENDED(name, operands, signature, instruction) name,
#include "tools/programs/random-programs/program/operations.def"
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
// nullptr: the operation is not in the table.
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
  Ballot,     // of a boolean: one of the ballot's words; words[1]: which
  All,
  Any,
};
constexpr unsigned SubgroupFormCount = 15;

// A path into a composite: for each step the number of the part, or AtIndex, which takes the next argument as index.
using Path = std::vector<uint64_t>;
constexpr uint64_t AtIndex = ~uint64_t(0);
Type typeAlong(Type whole, const Path &path);
// All paths to parts of a type. Paths reach equal parts by AtIndex.
std::vector<Path> pathsTo(const Type &whole, const Type &part);

enum class SubgroupSpelling : uint8_t {
  Own,
  SharedMemory, // invocations exchange values there, between barriers: for implementations with other subgroup sizes
};

// The memory of loads and stores. Elements are counted in the type's scalar, or in structures.
enum class Space : uint8_t {
  Input,    // a storage buffer that nobody writes, of every type
  Uniform,  // a uniform block of words
  Push,     // push constants, words
  Pointer,  // a buffer of words by its address
  Several,  // an array of four storage buffers of words; index / InputElements: which
  Scratch,  // a storage buffer; each invocation has elements of its own, of every type
  Shared,   // words of each workgroup
  Output,   // words, of this invocation and small program
  Counters, // words that atomics add to, of this small program
  Varying,  // words that one stage hands to the next, of each vertex
};
constexpr unsigned SpaceCount = 10;
constexpr unsigned InputElements = 64, UniformElements = 32, PushElements = 24, ScratchElements = 8, OutputWords = 12,
                   SeveralBuffers = 4, CounterWords = 4, VaryingWords = 4;

// The contents of Space::Input's and Space::Scratch's buffers: scalars, then structures.
constexpr unsigned StructureCount = 11, ContentCount = ScalarCount + StructureCount;
unsigned contentOf(Scalar scalar, uint8_t structure);
Type typeOfContent(unsigned content);
// Elements of the buffer, or of an invocation's part of it.
unsigned inputElements(unsigned content);
unsigned scratchElements(unsigned content);

struct Expression {
  Op op = Op::Constant;
  Type type;
  std::vector<Expression> arguments;
  std::vector<uint64_t> words;
  uint32_t index = 0;
  Space space = Space::Input;
};

enum class StatementKind : uint8_t {
  Assign,        // values: value. form 1: copies one variable in memory to another without a value between
  AssignElement, // values: value, indices of the path
  Store,         // values: value, index, indices of the path; Statement::space. form 1: copies the loaded memory
  If,            // values: condition; blocks: then, and perhaps else
  Loop,          // values: limit of the counter `variable`; blocks: body
  Switch,        // values: selector; blocks: cases, the last is the default
  Break,         // of the innermost loop or switch
  BreakLoop,     // of the innermost loop, out of the switches in it
  Continue,
  Return,
  Barrier,
  Atomic, // values: value, index; Statement::space; form: AtomicForm
  Demote,
  Kill,
};

enum class LoopForm : uint8_t {
  TestAtHeader, // while (counter < limit)
  TestInside,   // the same test, as a break behind the header
  TestAtEnd,    // runs once at least
};
constexpr unsigned LoopFormCount = 3;
enum class AtomicForm : uint8_t { Add, Minimum, MaximumSigned, And, Or, Xor };
constexpr unsigned AtomicFormCount = 6;

struct Statement;
using Block = std::vector<Statement>;

struct SwitchCase {
  std::vector<uint64_t> labels; // empty for the default
  bool fallsThrough = false;    // into the next one
};

struct Statement {
  StatementKind kind = StatementKind::Assign;
  uint32_t variable = 0;
  Space space = Space::Output;
  uint8_t form = 0;
  uint8_t structure = 0; // Store: the structure of the elements; 0: the value's scalar
  Path path;             // AssignElement, Store
  std::vector<Expression> values;
  std::vector<Block> blocks;
  std::vector<SwitchCase> cases;
};

struct Variable {
  Type type;
  bool isMemory = false;         // in the SPIR-V: a variable instead of values and phis
  std::vector<uint64_t> initial; // components
};

// A shader's execution modes for floats of one width. Results that depend on an unset mode are undefined.
struct FloatMode {
  bool keepsDenormals = false, flushesDenormals = false; // not both
  bool roundsToEven = false, roundsToZero = false;       // not both
  bool keepsSigns = false;                               // of zeros, and keeps infinities
  bool operator==(const FloatMode &) const = default;
};

enum class Stage : uint8_t { Compute, Vertex, TessControl, TessEval, Geometry, Fragment };
constexpr unsigned StageCount = 6;

struct SmallProgram {
  uint32_t number = 0; // in its shader; stays the same when other programs are removed
  std::vector<Variable> variables;
  Block body;
  bool isInline = false; // in main(), if it has no return
  Stage stage = Stage::Compute;
};

// One shader, or a chain of shaders, with all data that it reads. A chain draws a point for each invocation, each on a
// pixel of its own. A stage may run more than once for a point, so it may only write to the output.
struct Shader {
  uint64_t seed = 0;
  Stage stage = Stage::Compute; // or Fragment: the last stage
  bool isChain = false, hasTessellation = false, hasGeometry = false;
  bool capturesVertices = false; // chains: transform feedback captures the fragment shader's inputs
  uint32_t lanes = 64;           // invocations of all workgroups, or pixels of the framebuffer
  uint32_t groupLanes = 64;      // of a workgroup
  uint32_t sharedElements = 0;   // of each workgroup
  uint32_t programCount = 0;     // for so many programs it has words
  // Fragment shaders: whether they have derivatives. With derivatives, no program stores to Space::Scratch. A pixel has
  // helper invocations in other primitives, or in parts of a clipped one; they might see its stores or not.
  bool hasDerivatives = false;
  // For 32-bit floats, and for 16-bit and 64-bit floats, which share their modes in hardware.
  std::array<FloatMode, 2> floatModes;
  const FloatMode &floatMode(Scalar scalar) const { return floatModes[scalar == Scalar::F32 ? 0 : 1]; }
  // Fragment shaders: only pixels inside of it are drawn.
  std::array<uint32_t, 4> scissor = {0, 0, 8, 8}; // x, y, width, height
  std::vector<SmallProgram> programs;             // by stage
  // Components by content. A structure's content is empty if it is not used.
  std::array<std::vector<uint64_t>, ContentCount> inputs, scratch;
  std::vector<uint32_t> uniforms, push, pointed, several;

  // In the order of execution.
  std::vector<Stage> stages() const;
  // The chain's stage in front of the rasteriser.
  Stage lastBeforeRaster() const;
  uint32_t groups() const { return stage == Stage::Compute ? lanes / groupLanes : 1; }
  uint32_t outputWords() const { return programCount * lanes * OutputWords; }
};

constexpr uint32_t UnwrittenWord = 0xdeadbeef;

// The place in transform feedback of each word that is handed on. Some bytes between are never written.
struct CapturedWord {
  uint32_t buffer = 0, offset = 0;
};
constexpr CapturedWord CapturedWords[VaryingWords] = {{0, 0}, {0, 8}, {1, 4}, {1, 0}};
constexpr uint32_t CapturedStrides[] = {12, 8};
constexpr uint32_t CaptureBuffers = 2;

// The spaces that a shader reads or writes, by content.
struct Uses {
  std::array<uint32_t, SpaceCount> contents = {}; // a bit for each
  bool has(Space space) const { return contents[size_t(space)] != 0; }
  bool has(Space space, unsigned content) const { return contents[size_t(space)] >> content & 1; }
};
Uses usesOf(const Shader &shader);

// 0, or 1 in floats.
Expression simplest(Type type);
Expression constant(Type type, uint64_t word);
Expression constant(Type type, std::vector<uint64_t> words);
Expression readVariable(const SmallProgram &program, uint32_t variable);
Expression make(Op op, Type type, std::vector<Expression> arguments);

// Visits a program's expressions and statements in the order of its text. A visitor may change what it visits, but not
// move it.
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
std::string print(const Type &type);
std::string print(const Expression &expression);
std::string print(const Shader &shader);

} // namespace dovetail::random_programs
