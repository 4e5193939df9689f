; SPDX-License-Identifier: MIT
; RUN: lgc %s %s -extract=4 | FileCheck %s
; CHECK: _amdgpu_ps_main:

define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{}
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
