// Package nhe is the source profile of a Consilience store's own memory records:
// docs/nhe-source-profile.md, in Go.
//
//   - [NewKeys] takes the keys of a fleet, once per change of the fleet.
//   - [NewTrust] freezes them with a space, a revision and a policy digest.
//   - [Trust.Source] adds what a store knows about single records and is a
//     projection.Source: trusted is what is authoritative and signed by an accepted
//     key, everything else that is authentic is unverified and by nobody.
//   - [Frame] is the context frame; its header carries the length and the hash of
//     the body, so that no body can close or forge one.
package nhe
