// SPDX-License-Identifier: MIT
//
// Generates one small program. Its methods are grouped in files by the kind of thing that they make.
#pragma once

#include "tools/programs/random-programs/generate/generate.h"
#include "tools/proof/scene/maker/random.h"

namespace dovetail::random_programs {

// The make-up of a small program; numbers are in percent unless a comment says otherwise.
struct Profile {
  std::string name;
  unsigned statements = 6;   // a number: in its outermost block
  unsigned depth = 3;        // a number: levels of expressions
  unsigned controlFlow = 25; // of statements
  unsigned floats = 8;       // of variables
  unsigned narrow = 25;      // of variables: of 8 or 16 bits
  unsigned wide = 15;        // of 64
  unsigned vectors = 15;     // of variables
  unsigned arrays = 10;      // of variables
  unsigned structures = 4;   // of variables
  unsigned memory = 10;      // of statements
  unsigned shapes = 25;      // of integer expressions
  unsigned calls = 1;        // of expressions: functions with parameters
  unsigned subgroups = 0;    // of statements of the outermost block
  unsigned parted = 0;       // of statements of inner ones: subgroup operations of the invocations that are there
  unsigned pressure = 0;     // a number: values that live across all of it
  unsigned flow = 4;         // a number: greatest nesting of control flow
};

// A denormal, an infinity or a negative zero that the mode allows; nothing if it allows none.
std::optional<uint64_t> unusualFloat(Random &random, Scalar scalar, const FloatMode &mode);

class ProgramGenerator {
public:
  ProgramGenerator(Shader &shader, Random &random, const Profile &profile, uint32_t number, Stage stage);

  SmallProgram makeProgram();

private:
  // Constants (generate_constants.cpp).
  uint64_t interestingWord(unsigned bits);
  uint64_t interestingFloat(Scalar scalar);
  uint64_t anyScalar(Scalar scalar);
  Expression anyConstant(const Type &type);

  // Expressions (generate_expressions.cpp).
  Expression any(const Type &type, unsigned depth);
  Expression leaf(const Type &type);
  Expression load(Scalar scalar);
  std::optional<Expression> loadPart(const Type &type); // of a structure in a buffer
  Expression call(const Type &type, unsigned depth);
  Expression anyComposite(const Type &type, unsigned depth); // an array, a matrix or a structure
  void fillIndices(const Type &whole, const Path &path, unsigned depth, std::vector<Expression> &indices);
  Expression index(unsigned count, unsigned depth); // an I32 below `count`
  Expression anyInteger(const Type &type, unsigned depth);
  Expression anyRow(const Type &type, unsigned depth);
  Expression anyWordRow(const Type &type, unsigned depth);
  Expression anyCompare(const Type &type, unsigned depth);
  Expression anyBool(const Type &type, unsigned depth);
  Expression anyFloat(const Type &type, unsigned depth);
  Expression anyConversion(const Type &type, unsigned depth);
  Expression anyVector(const Type &type, unsigned depth);
  Expression anyDot(const Type &type, unsigned depth);
  Expression divisor(Op op, const Type &type, unsigned depth);
  Expression shiftAmount(const Type &type, unsigned depth);
  std::optional<Expression> component(const Type &type, unsigned depth); // a part of an existing composite
  std::vector<Path> anyPathsTo(const Type &whole, const Type &part);     // with some indices made constant

  // Shapes that invite peepholes (generate_shapes.cpp).
  Expression shape(Scalar scalar, unsigned depth);
  Expression byteShape(unsigned depth);
  Expression wordShape(unsigned depth);
  Expression carryShape(unsigned depth);
  Expression wideShape(unsigned depth);
  Expression narrowed(Scalar scalar, unsigned depth); // a value known to have fewer significant bits

  // Idioms of integers of any width (generate_idioms.cpp).
  Expression idiom(const Type &type, unsigned depth);
  Expression operand(const Type &type, unsigned depth);
  Expression saturatingIdiom(const Type &type, unsigned depth);
  Expression comparingIdiom(const Type &type, unsigned depth);
  Expression bitIdiom(const Type &type, unsigned depth);
  Expression arithmeticIdiom(const Type &type, unsigned depth);

  // Statements (generate_statements.cpp).
  Block block(unsigned count, unsigned nesting);
  void addStatement(Block &block, unsigned nesting);
  Statement assignment();
  void addControlFlow(Block &block, unsigned nesting);
  Statement memoryStatement();
  Statement scratchStore();
  Statement structureStore();
  Statement loop(unsigned nesting);
  Statement choice(unsigned nesting); // a switch
  Statement condition(unsigned nesting);
  std::optional<Statement> jump();
  void addPressure(Block &block);
  void addSums(Block &block);
  void storeVariables(Block &block);
  Statement store(unsigned word, Expression value);
  Expression asWord(Expression value); // converts a value of any type

  // Statements in which all invocations take part (generate_convergent.cpp).
  void addConvergent(Block &block);
  void addDerivative(Block &block);
  void addForSomeGroups(Block &block);
  void addShared(Block &block);
  void addSharedAtomics(Block &block);
  Statement subgroupOperation();
  bool mayPartSubgroups() const;
  Expression anyUniform();

  uint32_t addVariable(const Type &type);
  Scalar anyIntegerScalar();
  Scalar anyFloatScalar();
  Type anyVariableType();
  uint8_t anyStructure();
  Type anyInnerType(); // of an expression inside of another
  std::optional<uint32_t> variableOf(const Type &type);

  Shader &m_shader;
  Random &m_random;
  const Profile &m_profile;
  SmallProgram m_program;
  std::vector<Type> m_parameters;        // of the function that is being made
  std::vector<uint32_t> m_counters;      // variables that count loops
  std::vector<uint32_t> m_long;          // they live across all of it
  unsigned m_loops = 0, m_breakable = 0; // around the current statement
  unsigned m_switches = 0;               // likewise
  bool m_isInSwitch = false;             // without a loop inside of the switch
  bool m_mayReturn = true;
  int m_budget = 400; // expressions that are left
};

} // namespace dovetail::random_programs
