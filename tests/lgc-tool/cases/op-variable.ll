; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc.sqrt.f32.f32 has the name of an op and is none
define void @main() {
  ret void
}
@lgc.sqrt.f32.f32 = external global i32
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
