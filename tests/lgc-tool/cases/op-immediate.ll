; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc.derivative in main operand 1 is not a constant
define void @main() {
  %c = load i32, ptr null
  %x = call float @lgc.derivative(float 1.0, i32 %c, i32 0)
  ret void
}
declare float @lgc.derivative(float, i32, i32)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
