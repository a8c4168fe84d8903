// Package agent is the contributor's side of Consilience: a library for a program
// that keeps its own memory and shares it.
//
// A [Home] is one contributor in one folder: its key, its local memory and the
// slices that it derived from. [Home.Remember], [Home.Revise] and [Home.Forget]
// change the local state and need no network. A [Session] is a home that reaches
// a store through a [Link]: [Session.Pull] fetches, checks and keeps a slice;
// [Session.Push] signs what [Home.Diff] finds, keeps it in the outbox, publishes
// it and waits for the outcome. [State], [Diff] and [Apply] are the same without
// files, for tests and for whoever wants to see the delta as a difference.
//
// Push before you pull: a pull brings contents, and saying afterwards what one
// was told is not evidence. [Session.Pull] therefore pushes first.
//
// # What a crash leaves
//
// A record and its pairs are written at once. A message is signed and kept, with
// its sequence number, before it is published; it is published again, byte for
// byte, until the log has it; its outcome is asked for until it is known. A crash
// between any two of these loses nothing, and the store sees at most the same
// bytes twice, which it answers with "duplicate".
package agent
