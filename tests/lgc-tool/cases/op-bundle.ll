; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc.sqrt is used otherwise than by a call
define void @main() {
  %x = call float @lgc.sqrt(float 1.0) [ "x"() ]
  ret void
}
declare float @lgc.sqrt(float)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
