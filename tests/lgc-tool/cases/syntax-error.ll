; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: syntax-error.ll:5: expected
define void @main() {
  %x = nonsense
  ret void
}
