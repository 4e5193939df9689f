// SPDX-License-Identifier: MIT
#include "parts/compile/compiler_pool.h"
#include "parts/elf/object_reader.h"
#include <cstring>
#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <set>

using namespace dovetail;

namespace {

std::vector<uint8_t> compile(std::string_view ir, std::string_view gpuName = "gfx900") {
  std::unique_ptr<CompilerPool> pool = CompilerPool::create(gpuName).value();
  CompilerPool::Lease compiler = pool->lease().value();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(llvm::StringRef(ir.data(), ir.size()), diagnostic, compiler->context());
  REQUIRE_MESSAGE(module, diagnostic.getMessage().str());
  module->setTargetTriple(compiler->createModule("")->getTargetTriple());
  module->setDataLayout(compiler->createModule("")->getDataLayout());
  Result<std::vector<uint8_t>> elf = compiler->generateCode(*module);
  REQUIRE(elf.has_value());
  return *elf;
}

// Looks up a table of constants with an index from an SGPR.
constexpr char TableLookup[] = R"(
@table = private unnamed_addr addrspace(4) constant [8 x i32] [i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18]
define amdgpu_ps { i32, float } @main(i32 inreg %index, float %v) "denormal-fp-math-f32"="preserve-sign" {
  %address = getelementptr [8 x i32], ptr addrspace(4) @table, i32 0, i32 %index
  %value = load i32, ptr addrspace(4) %address
  %r0 = insertvalue { i32, float } poison, i32 %value, 0
  %r1 = insertvalue { i32, float } %r0, float %v, 1
  ret { i32, float } %r1
}
)";

// The offset in the constants that a distance leads to. The distance counts from the program counter's value, which
// lies 4 bytes before the field of the low half and 12 before that of the high half.
int64_t constantMeant(const Relocation &relocation) {
  return relocation.addend - (relocation.kind == RelocationKind::Rel32Lo ? 4 : 12);
}

} // namespace

TEST_CASE("constants and the relocations that find them") {
  Result<ObjectCode> object = readObject(compile(TableLookup), HardwareStage::Ps);
  REQUIRE(object.has_value());
  REQUIRE(object->constants.size() == 32);
  uint32_t third;
  std::memcpy(&third, &object->constants[8], 4);
  CHECK(third == 13);
  CHECK(object->constantsAlignment >= 4);
  REQUIRE(object->relocations.size() == 2);
  // s_getpc_b64, then the additions of the two halves of the distance.
  CHECK((object->relocations[0].kind == RelocationKind::Rel32Lo));
  CHECK((object->relocations[1].kind == RelocationKind::Rel32Hi));
  for (const Relocation &relocation : object->relocations) {
    CHECK((relocation.target == RelocationTarget::Constants));
    CHECK(relocation.offset % 4 == 0);
    CHECK(relocation.offset + 4 <= object->code.size());
    CHECK(constantMeant(relocation) == 0);
  }
}

TEST_CASE("two tables lie behind each other, and the addend says which is meant") {
  Result<ObjectCode> object = readObject(compile(R"(
    @first = private addrspace(4) constant [3 x i32] [i32 1, i32 2, i32 3], align 4
    @second = private addrspace(4) constant [2 x i64] [i64 7, i64 8], align 16
    define amdgpu_ps { i32, i32 } @main(i32 inreg %index) {
      %a = getelementptr [3 x i32], ptr addrspace(4) @first, i32 0, i32 %index
      %b = getelementptr [2 x i64], ptr addrspace(4) @second, i32 0, i32 %index
      %x = load i32, ptr addrspace(4) %a
      %y = load i32, ptr addrspace(4) %b
      %r0 = insertvalue { i32, i32 } poison, i32 %x, 0
      %r1 = insertvalue { i32, i32 } %r0, i32 %y, 1
      ret { i32, i32 } %r1
    })"),
                                         HardwareStage::Ps);
  REQUIRE(object.has_value());
  CHECK(object->constantsAlignment == 16);
  std::set<int64_t> targets;
  for (const Relocation &relocation : object->relocations) {
    int64_t constant = constantMeant(relocation);
    CHECK(constant >= 0);
    REQUIRE(constant + 8 <= int64_t(object->constants.size()));
    int32_t word;
    std::memcpy(&word, &object->constants[constant], 4);
    targets.insert(word);
  }
  CHECK(targets == std::set<int64_t>{1, 7});
}

