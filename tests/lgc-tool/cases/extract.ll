; SPDX-License-Identifier: MIT
; RUN: lgc -extract=2 %s | FileCheck %s
; CHECK-NOT: _amdgpu_vs_main
; CHECK: _amdgpu_ps_main:
; CHECK-NOT: _amdgpu_vs_main

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
