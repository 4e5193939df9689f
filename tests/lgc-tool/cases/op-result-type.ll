; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc.sqrt in main has a result type that its operands do not allow
define void @main() {
  %x = call i32 @lgc.sqrt(float 1.0)
  ret void
}
declare i32 @lgc.sqrt(float)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
