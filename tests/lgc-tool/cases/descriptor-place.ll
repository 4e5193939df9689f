; SPDX-License-Identifier: MIT
; RUN: lgc %s | FileCheck %s
; Where a buffer's descriptor lies, the join says: the offset of the load stands for it.
; CHECK: dovetail.field.0.dovetail.layout.offset.buffer.2.5.0.0:
; CHECK-NEXT: s_load_dwordx4
define void @main() {
  %d = call <4 x i32> @lgc.load.buffer.desc(i32 2, i32 5, i32 0, i32 0)
  %x = call float @lgc.buffer.load(<4 x i32> %d, i32 0, i32 0)
  call void @lgc.write.generic.output(float %x, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare <4 x i32> @lgc.load.buffer.desc(i32, i32, i32, i32)
declare float @lgc.buffer.load(<4 x i32>, i32, i32)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
