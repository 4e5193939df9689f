// SPDX-License-Identifier: MIT
//
// Layout constants (src/abi/interface/layout_constant.h) as offset fields of scalar loads. LLVM has a relocation for a
// 32-bit literal, but none for the 20 bits of that field, so instruction selection makes two instructions of a load
// from a descriptor table: one that moves the literal into an SGPR, and a load with this SGPR as its offset.
//
// FoldOffsetsPass, which runs behind instruction selection, makes one of the two: a load whose offset is a placeholder,
// different for each constant and so far from the others that nothing takes two of them for neighbours. What the load
// reads from is said by its memory operand: a symbol, whose name is the constant's. Passes that merge loads of
// neighbouring push constants keep it and change the offset; the distance from the placeholder is the constant's
// addend.
//
// MarkOffsetsPass, which runs last, puts a symbol in front of each such load. Its name says the constant, and its value
// where the load is: that is what parts/compile/object_reader.cpp makes a relocation of. A load that has lost its
// memory operand is an error of the compile.
//
// A constant that is not folded, because its load turned out otherwise or there are too many, stays a literal, which is
// as right and takes an instruction more.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

class FoldOffsetsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  FoldOffsetsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Fold layout constants into scalar loads"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

class MarkOffsetsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  MarkOffsetsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Mark layout constants in scalar loads"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
