; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc: unsupported: dword of push constants 256 is out of range
define void @main() {
  %x = call float @lgc.load.push.constant(i32 1024)
  call void @lgc.write.generic.output(float %x, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare float @lgc.load.push.constant(i32)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
