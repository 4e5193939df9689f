; SPDX-License-Identifier: MIT
; RUN: not lgc -extract=0 %s 2>&1 | FileCheck %s
; CHECK: modules are counted from 1

define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{}
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
