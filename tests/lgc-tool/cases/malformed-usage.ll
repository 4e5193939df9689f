; SPDX-License-Identifier: MIT
; RUN: not lgc -passes=lgc-lower-in-out %s 2>&1 | FileCheck %s
; CHECK: the module's lgc.resource.usage is malformed
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!0}
!lgc.resource.usage = !{!1}
!0 = !{}
!1 = !{!"usesDiscard", i32 2}
!lgc.step = !{!90}
!90 = !{!"lgc-collect-resources"}