TEST_CASE("constants of several sections lie behind each other, and each relocation finds its own") {
  Result<ObjectCode> object = readObject(compile(R"(
    @first = private addrspace(4) constant [3 x i32] [i32 1, i32 2, i32 3], align 4
    @second = private unnamed_addr addrspace(4) constant [2 x i64] [i64 7, i64 8], align 16
    @third = private unnamed_addr addrspace(4) constant [4 x i64] [i64 9, i64 10, i64 11, i64 12], align 32
    define amdgpu_ps { i32, i32, i32 } @main(i32 inreg %index) {
      %a = getelementptr [3 x i32], ptr addrspace(4) @first, i32 0, i32 %index
      %b = getelementptr [2 x i64], ptr addrspace(4) @second, i32 0, i32 %index
      %c = getelementptr [4 x i64], ptr addrspace(4) @third, i32 0, i32 %index
      %x = load i32, ptr addrspace(4) %a
      %y = load i32, ptr addrspace(4) %b
      %z = load i32, ptr addrspace(4) %c
      %r0 = insertvalue { i32, i32, i32 } poison, i32 %x, 0
      %r1 = insertvalue { i32, i32, i32 } %r0, i32 %y, 1
      %r2 = insertvalue { i32, i32, i32 } %r1, i32 %z, 2
      ret { i32, i32, i32 } %r2
    })"),
                                         HardwareStage::Ps);
  REQUIRE(object.has_value());
  CHECK(object->constantsAlignment >= 32);
  std::set<uint32_t> numbers; // that the relocations find
  for (const Relocation &relocation : object->relocations) {
    const int64_t place = constantMeant(relocation);
    REQUIRE((place >= 0 && size_t(place) + 4 <= object->constants.size()));
    uint32_t number;
    std::memcpy(&number, &object->constants[size_t(place)], 4);
    numbers.insert(number);
    CHECK(place % (number == 7 ? 16 : number == 9 ? 32 : 4) == 0);
  }
  CHECK(numbers == std::set<uint32_t>{1, 7, 9});
}

TEST_CASE("the usage that LLVM reports") {
  Result<ObjectCode> object = readObject(compile(TableLookup), HardwareStage::Ps);
  REQUIRE(object.has_value());
  CHECK(object->usage.floatMode == 0xc0);
  CHECK(object->usage.scratchBytes == 0);
  CHECK(object->usage.vgprs >= 1);
  CHECK(object->usage.sgprs >= 3);
  CHECK(object->code.size() % 4 == 0);
}

TEST_CASE("scratch is reported") {
  Result<ObjectCode> object = readObject(compile(R"(
    define amdgpu_ps float @main(i32 inreg %table, i32 inreg %index, float %v) {
      %array = alloca [64 x float], addrspace(5)
      %slot = getelementptr [64 x float], ptr addrspace(5) %array, i32 0, i32 %index
      store volatile float %v, ptr addrspace(5) %slot
      %loaded = load volatile float, ptr addrspace(5) %slot
      ret float %loaded
    })"),
                                         HardwareStage::Ps);
  REQUIRE(object.has_value());
  CHECK(object->usage.scratchBytes >= 256);
}

TEST_CASE("an object of another stage is an Error") {
  CHECK_FALSE(readObject(compile(TableLookup), HardwareStage::Vs));
}

TEST_CASE("a branch that is left to a linker is refused") {
  Result<ObjectCode> object = readObject(compile(R"(
    define amdgpu_ps void @main() {
      call void asm sideeffect "s_branch away\0A.weak away\0Aaway:", ""()
      ret void
    })"),
                                         HardwareStage::Ps);
  REQUIRE(!object);
  CHECK(object.error().text == "LLVM's object file: the ELF file: relocation 0 is a branch without an addend");
}

TEST_CASE("bytes that are not an object, or not all of it, are an Error") {
  CHECK_FALSE(readObject({}, HardwareStage::Ps));
  std::vector<uint8_t> text(100, 'x');
  CHECK_FALSE(readObject(text, HardwareStage::Ps));
  std::vector<uint8_t> elf = compile(TableLookup);
  for (size_t size = 0; size < elf.size(); size += 7)
    CHECK_FALSE(readObject(std::span(elf).first(size), HardwareStage::Ps));
}

TEST_CASE("a flipped byte never crashes the reader") {
  std::vector<uint8_t> elf = compile(TableLookup);
  for (size_t i = 0; i != elf.size(); ++i) {
    std::vector<uint8_t> flipped = elf;
    flipped[i] ^= 0xff;
    (void)readObject(flipped, HardwareStage::Ps);
  }
}

