; SPDX-License-Identifier: MIT
; A shader's options are those of its own stage.
; RUN: lgc -passes=lgc-set-attributes %s | FileCheck %s
; CHECK: "amdgpu-num-sgpr"="40"
; CHECK-SAME: "amdgpu-num-vgpr"="32"
; CHECK-SAME: "amdgpu-unroll-threshold"="20"
; CHECK-SAME: "amdgpu-waves-per-eu"="2,3"
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 5, !"compute", !6}
!1 = !{!"shaderOptions", !2}
!2 = !{!3, !4, !4, !4, !4, !5}
!3 = !{!"vgprLimit", i32 64}
!4 = !{}
!5 = !{!"vgprLimit", i32 32, !"sgprLimit", i32 40, !"waveLimit", i32 2, !"unrollThreshold", i32 20, !"maxThreadGroupsPerComputeUnit", i32 6}
!6 = !{!"workgroupSizeX", i32 128}
