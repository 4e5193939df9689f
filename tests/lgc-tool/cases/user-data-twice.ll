; SPDX-License-Identifier: MIT
; RUN: not lgc -passes=lgc-lower-user-data,lgc-lower-user-data %s 2>&1 | FileCheck %s
; CHECK: lgc: invalid input: user data has got its registers already
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
