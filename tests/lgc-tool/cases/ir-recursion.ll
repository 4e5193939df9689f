; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: calls itself, or calls are nested too deeply
define void @main() {
  call void @again()
  ret void
}
define internal void @again() {
  call void @again()
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
