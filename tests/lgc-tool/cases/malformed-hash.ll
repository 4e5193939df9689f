; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc: invalid input: the module's lgc.hash is malformed
define void @main() !lgc.hash !2 {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{}
!1 = !{}
!2 = !{!"low", i32 7}
