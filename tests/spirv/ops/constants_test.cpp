// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "src/spirv/module/module.h"
#include "src/spirv/reflect/declarations.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <random>

using namespace dovetail;
using namespace dovetail::test;

namespace {

// Writes %x, an int or uint, to location 0.
Assembly storing(std::string declarations, std::string decorations = "", std::string type = "%int") {
  Assembly assembly;
  assembly.decorations = "OpDecorate %out Location 0\n" + decorations;
  assembly.declarations =
      declarations + "%ptr_out = OpTypePointer Output " + type + "\n%out = OpVariable %ptr_out Output\n";
  assembly.interface = "%out";
  assembly.body = "OpStore %out %x\n";
  return assembly;
}

int64_t stored(const Assembly &assembly, std::vector<dovetail::spirv::SpecConstant> specConstants = {}) {
  Translated translated(assembly, std::move(specConstants));
  CHECK(translated.error() == "");
  auto *write = translated.only<lgc::WriteGenericOutputOp>();
  REQUIRE(write);
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(write->value());
  REQUIRE(constant);
  return constant->getSExtValue();
}

} // namespace

TEST_CASE("a specialisation constant has its default or the given value") {
  Assembly assembly = storing("%x = OpSpecConstant %int -7\n", "OpDecorate %x SpecId 3\n");
  CHECK(stored(assembly) == -7);
  CHECK(stored(assembly, {{3, 12}}) == 12);
  CHECK(stored(assembly, {{4, 12}}) == -7);
}

TEST_CASE("a given value may be negative, and of any width") {
  // The value of a specialisation constant whose default is 1, extended by its sign or by zeros.
  auto given = [](unsigned width, bool isSigned, uint64_t value) {
    const std::string number = width != 32 ? "%number" : isSigned ? "%int" : "%uint";
    const std::string type = width == 32 ? "" : fmt::format("%number = OpTypeInt {} {}\n", width, int(isSigned));
    const std::string convert = isSigned ? "SConvert" : "UConvert";
    auto bitsFrom = [&](unsigned first) {
      Assembly assembly = storing(type +
                                      fmt::format("%s = OpSpecConstant {0} 1\n%first = OpConstant %uint {1}\n"
                                                  "%shifted = OpSpecConstantOp {0} ShiftRightArithmetic %s %first\n",
                                                  number, first) +
                                      (width == 32 ? "%x = OpSpecConstantOp %int BitwiseOr %shifted %shifted\n"
                                                   : "%x = OpSpecConstantOp %int " + convert + " %shifted\n"),
                                  "OpDecorate %s SpecId 3\n");
      assembly.capabilities = "OpCapability Int8\nOpCapability Int16\nOpCapability Int64\n";
      return stored(assembly, {{3, value}});
    };
    CAPTURE(width);
    CAPTURE(isSigned);
    CAPTURE(value);
    const int64_t low = bitsFrom(0);
    return width < 64 ? low : int64_t(uint64_t(bitsFrom(32)) << 32 | uint32_t(low));
  };
  for (unsigned width : {8u, 16u, 32u, 64u}) {
    const uint64_t ones = ~uint64_t(0) >> (64 - width), top = uint64_t(1) << (width - 1);
    CHECK(given(width, true, ones) == -1);
    CHECK(given(width, true, ~uint64_t(0)) == -1); // only the low bits count
    CHECK(given(width, true, top) == int64_t(~top + 1));
    CHECK(given(width, true, top - 1) == int64_t(top - 1));
    CHECK((uint64_t(given(width, false, ones)) & ones) == ones);
    CHECK((uint64_t(given(width, false, ~uint64_t(0))) & ones) == ones);
    CHECK((uint64_t(given(width, false, top)) & ones) == top);
    CHECK(given(width, false, top - 1) == int64_t(top - 1));
  }
}

TEST_CASE("operations on specialisation constants fold") {
  auto folded = [](std::string operation) {
    return stored(
        storing("%s = OpSpecConstant %int 6\n%m = OpConstant %int -4\n%x = OpSpecConstantOp %int " + operation + "\n",
                "OpDecorate %s SpecId 0\n"),
        {{0, 9}});
  };
  CHECK(folded("IAdd %s %int_1") == 10);
  CHECK(folded("SDiv %s %m") == -2);
  CHECK(folded("SRem %s %m") == 1);
  CHECK(folded("SMod %s %m") == -3);
  CHECK(folded("SMod %m %s") == 5);
  CHECK(folded("ShiftLeftLogical %s %int_2") == 36);
  CHECK(folded("Not %s") == -10);
  CHECK(folded("SDiv %s %int_0") == 9); // undefined, but it must not trap
}

TEST_CASE("a specialised bool selects") {
  Assembly assembly = storing("%b = OpSpecConstantTrue %bool\n%x = OpSpecConstantOp %int Select %b %int_1 %int_2\n",
                              "OpDecorate %b SpecId 8\n");
  CHECK(stored(assembly) == 1);
  CHECK(stored(assembly, {{8, 0}}) == 2);
}

