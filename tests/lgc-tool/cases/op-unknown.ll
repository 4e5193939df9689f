; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc.no.such.op is no op
define void @main() {
  call void @lgc.no.such.op()
  ret void
}
declare void @lgc.no.such.op()
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
