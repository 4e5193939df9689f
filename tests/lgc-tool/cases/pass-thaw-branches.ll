; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-thaw-branches %s | FileCheck %s
; The freeze of what is never undefined goes; that of a variable that may not be written stays.
; CHECK: br i1 %known,
; CHECK: [[FROZEN:%.*]] = freeze i1 %unknown
; CHECK: br i1 [[FROZEN]],
define void @main() {
entry:
  %variable = alloca i1, addrspace(5)
  %n = load i32, ptr addrspace(1) null
  %known = icmp eq i32 %n, 3
  %f = freeze i1 %known
  br i1 %f, label %a, label %b
a:
  %unknown = load i1, ptr addrspace(5) %variable
  %g = freeze i1 %unknown
  br i1 %g, label %c, label %b
b:
  ret void
c:
  store i32 1, ptr addrspace(1) null
  ret void
}
