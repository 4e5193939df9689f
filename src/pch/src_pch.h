// SPDX-License-Identifier: MIT
// What nearly every file of src includes; compiled once. It is a main file, in which GCC warns of #pragma once.
#include "src/base/error.h"
#include "src/lgc/builder/builder.h"
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <memory>
#include <string>
#include <vector>
