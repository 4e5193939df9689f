; SPDX-License-Identifier: MIT
; RUN: lgc %s | FileCheck %s
; CHECK: s_barrier
define void @main() {
  call void @lgc.barrier()
  ret void
}
declare void @lgc.barrier()
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 5, !"compute", !2}
!1 = !{}
!2 = !{!"workgroupSizeX", i32 128}
