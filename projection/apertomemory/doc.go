// Package apertomemory is the ApertoMemory source profile of a Memory Projection
// Record (section 5 of draft-ferro-schrock-memory-projection-record-01), with a
// native reader of format version 2 (draft-ferro-apertomemory-02).
//
//   - A [Keyring] holds the vault owner's key, the accepted authors' keys and the
//     keys of objects; [ParseKeyring] reads it from a file.
//   - [Keyring.Open] opens one sealed object: COSE_Encrypt0 under AES-256-GCM over
//     a COSE_Sign1, both bound to the cleartext envelope. [Facts] is what it finds;
//     trust comes from the key that verified, never from the object.
//   - [Snapshot] and [ParseSnapshot] are the trust snapshot profile, [Frame] the
//     context frame profile.
//   - [Keyring.Source] makes all of it a projection.Source.
//
// The reader fails closed: what cannot be authenticated has no content. What is
// authentic and odd (a confidence out of range, a broken custody record) is
// reported, or lowers trust, and stops nothing else.
package apertomemory
