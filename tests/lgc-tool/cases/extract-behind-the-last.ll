; SPDX-License-Identifier: MIT
; RUN: not lgc -extract=3 %s 2>&1 | FileCheck %s
; CHECK: lgc: invalid input: -extract=3: there are 2 modules

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
