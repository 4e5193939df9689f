; SPDX-License-Identifier: MIT
; RUN: not lgc -passes=lgc-finish-entry-point %s 2>&1 | FileCheck %s
; CHECK: lgc: invalid input: the function does not take the inputs of a ps program
define amdgpu_ps void @_amdgpu_ps_main(i32 inreg %table, <2 x float> %center) {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
!lgc.resource.usage = !{!1}
!lgc.interface = !{!1}
!lgc.step = !{!90}
!90 = !{!"lgc-optimize-hardware-form"}
