; SPDX-License-Identifier: MIT
; RUN: lgc -passes=dce %s | FileCheck %s
; What an op may do is what its row says, not what the declaration says.
; CHECK-NOT: lgc.sqrt
; CHECK: call void @lgc.barrier
define void @main() {
  %x = call float @lgc.sqrt(float 1.0)
  call void @lgc.barrier() 
  ret void
}
declare float @lgc.sqrt(float)
declare void @lgc.barrier() memory(none)
