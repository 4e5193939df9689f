; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: the IR is malformed
define void @main() {
a:
  br label %b
b:
  %x = add i32 %y, 1
  br label %c
c:
  %y = add i32 0, 1
  br label %b
}
