; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc: state contradicts shader: the shader reads push constants at byte 4, behind the 4 bytes of their node
define void @main() {
  %x = call float @lgc.load.push.constant(i32 4)
  call void @lgc.write.generic.output(float %x, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare float @lgc.load.push.constant(i32)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{!"userDataNodes", !2}
!2 = !{!3}
!3 = !{!"type", i32 1, !"sizeInDwords", i32 1}
