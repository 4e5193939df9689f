; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: a workgroup of 4096 x 1 x 1 invocations; the hardware has 1 to 1024
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 5, !"compute", !2}
!1 = !{}
!2 = !{!"workgroupSizeX", i32 4096}
