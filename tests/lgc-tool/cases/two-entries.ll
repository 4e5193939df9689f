; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: the module has two entry functions, main and other
define void @main() {
  ret void
}
define void @other() {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{}
