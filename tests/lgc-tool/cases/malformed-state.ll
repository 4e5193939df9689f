; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: the module carries no pipeline state, or a malformed one
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{}
!1 = !{!"deviceIndex", !"one"}
