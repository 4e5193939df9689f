; SPDX-License-Identifier: MIT
; RUN: lgc %s | FileCheck %s
; Without -extract, each module is compiled, in the order of the file.
; CHECK: _amdgpu_vs_main:
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
