; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; Lines are those of the file.
; CHECK: syntax-error-second-module.ll:11: expected
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{}
define void @main() {
  %x = nonsense
}
