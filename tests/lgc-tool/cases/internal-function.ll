; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-optimize-shader %s | FileCheck %s
; Internal functions are inlined into the shader.
; CHECK: define {{.*}}void @main()
; CHECK: fadd float %a, 1.0
; CHECK-NOT: call float @more
define void @main() {
  %a = load float, ptr addrspace(1) null
  %b = call float @more(float %a)
  store float %b, ptr addrspace(1) null
  ret void
}
define internal float @more(float %x) alwaysinline {
  %y = fadd float %x, 1.0
  ret float %y
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
!lgc.step = !{!90}
!90 = !{!"lgc-replay"}
