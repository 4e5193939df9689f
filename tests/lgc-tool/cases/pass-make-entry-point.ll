; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-optimize-shader,lgc-collect-resources,lgc-lower-in-out,lgc-lower-user-data,lgc-make-entry-point %s | FileCheck %s
; CHECK-NOT: @main
; CHECK: define amdgpu_ps { i32, i32, float } @_amdgpu_ps_main(
; CHECK-NOT: lgc.return.value
; CHECK: ret { i32, i32, float }

define void @main() {
  %v = call float @lgc.read.generic.input(i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i1 poison, i1 poison)
  %s = call float @lgc.sqrt(float %v)
  call void @lgc.write.generic.output(float %s, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare float @lgc.read.generic.input(i32, i32, i32, i32, i32, i32, i1, i1)
declare float @lgc.sqrt(float)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
