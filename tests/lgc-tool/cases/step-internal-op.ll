; SPDX-License-Identifier: MIT
; RUN: not lgc -unlinked %s 2>&1 | FileCheck %s
; CHECK: a shader is taken as a Builder left it, and lgc.return.value is an op of the middle-end's own
define void @main() {
  call void @lgc.return.value(float 1.0, i32 0)
  ret void
}
declare void @lgc.return.value(float, i32)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
