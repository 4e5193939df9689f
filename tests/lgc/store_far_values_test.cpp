// SPDX-License-Identifier: MIT
//
// tests/driver/code/far_values_test.cpp runs such shaders.
#include "src/lgc/codegen/slow/store_far_values.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <set>
#include <string>

using namespace llvm;

namespace {

struct Stored {
  bool isChanged = false;
  unsigned places = 0, stores = 0, loads = 0;
  std::set<std::string> values; // that are stored

  // `body` is that of a function with <4 x float> %in and %all, which differ between lanes unless they are `inreg`.
  explicit Stored(const std::string &body, const std::string &inreg = "") {
    LLVMContext context;
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    std::unique_ptr<Module> module =
        lgc::parseIr(**builderContext, context,
                     "define amdgpu_ps <4 x float> @main(<4 x float> " + inreg + " %in, <4 x float> " + inreg +
                         " %all, float " + inreg + " %x) {\nentry:\n" + body + "}\n");
    auto code = (*builderContext)->generateCode(*CloneModule(*module)); // runs the pass, too
    CHECK_MESSAGE(code, (code ? std::string() : code.error().text));
    Function &function = *module->getFunction("main");

    std::string error;
    const Triple triple("amdgcn--amdpal");
    const Target *target = TargetRegistry::lookupTarget(triple, error);
    REQUIRE(target);
    std::unique_ptr<TargetMachine> machine(
        target->createTargetMachine(triple, "gfx900", "", TargetOptions(), Reloc::PIC_));
    FunctionAnalysisManager analyses;
    analyses.registerPass([] { return PassInstrumentationAnalysis(); });
    analyses.registerPass([] { return DominatorTreeAnalysis(); });
    analyses.registerPass([] { return CycleAnalysis(); });
    analyses.registerPass([] { return UniformityInfoAnalysis(); });
    analyses.registerPass([&] { return machine->getTargetIRAnalysis(); });
    isChanged = lgc::storeFarValues(function, analyses.getResult<CycleAnalysis>(function),
                                    analyses.getResult<UniformityInfoAnalysis>(function));

    CHECK_FALSE(verifyModule(*module, &errs()));
    for (const Instruction &inst : instructions(function)) {
      places += isa<AllocaInst>(inst);
      loads += isa<LoadInst>(inst);
      if (auto *store = dyn_cast<StoreInst>(&inst)) {
        ++stores;
        values.insert(store->getValueOperand()->getName().str());
      }
    }
  }
};

// Nested ifs. %<name>0 … are computed on the way in; each is used there, and again on the way out. `extra` is computed
// with each. The first one is computed from `value`; the result of all is %<name>r.
std::string nest(unsigned depth, const std::string &name, const std::string &value, const std::string &from,
                 const std::string &extra = "%all") {
  std::string text = "br label %" + name + "b0\n";
  for (unsigned i = 0; i < depth; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += name + "b" + n + ":\n%" + name + n + " = fmul <4 x float> " +
            (i ? "%" + name + std::to_string(i - 1) : value) + ", " + extra + "\n%" + name + "c" + n +
            " = fcmp ogt float %x, " + n + ".0\nbr i1 %" + name + "c" + n + ", label %" + name + "b" + next +
            ", label %" + name + "e" + n + "\n";
  }
  text += name + "b" + std::to_string(depth) + ":\nbr label %" + name + "e" + std::to_string(depth - 1) + "\n";
  for (unsigned i = depth; i-- > 0;) {
    const std::string n = std::to_string(i);
    const bool isLast = i + 1 == depth;
    text += name + "e" + n + ":\n%" + name + "p" + n + " = phi <4 x float> [ %" + name + n + ", %" + name + "b" + n +
            " ], [ " + (isLast ? "%all" : "%" + name + "s" + std::to_string(i + 1)) + ", %" + name +
            (isLast ? "b" : "e") + std::to_string(i + 1) + " ]\n%" + name + (i ? "s" + n : "r") +
            " = fadd <4 x float> %" + name + "p" + n + ", %" + name + n + "\nbr label %" +
            (i ? name + "e" + std::to_string(i - 1) : from) + "\n";
  }
  return text + from + ":\n";
}

} // namespace

TEST_CASE("of values that wait for the ends of 200 ifs, those that wait longest are stored, and each is loaded once") {
  Stored stored(nest(200, "v", "%in", "end") + "ret <4 x float> %vr\n");
  CHECK(stored.isChanged);
  CHECK(stored.stores > 150);
  CHECK(stored.stores < 190); // the innermost ones fit
  CHECK(stored.loads == stored.stores);
  CHECK(stored.places == stored.stores);
  CHECK(stored.values.contains("v0"));
  CHECK_FALSE(stored.values.contains("v199"));
}

TEST_CASE("values that nearly fit in VGPRs are left to the allocator") {
  Stored stored(nest(90, "v", "%in", "end") + "ret <4 x float> %vr\n");
  CHECK_FALSE(stored.isChanged);
  CHECK(stored.places == 0);
}

TEST_CASE("uniform values are no matter of VGPRs") {
  CHECK_FALSE(Stored(nest(200, "v", "%in", "end") + "ret <4 x float> %vr\n", "inreg").isChanged);
}

TEST_CASE("a value that is used everywhere stays in its register") {
  Stored stored("%often = fadd <4 x float> %in, %all\n" + nest(200, "v", "%in", "end", "%often") +
                "ret <4 x float> %vr\n");
  CHECK(stored.isChanged);
  CHECK_FALSE(stored.values.contains("often"));
}

TEST_CASE("values that are not alive at the same time share memory") {
  Stored stored(nest(200, "v", "%in", "between") + nest(200, "w", "%vr", "end") + "ret <4 x float> %wr\n");
  CHECK(stored.stores > 300);
  CHECK(stored.places < 190);
}

TEST_CASE("values of several types that wait differently long are each loaded where they are used") {
  const std::string pair = "%pair = shufflevector <4 x float> %in, <4 x float> %all, <2 x i32> <i32 1, i32 4>\n";
  const std::string use =
      "%sum = fadd <2 x float> %pair, <float 1.0, float 1.0>\nbr label %more\nmore:\n"
      "%product = fmul <2 x float> %pair, %sum\n"
      "%r = shufflevector <2 x float> %product, <2 x float> %sum, <4 x i32> <i32 0, i32 1, i32 2, i32 "
      "3>\n%s = fadd <4 x float> %r, %vr\nret <4 x float> %s\n";
  Stored stored(pair + nest(200, "v", "%in", "end") + use);
  CHECK(stored.values.contains("pair"));
  CHECK(stored.loads == stored.stores + 1);
}

TEST_CASE("a value of a phi is stored behind all phis") {
  Stored stored("%choice = fcmp ogt float %x, 0.5\nbr i1 %choice, label %other, label %both\n"
                "other:\n%o = fadd <4 x float> %in, %all\nbr label %both\n"
                "both:\n%far = phi <4 x float> [ %o, %other ], [ %in, %entry ]\n"
                "%second = phi <4 x float> [ %in, %other ], [ %all, %entry ]\n" +
                nest(200, "v", "%second", "end") + "%r = fadd <4 x float> %vr, %far\nret <4 x float> %r\n");
  CHECK(stored.values.contains("far"));
}
