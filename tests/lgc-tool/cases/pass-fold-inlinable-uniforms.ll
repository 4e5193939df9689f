; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-fold-inlinable-uniforms %s | FileCheck %s
; CHECK-NOT: lgc.read.push.constants
; CHECK: float 2.000000e+00
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
!1 = !{!"knowledge", !5}
!5 = !{!"inlinableUniforms", !6}
!6 = !{!7}
!7 = !{!"offset", i32 4, !"value", i32 1073741824}
