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
  uint8_t width = 1;     // components of a vector; 1: a scalar
  uint8_t columns = 0;   // of a matrix of such vectors; 0: none
  uint8_t elements = 0;  // of an array of all that; 0: none
  uint8_t structure = 0; // in place of scalar, width and columns: its number (structures.h); 0: none

  bool operator==(const Type &) const = default;
  // Scalars that it is made of; each by itself is a component, in whatever it lies.
  unsigned components() const;
  Scalar scalarOf(unsigned component) const;
  bool isVector() const { return width > 1 && !columns && !elements && !structure; }
  bool isScalar() const { return width == 1 && !columns && !elements && !structure; }
  bool isStructure() const { return structure && !elements; }
  Type with(Scalar other) const { return {other, width, columns, elements}; }
  // Of an array its element, of a matrix its column, of a vector its component.
  Type inner() const;
  // Of a structure its members, of others as many of inner().
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
  Extract,       // words: the path, without indices
  Insert,        // arguments: composite, part; words: the path, without indices
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
  Call,          // of a function; arguments: its own, then what it gives, which reads no variable; words[0]: a bit for
                 // each that is passed by pointer
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

// A way into a composite: for each step the number of the part, or AtIndex for the next argument.
using Path = std::vector<uint64_t>;
constexpr uint64_t AtIndex = ~uint64_t(0);
Type typeAlong(Type whole, const Path &path);
// All paths to parts of a type. Parts that are alike are reached by AtIndex.
std::vector<Path> pathsTo(const Type &whole, const Type &part);

enum class SubgroupSpelling : uint8_t {
  Own,
  SharedMemory, // what each invocation has is exchanged there, between barriers: for who has other subgroups
};

// Where loads and stores go. Elements are counted in the type's scalar, or in structures.
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

// What the elements of Space::Input's and Space::Scratch's buffers are: scalars, then structures.
constexpr unsigned StructureCount = 11, ContentCount = ScalarCount + StructureCount;
unsigned contentOf(Scalar scalar, uint8_t structure);
Type typeOfContent(unsigned content);
// Of the buffer, or of an invocation's part of it.
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
  Assign,        // values: value. form 1: of one variable in memory to another without a value between
  AssignElement, // values: value, indices of the path
  Store,         // values: value, index, indices of the path; Statement::space. form 1: what is loaded is copied
  If,            // values: condition; blocks: then, perhaps else
  Loop,          // values: limit of the counter `variable`; blocks: body
  Switch,        // values: selector; blocks: cases, of which the last is the default
  Break,         // of the innermost loop or switch
  BreakLoop,     // of the innermost loop, out of switches in it
  Continue,
  Return,
  Barrier,
  Atomic, // values: value, index; Statement::space; form: AtomicForm
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
  uint8_t structure = 0; // Store: what elements are; 0: the value's scalar
  Path path;             // AssignElement, Store
  std::vector<Expression> values;
  std::vector<Block> blocks;
  std::vector<SwitchCase> cases;
};

struct Variable {
  Type type;
  bool isMemory = false;         // in the SPIR-V: a variable rather than values and phis
  std::vector<uint64_t> initial; // components
};

// What a shader says of floats of one width: execution modes. Where it says nothing, what is told apart by them is
// undefined.
struct FloatMode {
  bool keepsDenormals = false, flushesDenormals = false; // not both
  bool roundsToEven = false, roundsToZero = false;       // not both
  bool keepsSigns = false;                               // of zeros; infinities, too
  bool operator==(const FloatMode &) const = default;
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
  bool capturesVertices = false; // chains: transform feedback of what the fragment shader is handed
  uint32_t lanes = 64;           // invocations of all workgroups, or pixels of the framebuffer
  uint32_t groupLanes = 64;      // of a workgroup
  uint32_t sharedElements = 0;   // of each workgroup
  uint32_t programCount = 0;     // that it has words for
  // Fragment shaders: whether they have derivatives. Then nobody stores to Space::Scratch: a pixel's helper invocations
  // in other primitives, or parts of a clipped one, would see what it has stored or not.
  bool hasDerivatives = false;
  // Of floats of 32 bits, and of those of 16 and 64, which share their modes in hardware.
  std::array<FloatMode, 2> floatModes;
  const FloatMode &floatMode(Scalar scalar) const { return floatModes[scalar == Scalar::F32 ? 0 : 1]; }
  // Fragment shaders: pixels from this one on, and below that one, are drawn.
  std::array<uint32_t, 4> scissor = {0, 0, 8, 8}; // x, y, width, height
  std::vector<SmallProgram> programs;             // by stage
  // Components by content. Those of structures are there if they are used.
  std::array<std::vector<uint64_t>, ContentCount> inputs, scratch;
  std::vector<uint32_t> uniforms, push, pointed, several;

  // In the order in which they run.
  std::vector<Stage> stages() const;
  // Of a chain, the one in front of the rasteriser.
  Stage lastBeforeRaster() const;
  uint32_t groups() const { return stage == Stage::Compute ? lanes / groupLanes : 1; }
  uint32_t outputWords() const { return programCount * lanes * OutputWords; }
};

constexpr uint32_t UnwrittenWord = 0xdeadbeef;

// Where transform feedback puts each word that is handed on; there is room that nobody writes.
struct CapturedWord {
  uint32_t buffer = 0, offset = 0;
};
constexpr CapturedWord CapturedWords[VaryingWords] = {{0, 0}, {0, 8}, {1, 4}, {1, 0}};
constexpr uint32_t CapturedStrides[] = {12, 8};
constexpr uint32_t CaptureBuffers = 2;

// Which spaces a shader reads or writes, by content.
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
std::string print(const Type &type);
std::string print(const Expression &expression);
std::string print(const Shader &shader);

} // namespace dovetail::random_programs
