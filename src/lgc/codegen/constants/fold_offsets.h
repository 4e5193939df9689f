// SPDX-License-Identifier: MIT
//
// Layout constants (src/abi/interface/layout_constant.h) as offset fields of scalar loads. LLVM has a relocation for a
// 32-bit literal, but none for the 20 bits of that field. So instruction selection makes two instructions of a load
// from a descriptor table: a move of the literal into an SGPR, and a load with this SGPR as its offset.
//
// FoldOffsetsPass runs after instruction selection and makes one of the two: a load whose offset is a placeholder. Each
// constant has a placeholder of its own, so far from the others that LLVM takes no two of them for neighbours. The
// load's memory operand says from where it reads: a symbol with the constant's name. Passes that combine loads of
// neighbouring push constants keep the memory operand and change the offset. The distance from the placeholder is the
// constant's addend.
//
// MarkOffsetsPass runs last and puts a symbol in front of each such load. The symbol's name gives the constant, and its
// value the place of the load; parts/elf/object_reader.cpp makes a relocation of it. A load that has lost its
// memory operand is an error of the compile.
//
// A constant may stay a literal, because its load turned out otherwise or there are too many constants. That is right,
// too, and takes one more instruction.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

LGC_MACHINE_PASS(FoldOffsets, "Fold layout constants into scalar loads")
LGC_MACHINE_PASS(MarkOffsets, "Mark layout constants in scalar loads")

} // namespace lgc
