; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; A value that is in the registers of other stages only, here a colour of fragment shaders, is refused.
; CHECK: lgc: invalid input: the shader does not fit a cs program: it reads color0.r, which is in no register of that type
define void @main() {
  %c = call float @lgc.color.input(i32 0, i32 0)
  store float %c, ptr addrspace(1) null
  ret void
}
declare float @lgc.color.input(i32, i32)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 5, !"compute", !1}
!1 = !{!"workgroupSizeX", i32 64}
!lgc.step = !{!90}
!90 = !{!"lgc-replay"}
!lgc.pipeline.state = !{!91}
!91 = !{}
