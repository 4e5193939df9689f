; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: an instruction 'call' in main is assembly
define void @main() {
  call void asm sideeffect "s_trap 2", ""()
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
