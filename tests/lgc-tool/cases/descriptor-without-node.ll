; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc: state contradicts shader: {{.*}}set 0
define void @main() {
  %d = call <4 x i32> @lgc.load.buffer.desc(i32 0, i32 0, i32 0, i32 0)
  %x = call float @lgc.buffer.load(<4 x i32> %d, i32 0, i32 0)
  call void @lgc.write.generic.output(float %x, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare <4 x i32> @lgc.load.buffer.desc(i32, i32, i32, i32)
declare float @lgc.buffer.load(<4 x i32>, i32, i32)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
