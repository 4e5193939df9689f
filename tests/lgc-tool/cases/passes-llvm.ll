; SPDX-License-Identifier: MIT
; RUN: lgc -passes='lgc-set-attributes,lgc-replay,function(instcombine)' %s | FileCheck %s
; CHECK: add i32 %{{.*}}, 3
; CHECK-NOT: add
define void @main() {
  %x = call i32 @lgc.get.subgroup.size()
  %l = call i32 @lgc.read.builtin.input(i32 9, i1 poison, i1 poison)
  %z = add i32 %l, 1
  %y = add i32 %z, 2
  call void @lgc.write.generic.output(i32 %y, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare i32 @lgc.get.subgroup.size()
declare i32 @lgc.read.builtin.input(i32, i1, i1)
declare void @lgc.write.generic.output(i32, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
