; SPDX-License-Identifier: MIT
; Waves have 64 lanes.
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: the shader asks for gl_SubgroupSize, which cannot be 32: waves of gfx900 have 64 lanes
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 0, !"common", !4}
!1 = !{!"shaderOptions", !2}
!2 = !{!3}
!3 = !{!"subgroupSize", i32 32}
!4 = !{!"useSubgroupSize", i32 1}
