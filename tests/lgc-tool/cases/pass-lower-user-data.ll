; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-optimize-shader,lgc-collect-resources,lgc-lower-in-out,lgc-lower-user-data %s | FileCheck %s
; Dword 2 of the push constants has an SGPR, of which the next steps know from the metadata.
; CHECK: call i32 @lgc.hardware.value.i32.i32.i32(i32 {{[0-9]+}}, i32 2)
; CHECK: !"sgprRootValues"
define void @main() {
  %x = call float @lgc.load.push.constant(i32 8)
  call void @lgc.write.generic.output(float %x, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare float @lgc.load.push.constant(i32)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
