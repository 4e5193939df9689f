; SPDX-License-Identifier: MIT
; RUN: lgc -mcpu=gfx900 -filetype=asm -o - %s | FileCheck %s
; RUN: lgc -mcpu=gfx803 -filetype=asm -o - %s | FileCheck %s
; Half floats are interpolated as such; a flat number of 16 bits is the low half of a dword.
; CHECK-DAG: v_interp_mov_f32{{.*}} p0, attr1.x
; CHECK-DAG: v_interp_p1ll_f16 {{.*}} attr0.y
; CHECK-DAG: v_interp_p2_{{(legacy_)?}}f16 {{.*}} attr0.y
; CHECK-NOT: v_interp_p1_f32
define void @main() {
  %h = call half @lgc.read.generic.input(i32 0, i32 0, i32 1, i32 1, i32 0, i32 0, i1 poison, i1 poison)
  %n = call i16 @lgc.read.generic.input.i16(i32 1, i32 0, i32 0, i32 1, i32 2, i32 0, i1 poison, i1 poison)
  call void @lgc.write.generic.output(half %h, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  call void @lgc.write.generic.output.i16(i16 %n, i32 1, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare half @lgc.read.generic.input(i32, i32, i32, i32, i32, i32, i1, i1)
declare i16 @lgc.read.generic.input.i16(i32, i32, i32, i32, i32, i32, i1, i1)
declare void @lgc.write.generic.output(half, i32, i32, i32, i32, i32, i1)
declare void @lgc.write.generic.output.i16(i16, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