TEST_CASE("an array's length may be specialised") {
  Assembly assembly;
  assembly.decorations = "OpDecorate %length SpecId 1\nOpDecorate %out Location 0\n";
  assembly.declarations = "%length = OpSpecConstant %uint 4\n%array = OpTypeArray %float %length\n"
                          "%ptr_array = OpTypePointer Private %array\n%variable = OpVariable %ptr_array Private\n"
                          "%ptr_float = OpTypePointer Private %float\n"
                          "%ptr_out = OpTypePointer Output %float\n%out = OpVariable %ptr_out Output\n";
  assembly.interface = "%out";
  assembly.body = "%i = OpCompositeExtract %int %n 0\n%element = OpAccessChain %ptr_float %variable %i\n%e = OpLoad "
                  "%float %element\nOpStore %out %e\n";
  Translated translated(assembly, {{1, 17}});
  CHECK(translated.error() == "");
  bool found = false;
  for (auto *variable : translated.all<llvm::AllocaInst>())
    found |= variable->getAllocatedType()->isArrayTy() && variable->getAllocatedType()->getArrayNumElements() == 17;
  CHECK(found);
}

TEST_CASE("an array of no or of very many elements is refused") {
  Assembly assembly = storing("%length = OpSpecConstant %uint 4\n%array = OpTypeArray %float %length\n"
                              "%x = OpConstant %int 1\n",
                              "OpDecorate %length SpecId 1\n");
  CHECK(stored(assembly) == 1);
  CHECK(Translated(assembly, {{1, 0}}).error().find("array of 0 elements") != std::string::npos);
  CHECK(Translated(assembly, {{1, 0xffffffff}}).error().find("elements is not supported") != std::string::npos);
}

TEST_CASE("the workgroup size is the specialised built-in") {
  Assembly assembly;
  assembly.stage = lgc::ShaderStage::Compute;
  assembly.decorations = "OpDecorate %x SpecId 0\nOpDecorate %size BuiltIn WorkgroupSize\n";
  assembly.declarations = "%x = OpSpecConstant %uint 8\n%size = OpSpecConstantComposite %v3uint %x %uint_2 %uint_1\n";
  Translated translated(assembly, {{0, 16}});
  REQUIRE(translated.error() == "");
  lgc::ShaderModes modes;
  REQUIRE(modes.read(translated.module()));
  CHECK(modes.stage == lgc::ShaderStage::Compute);
  CHECK(modes.compute.workgroupSizeX == 16);
  CHECK(modes.compute.workgroupSizeY == 2);
  CHECK(modes.compute.workgroupSizeZ == 1);
  CHECK(Translated(assembly, {{0, 0}}).error().find("0 x 2 x 1") != std::string::npos);
  CHECK(Translated(assembly, {{0, 1000}}).error().find("1000 x 2 x 1") != std::string::npos);
}

namespace {

// The stored value, computed as the translator computes sizes.
uint64_t sizeOf(const Assembly &assembly) {
  const std::vector<uint32_t> words = assemble(assembly);
  Result<spirv::Module> module = spirv::parseModule(words);
  REQUIRE_MESSAGE(module, module.error().text);
  for (const spirv::Instruction &inst : module->functions[0].blocks[0].instructions)
    if (inst.opcode == spv::Op::OpStore) {
      Result<uint64_t> size = spirv::Declarations(*module).constant(inst.operand(1));
      REQUIRE_MESSAGE(size, size.error().text);
      return *size;
    }
  FAIL("nothing is stored");
  return 0;
}

// Constants of a number's or a vector's type with random values, and constants that an operation makes of them.
class RandomConstants {
public:
  explicit RandomConstants(std::mt19937 &random) : m_random(random) {
    m_width = choose({8, 16, 32, 64});
    m_isVector = random() % 2;
    m_number = m_width == 32 ? "%uint" : "%number";
    m_type = !m_isVector ? m_number : m_width == 32 ? "%v2uint" : "%pair";
    m_text = "%bools = OpTypeVector %bool 2\n";
    if (m_width != 32) // the type for 32 bits exists already
      m_text += fmt::format("%number = OpTypeInt {} 0\n%pair = OpTypeVector %number 2\n", m_width);
  }

  // The declarations, with an unsigned %x.
  std::string text() {
    const std::string a = constant(anyBits()), b = constant(anyBits());
    m_text += "%r = OpSpecConstantOp " + operation(a, b) + "\n";
    m_text += m_isVector ? fmt::format("%s = OpSpecConstantOp {} CompositeExtract %r 1\n", m_number)
                         : fmt::format("%s = OpSpecConstantOp {} BitwiseXor %r {}\n", m_number, constant(0));
    return m_text + (m_width == 32
                         ? "%x = OpSpecConstantOp %uint BitwiseOr %s %s\n"
                         : fmt::format("%x = OpSpecConstantOp %uint {} %s\n", choose({"UConvert", "SConvert"})));
  }

private:
  template <typename T> T choose(std::initializer_list<T> options) {
    return options.begin()[m_random() % options.size()];
  }
  uint64_t anyBits() {
    return choose<uint64_t>({uint64_t(m_random()) << 32 | m_random(), m_random() % 9, ~uint64_t(0)});
  }

