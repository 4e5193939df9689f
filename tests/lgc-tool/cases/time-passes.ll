; SPDX-License-Identifier: MIT
; RUN: lgc -time-passes -filetype=null %s 2>&1 | FileCheck %s
; LLVM's own options work.
; CHECK: execution timing report
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}
