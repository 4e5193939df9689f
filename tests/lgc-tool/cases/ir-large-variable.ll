; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: an instruction 'alloca' in main is no variable that shaders have
define void @main() {
  %v = alloca [1000000 x i32], addrspace(5)
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