  std::string constant(uint64_t bits) {
    const auto number = [&](uint64_t value) {
      const std::string name = fmt::format("%c{}", m_count++);
      m_text += fmt::format("{} = OpSpecConstant {} {}\n", name, m_number,
                            m_width < 64 ? value & ((uint64_t(1) << m_width) - 1) : value);
      return name;
    };
    if (!m_isVector)
      return number(bits);
    const std::string first = number(bits), second = number(bits ^ (bits >> 3)), name = fmt::format("%c{}", m_count++);
    m_text += fmt::format("{} = OpSpecConstantComposite {} {} {}\n", name, m_type, first, second);
    return name;
  }

  std::string operation(const std::string &a, const std::string &b) {
    switch (m_random() % 6) {
    case 0:
      return fmt::format("{} {} {} {}", m_type,
                         choose({"IAdd", "ISub", "IMul", "BitwiseAnd", "BitwiseOr", "BitwiseXor"}), a, b);
    case 1:
      return fmt::format("{} {} {}", m_type, choose({"Not", "SNegate"}), a);
    case 2: // also by more than the width, which SPIR-V leaves undefined
      return fmt::format("{} {} {} {}", m_type,
                         choose({"ShiftLeftLogical", "ShiftRightLogical", "ShiftRightArithmetic"}), a,
                         constant(choose<uint64_t>({m_random() % m_width, m_width, anyBits()})));
    case 3: // also by 0 and, of the smallest number, by -1, which SPIR-V leaves undefined
      return fmt::format("{} {} {} {}", m_type, choose({"UDiv", "UMod", "SDiv", "SRem", "SMod"}),
                         choose({true, false}) ? a : constant(uint64_t(1) << (m_width - 1)),
                         constant(choose<uint64_t>({0, 1, 3, 9, 100, ~uint64_t(6), ~uint64_t(0)})));
    case 4: {
      m_text += fmt::format("%isSo = OpSpecConstantOp {} {} {} {}\n", m_isVector ? "%bools" : "%bool",
                            choose({"IEqual", "INotEqual", "SLessThan", "ULessThan", "SGreaterThanEqual",
                                    "UGreaterThanEqual", "SLessThanEqual", "UGreaterThan"}),
                            a, b);
      return fmt::format("{} Select %isSo {} {}", m_type, a, b);
    }
    default:
      if (!m_isVector)
        return fmt::format("{} IAdd {} {}", m_type, a, a);
      m_text += fmt::format("%one = OpSpecConstantOp {} CompositeExtract {} 0\n", m_number, b);
      return choose({true, false}) ? fmt::format("{} VectorShuffle {} {} 3 1", m_type, a, b)
                                   : fmt::format("{} CompositeInsert %one {} 1", m_type, a);
    }
  }

  std::mt19937 &m_random;
  unsigned m_width, m_count = 0;
  bool m_isVector;
  std::string m_number, m_type, m_text;
};

} // namespace

TEST_CASE("sizes, which are worked out without LLVM, come to the same as values, which are worked out with it") {
  std::mt19937 random(20261127);
  for (int round = 0; round < 500; ++round) {
    Assembly assembly = storing(RandomConstants(random).text(), "", "%uint");
    assembly.capabilities = "OpCapability Int8\nOpCapability Int16\nOpCapability Int64\n";
    CAPTURE(assembly.declarations);
    CHECK(sizeOf(assembly) == uint32_t(stored(assembly)));
  }
}

TEST_CASE("a size that constants lead to in very many ways is worked out once") {
  std::string text = "%c0 = OpSpecConstant %uint 1\n";
  for (unsigned i = 1; i <= 100; ++i)
    text += fmt::format("%c{0} = OpSpecConstantOp %uint IAdd %c{1} %c{1}\n", i, i - 1);
  const Assembly assembly = storing(text + "%x = OpSpecConstantOp %uint BitwiseOr %c100 %uint_3\n", "", "%uint");
  CHECK(sizeOf(assembly) == 3); // 2^100, modulo 2^32
}

TEST_CASE("a size may be an element of a null array, and of one that has other elements, too") {
  const std::string arrays = "%four = OpTypeArray %uint %uint_4\n%nested = OpTypeStruct %float %four\n";
  CHECK(sizeOf(storing(arrays + "%null = OpConstantNull %four\n"
                                "%e = OpSpecConstantOp %uint CompositeExtract %null 2\n"
                                "%x = OpSpecConstantOp %uint IAdd %e %uint_1\n",
                       "", "%uint")) == 1);
  CHECK(sizeOf(storing(arrays + "%all = OpConstantComposite %four %uint_1 %uint_2 %uint_3 %uint_4\n"
                                "%pair = OpConstantComposite %nested %float_1 %all\n"
                                "%x = OpSpecConstantOp %uint CompositeExtract %pair 1 3\n",
                       "", "%uint")) == 4);
}
