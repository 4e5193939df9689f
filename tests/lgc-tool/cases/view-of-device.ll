; SPDX-License-Identifier: MIT
; gl_ViewIndex is what gl_DeviceIndex is.
; RUN: lgc -passes=lgc-set-attributes,lgc-replay %s | FileCheck %s
; CHECK: i32 3,
define void @main() {
  %x = call i32 @lgc.read.builtin.input(i32 4440, i1 poison, i1 poison)
  call void @lgc.write.generic.output(i32 %x, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare i32 @lgc.read.builtin.input(i32, i1, i1)
declare void @lgc.write.generic.output(i32, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{!"deviceIndex", i32 3, !"shaderOptions", !2}
!2 = !{!4, !4, !4, !4, !3}
!3 = !{!"viewIndexFromDeviceIndex", i32 1}
!4 = !{}