TEST_CASE("a compute shader's LDS, in granules of 512 bytes") {
  auto ldsBytes = [](std::string_view ir) {
    Result<ObjectCode> object = readObject(compile(ir), HardwareStage::Cs);
    REQUIRE(object.has_value());
    return object->usage.ldsBytes;
  };
  CHECK(ldsBytes(R"(
    @shared = internal addrspace(3) global [200 x i32] poison, align 4
    define amdgpu_cs void @main(i32 %index) {
      %address = getelementptr [200 x i32], ptr addrspace(3) @shared, i32 0, i32 %index
      store volatile i32 5, ptr addrspace(3) %address
      ret void
    })") == 1024);
  CHECK(ldsBytes("define amdgpu_cs void @main() { ret void }") == 0);
}

namespace {

// Loads at places that the layout gives: <lines> uses %table, %spill (both addresses of constants) and %index.
std::vector<LayoutRelocation> layoutRelocationsOf(const std::string &lines, std::string_view gpuName = "gfx900") {
  const std::string ir = R"(
declare i32 @llvm.amdgcn.reloc.constant(metadata)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
define amdgpu_ps { i32, <4 x float> } @main(i64 inreg %t, i64 inreg %s, i32 inreg %index) "denormal-fp-math-f32"="preserve-sign" {
  %table = inttoptr i64 %t to ptr addrspace(4)
  %spill = inttoptr i64 %s to ptr addrspace(4)
)" + lines + R"(
  %r0 = insertvalue { i32, <4 x float> } poison, i32 %index, 0
  %r1 = insertvalue { i32, <4 x float> } %r0, <4 x float> %value, 1
  ret { i32, <4 x float> } %r1
}
!0 = !{!"dovetail.layout.offset.buffer.1.2.0.0"}
!1 = !{!"dovetail.layout.stride.buffer.1.2.0.0"}
!2 = !{!"dovetail.layout.push_constants.buffer.0.0.0.8"}
!3 = !{!"dovetail.layout.push_constants.buffer.0.0.0.12"}
!4 = !{!"dovetail.layout.offset.buffer.1.3.0.0"}
!9 = !{}
)";
  Result<ObjectCode> object = readObject(compile(ir, gpuName), HardwareStage::Ps);
  REQUIRE_MESSAGE(object, object.error().text);
  for (const LayoutRelocation &relocation : object->layoutRelocations)
    if (relocation.field == LayoutField::ScalarOffset) {
      uint32_t load; // SMEM: 110000 in the highest bits; bit 17 says that there is an offset
      std::memcpy(&load, &object->code[relocation.offset - 4], sizeof(load));
      CHECK((load >> 26) == 0x30);
      CHECK(((load >> 17) & 1) == 1);
    }
  return object->layoutRelocations;
}

std::string loadAt(const std::string &name, const std::string &base, const std::string &offset,
                   const std::string &type = "<4 x float>", unsigned alignment = 16) {
  return "  %z" + name + " = zext i32 " + offset + " to i64\n  %p" + name +
         " = getelementptr inbounds i8, ptr addrspace(4) " + base + ", i64 %z" + name + "\n  %" + name + " = load " +
         type + ", ptr addrspace(4) %p" + name + ", align " + std::to_string(alignment) + ", !invariant.load !9\n";
}

std::string constant(const std::string &name, unsigned number) {
  return "  %" + name + " = call i32 @llvm.amdgcn.reloc.constant(metadata !" + std::to_string(number) + ")\n";
}

} // namespace

TEST_CASE("a place in a table is the offset of its load, and no instruction") {
  for (const char *gpu : {"gfx803", "gfx900"}) {
    auto relocations = layoutRelocationsOf(constant("o", 0) + loadAt("value", "%table", "%o"), gpu);
    REQUIRE(relocations.size() == 1);
    CHECK((relocations[0].field == LayoutField::ScalarOffset));
    CHECK(relocations[0].constant == LayoutConstant{LayoutQuantity::Offset, ResourceKind::Buffer, 1, 2, 0, 0});
  }
}

TEST_CASE("an element at an index is a literal and, on GFX9, the offset of the load") {
  const std::string lines = constant("o", 0) + constant("d", 1) +
                            "  %m = mul i32 %index, %d\n  %a = add nuw i32 %m, %o\n" + loadAt("value", "%table", "%a");
  auto relocations = layoutRelocationsOf(lines, "gfx900");
  REQUIRE(relocations.size() == 2);
  CHECK((relocations[0].field == LayoutField::Literal));
  CHECK((relocations[0].constant.quantity == LayoutQuantity::Stride));
  CHECK((relocations[1].field == LayoutField::ScalarOffset));
  relocations = layoutRelocationsOf(lines, "gfx803");
  REQUIRE(relocations.size() == 2);
  CHECK((relocations[0].field == LayoutField::Literal));
  CHECK((relocations[1].field == LayoutField::Literal));
}

TEST_CASE("loads of two places are two, loads of neighbouring push constants are one") {
  auto relocations =
      layoutRelocationsOf(constant("o", 0) + loadAt("one", "%table", "%o") + constant("e", 4) +
                          loadAt("other", "%table", "%e") + "  %value = fadd <4 x float> %one, %other\n");
  REQUIRE(relocations.size() == 2);
  CHECK(relocations[0].constant.binding + relocations[1].constant.binding == 5);
  for (const char *gpu : {"gfx803", "gfx900"}) {
    relocations = layoutRelocationsOf(constant("o", 2) + loadAt("one", "%spill", "%o", "float", 4) + constant("e", 3) +
                                          loadAt("other", "%spill", "%e", "float", 4) +
                                          "  %sum = fadd float %one, %other\n"
                                          "  %value = insertelement <4 x float> poison, float %sum, i32 0\n",
                                      gpu);
    REQUIRE(relocations.size() == 1);
    CHECK(relocations[0].constant.addend == 8);
    CHECK((relocations[0].constant.quantity == LayoutQuantity::PushConstants));
  }
}
