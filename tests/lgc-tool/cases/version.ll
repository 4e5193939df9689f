; SPDX-License-Identifier: MIT
; RUN: lgc -version | FileCheck %s
; CHECK: lgc {{[0-9.]+}} (LLVM {{[0-9]+}}
