// SPDX-License-Identifier: MIT
//
// tests/driver/shaders/beyond_table.frag runs such code.
#include "src/lgc/codegen/constants/bound_tables.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace {

struct Bounds {
  std::vector<uint64_t> greatest; // of each number that is bounded
  unsigned fromBegin = 0;         // the number of these that count bytes from the begin of the table
};

// The bounds in a function with a table of six vectors, and with numbers i and j.
Bounds boundsOf(const std::string &body) {
  const std::string text = "@table = private addrspace(4) constant [6 x <4 x float>] zeroinitializer\n"
                           "define amdgpu_ps float @main(i32 %i, i32 %j) {\nentry:\n"
                           "%wide = sext i32 %i to i64\n%other = sext i32 %j to i64\n" +
                           body + "}\n";
  return lgc::runOnMain<lgc::BoundTablesPass>(text, [](Function &function) {
    Bounds bounds;
    for (const Instruction &inst : instructions(function)) {
      if (const auto *call = dyn_cast<IntrinsicInst>(&inst); call && call->getIntrinsicID() == Intrinsic::umin)
        bounds.greatest.push_back(cast<ConstantInt>(call->getArgOperand(1))->getZExtValue());
      if (const auto *place = dyn_cast<GetElementPtrInst>(&inst))
        if (const auto *bytes = dyn_cast<ArrayType>(place->getSourceElementType()))
          bounds.fromBegin += bytes->getNumElements() == 1;
    }
    return bounds;
  });
}

using Numbers = std::vector<uint64_t>;

} // namespace

TEST_CASE("an index into a table becomes at most the last one, for all that is read of the element") {
  const Bounds bounds = boundsOf("%e = getelementptr [6 x <4 x float>], ptr addrspace(4) @table, i64 0, i64 %wide\n"
                                 "%p = getelementptr i8, ptr addrspace(4) %e, i64 4\n"
                                 "%a = load float, ptr addrspace(4) %e\n%b = load float, ptr addrspace(4) %p\n"
                                 "%s = fadd float %a, %b\nret float %s\n");
  CHECK(bounds.greatest == Numbers{5, 5});
  CHECK(bounds.fromBegin == 0);
}

TEST_CASE("what is read beside an element, or at the sum of indices, is bounded by its distance") {
  Bounds bounds = boundsOf("%e = getelementptr <4 x float>, ptr addrspace(4) @table, i64 %wide\n"
                           "%p = getelementptr i8, ptr addrspace(4) %e, i64 36\n"
                           "%a = load float, ptr addrspace(4) %p\nret float %a\n");
  CHECK(bounds.greatest == Numbers{92}); // of 96 bytes
  CHECK(bounds.fromBegin == 1);
  bounds = boundsOf("%e = getelementptr <4 x float>, ptr addrspace(4) @table, i64 %wide\n"
                    "%p = getelementptr float, ptr addrspace(4) %e, i64 %other\n"
                    "%a = load <2 x float>, ptr addrspace(4) %p, align 8\n%b = extractelement <2 x float> %a, i32 0\n"
                    "ret float %b\n");
  CHECK(bounds.greatest == Numbers{88});
  CHECK(bounds.fromBegin == 1);
}

TEST_CASE("what is beyond the table on the way to another place is not bounded there") {
  // At the second load, i may be -2.
  const Bounds bounds = boundsOf("%e = getelementptr <4 x float>, ptr addrspace(4) @table, i64 %wide\n"
                                 "%c = icmp sgt i32 %i, 0\nbr i1 %c, label %first, label %second\nfirst:\n"
                                 "%a = load float, ptr addrspace(4) %e\nbr label %second\nsecond:\n"
                                 "%p = getelementptr i8, ptr addrspace(4) %e, i64 32\n"
                                 "%b = load float, ptr addrspace(4) %p\nret float %b\n");
  CHECK(bounds.greatest == Numbers{5, 92});
  CHECK(bounds.fromBegin == 1);
}

TEST_CASE("an index that is known to be within its table stays as it is") {
  for (const std::string index : {"%k = and i64 %wide, 3\n", "%k = add i64 0, 5\n"})
    CHECK(boundsOf(index + "%e = getelementptr [6 x <4 x float>], ptr addrspace(4) @table, i64 0, i64 %k\n"
                           "%a = load float, ptr addrspace(4) %e\nret float %a\n")
              .greatest.empty());
  CHECK(boundsOf("br label %loop\nloop:\n%k = phi i64 [ 0, %entry ], [ %n, %loop ]\n"
                 "%s = phi float [ 0.0, %entry ], [ %t, %loop ]\n"
                 "%e = getelementptr [6 x <4 x float>], ptr addrspace(4) @table, i64 0, i64 %k\n"
                 "%a = load float, ptr addrspace(4) %e\n%t = fadd float %a, %s\n%n = add nuw nsw i64 %k, 1\n"
                 "%c = icmp ult i64 %n, 6\nbr i1 %c, label %loop, label %end\nend:\nret float %t\n")
            .greatest.empty());
}
