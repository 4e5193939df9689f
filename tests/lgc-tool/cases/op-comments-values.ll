; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay %s | FileCheck %s
; What is in registers has a name in comments: its number is this build's.
; CHECK: call i32 @lgc.hardware.value{{.*}} ; kind front_face, index 0
define void @main() {
  %f = call i1 @lgc.read.builtin.input(i32 17, i1 poison, i1 poison)
  %i = zext i1 %f to i32
  store i32 %i, ptr addrspace(1) null
  ret void
}
declare i1 @lgc.read.builtin.input(i32, i1, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
