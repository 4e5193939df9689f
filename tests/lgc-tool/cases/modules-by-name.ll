; SPDX-License-Identifier: MIT
; A module begins with its name, also behind one without metadata.
; RUN: lgc -passes= %s | FileCheck %s
; RUN: not lgc -extract=3 -passes= %s 2>&1 | FileCheck %s --check-prefix=COUNT
; COUNT: there are 2 modules
; ModuleID = 'first'
; CHECK: define void @first
define void @first() {
  ret void
}
; ModuleID = 'second'
; CHECK: define void @second
define void @second() {
  ret void
}
