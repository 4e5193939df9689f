; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc.sqrt is no op
define void @main() {
  %x = call float (...) @lgc.sqrt(float 1.0)
  ret void
}
declare float @lgc.sqrt(...)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
