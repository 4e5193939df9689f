// SPDX-License-Identifier: MIT
//
// If a load reads an element by its number, the pass bounds the number, so that the loads of an element's parts stay
// side by side. For all other loads, it bounds the distance from the begin of the table. Each load gets an address of
// its own: an intermediate address may be beyond the table (table + i, then 16 further) while the final one is within.
#include "src/lgc/codegen/constants/bound_tables.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/Analysis/LazyValueInfo.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace lgc {

namespace {

// The place that a load reads, from the begin of a table: `constant` bytes, and for each variable index its number
// times its stride.
struct TableRead {
  GlobalVariable *table = nullptr;
  int64_t constant = 0;
  struct Index {
    Value *number;
    int64_t stride;
  };
  SmallVector<Index, 2> indices;
  int64_t bytes = 0; // size of the load
  int64_t size = 0;  // of the table
};

class Bounding {
public:
  Bounding(Function &function, FunctionAnalysisManager &analyses)
      : m_function(function), m_analyses(analyses), m_layout(function.getParent()->getDataLayout()) {}

  bool run() {
    for (Instruction &inst : instructions(m_function))
      if (auto *load = dyn_cast<LoadInst>(&inst))
        if (std::optional<TableRead> read = tableRead(*load))
          bound(*load, *read);
    return m_isChanged;
  }

private:
  std::optional<TableRead> tableRead(LoadInst &load) const {
    TableRead read;
    Value *pointer = load.getPointerOperand();
    while (auto *place = dyn_cast<GEPOperator>(pointer)) {
      for (auto index = gep_type_begin(place), end = gep_type_end(place); index != end; ++index) {
        const auto *constant = dyn_cast<ConstantInt>(index.getOperand());
        if (StructType *type = index.getStructTypeOrNull())
          read.constant += int64_t(
              m_layout.getStructLayout(type)->getElementOffset(unsigned(constant->getZExtValue())).getFixedValue());
        else if (constant)
          read.constant += constant->getSExtValue() * strideOf(index);
        else
          read.indices.push_back({index.getOperand(), strideOf(index)});
      }
      pointer = place->getPointerOperand();
    }
    read.table = dyn_cast<GlobalVariable>(pointer);
    if (read.indices.empty() || !read.table || !read.table->isConstant() || !read.table->hasInitializer())
      return std::nullopt;
    read.bytes = int64_t(m_layout.getTypeStoreSize(load.getType()).getFixedValue());
    read.size = int64_t(m_layout.getTypeAllocSize(read.table->getValueType()).getFixedValue());
    return read.bytes <= read.size && read.size <= INT32_MAX ? std::optional(read) : std::nullopt;
  }

  int64_t strideOf(generic_gep_type_iterator<> index) const {
    return int64_t(index.getSequentialElementStride(m_layout).getFixedValue());
  }

  void bound(LoadInst &load, const TableRead &read) {
    auto &ranges = m_analyses.getResult<LazyValueAnalysis>(m_function);
    ConstantRange distances(APInt(64, uint64_t(read.constant), true));
    for (const auto &[number, stride] : read.indices)
      distances = distances.add(ranges.getConstantRange(number, &load, /*UndefAllowed=*/false)
                                    .sextOrTrunc(64)
                                    .smul_sat(ConstantRange(APInt(64, uint64_t(stride), true))));
    if (!distances.isFullSet() && distances.getSignedMin().sge(0) &&
        distances.getSignedMax().sle(read.size - read.bytes))
      return;
    m_isChanged = true;
    IRBuilder<> builder(&load);
    auto furtherBy = [&](Value *pointer, int64_t stride, Value *times) {
      return builder.CreateGEP(ArrayType::get(builder.getInt8Ty(), uint64_t(stride)), pointer,
                               builder.CreateZExt(times, builder.getInt64Ty()));
    };
    const int64_t stride = read.indices.front().stride;
    const bool isOfElement = read.indices.size() == 1 && stride > 0 && read.size % stride == 0 && read.constant >= 0 &&
                             read.constant + read.bytes <= stride;
    Value *place = nullptr;
    if (isOfElement) {
      place = furtherBy(read.table, stride,
                        bounded(builder, narrow(builder, read.indices.front().number), read.size / stride - 1));
      if (read.constant != 0)
        place = builder.CreateConstGEP1_64(builder.getInt8Ty(), place, uint64_t(read.constant));
    } else {
      Value *distance = builder.getInt32(uint32_t(read.constant));
      for (const TableRead::Index &index : read.indices)
        distance = builder.CreateAdd(
            distance, builder.CreateMul(narrow(builder, index.number), builder.getInt32(uint32_t(index.stride))));
      const uint64_t greatest = alignDown(uint64_t(read.size - read.bytes), load.getAlign().value());
      place = furtherBy(read.table, 1, bounded(builder, distance, int64_t(greatest)));
    }
    load.setOperand(LoadInst::getPointerOperandIndex(), place);
  }

  // Narrows the number to 32 bits. A number that does not fit is beyond the table, so it may become any number.
  static Value *narrow(IRBuilder<> &builder, Value *number) {
    if (isa<SExtInst, ZExtInst>(number) && cast<CastInst>(number)->getSrcTy()->isIntegerTy(32))
      return cast<CastInst>(number)->getOperand(0);
    return builder.CreateSExtOrTrunc(number, builder.getInt32Ty());
  }

  // A negative number counts as too large.
  static Value *bounded(IRBuilder<> &builder, Value *number, int64_t greatest) {
    return builder.CreateBinaryIntrinsic(Intrinsic::umin, number, builder.getInt32(uint32_t(greatest)), {}, "bounded");
  }

  Function &m_function;
  FunctionAnalysisManager &m_analyses;
  const DataLayout &m_layout;
  bool m_isChanged = false;
};

} // namespace

PreservedAnalyses BoundTablesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  return preserveControlFlow(Bounding(function, analyses).run());
}

} // namespace lgc
