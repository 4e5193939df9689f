; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-optimize-shader,lgc-collect-resources %s | FileCheck %s
; CHECK: !lgc.resource.usage = !{![[USAGE:[0-9]+]]}
; CHECK: ![[USAGE]] = !{!"hardwareValues", !{{[0-9]+}}, !"fragmentInputs", !{{[0-9]+}}, !"outputs", !{{[0-9]+}}}

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
