// Package space makes network namespaces without a name: a thread holds each, its
// processes live in it, and all of it ends with this process. It needs no root
// where the system allows user namespaces. It is for Linux.
package space
