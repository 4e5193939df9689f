; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes %s | FileCheck %s
; CHECK: "amdgpu-flat-work-group-size"="12,12"
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 5, !"compute", !2}
!1 = !{}
!2 = !{!"workgroupSizeX", i32 3, !"workgroupSizeY", i32 4}
