; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc.sqrt.f32.f32 is no op
define void @main() {
  ret void
}
define float @lgc.sqrt.f32.f32(float %x) {
  ret float %x
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
