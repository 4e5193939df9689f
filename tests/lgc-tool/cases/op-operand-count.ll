; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc.sqrt in main has 2 operands, not 1
define void @main() {
  %x = call float @lgc.sqrt(float 1.0, float 2.0)
  ret void
}
declare float @lgc.sqrt(float, float)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
