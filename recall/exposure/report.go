// Package exposure is the report of who was shown what a contributor said: the first
// question after a quarantine. An operator signs it, so that it can be handed on.
//
// [Seal] signs a [Report], [Open] reads it back strictly and verifies it.
package exposure

import (
	"bytes"
	"encoding/json"

	"github.com/gowebpki/jcs"

	"consilience/identity"
	"consilience/reason"
	"consilience/record/ijson"
)

// Purpose keeps a signature over a report from passing for one over anything else.
const Purpose identity.Purpose = "NHE-MEMORY-EXPOSURE-v1"

// Version is that of the report's form.
const Version = 1

// Report is for whom the items of a contributor and of all that derive from it were
// emitted, as the log says up to Revision. It holds no content. Its bytes are RFC 8785
// JSON.
type Report struct {
	Version     int            `json:"version"`
	Store       string         `json:"store"`       // store id, 43 characters
	Contributor identity.ID    `json:"contributor"` // whom the report is about
	Lineage     []identity.ID  `json:"lineage"`     // it and all that derive from it
	Revision    uint64         `json:"revision"`    // stream sequence that every partition had passed
	At          uint64         `json:"at"`          // when the report was made, Unix milliseconds
	Recipients  []Recipient    `json:"recipients"`  // in the order of their first emission
	Emissions   []Emission     `json:"emissions"`   // in the order of space and log
	Signer      identity.KeyID `json:"-"`           // of an opened report
}

// Recipient is a contributor that was shown something.
type Recipient struct {
	Contributor identity.ID `json:"contributor"`
	Name        string      `json:"name"`
	Items       int         `json:"items"`
	First       uint64      `json:"first"` // stream sequence of the first emission
}

// Emission is one content that left for one recipient.
type Emission struct {
	Space   string      `json:"space"`
	To      identity.ID `json:"to"`
	By      identity.ID `json:"by"` // who stated the content
	Item    string      `json:"item"`
	Content string      `json:"content_hash"`
	How     string      `json:"how"`      // projection or record
	Seq     uint64      `json:"sequence"` // of the log entry that says so
	At      uint64      `json:"at"`       // time of that entry, Unix milliseconds
}

// Encode is the report's canonical JSON.
func (r Report) Encode() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // texts and numbers
	}
	canonical, err := jcs.Transform(text)
	if err != nil {
		panic(err) // what the standard library encoded is JSON
	}
	return canonical
}

// Seal is the envelope of a report, signed by key.
func Seal(r Report, key identity.PrivateKey) []byte { return identity.Sign(Purpose, r.Encode(), key) }

// Open reads a sealed report and verifies that one of keys signed it. It returns
// [reason.Malformed], [reason.NotCanonical], [reason.KeyUnknown] and
// [reason.SignatureInvalid].
func Open(raw []byte, keys ...identity.PublicKey) (Report, error) {
	e, err := identity.OpenEnvelope(raw)
	if err != nil {
		return Report{}, err
	}
	for _, k := range keys {
		if k.KeyID() == e.KeyID {
			if err := e.Verify(Purpose, k); err != nil {
				return Report{}, err
			}
			r, err := decode(e.Payload)
			r.Signer = e.KeyID
			return r, err
		}
	}
	return Report{}, reason.New(reason.KeyUnknown, "signed by another key")
}

func decode(payload []byte) (Report, error) {
	var r Report
	if err := ijson.CheckCanonical(payload, ijson.Options{Nesting: 4}); err != nil {
		return r, err
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Report{}, reason.New(reason.Malformed, "a member is unknown or not of its type")
	}
	if r.Version != Version {
		return Report{}, reason.New(reason.VersionUnsupported, "a report of version %d", r.Version)
	}
	if !bytes.Equal(r.Encode(), payload) {
		return Report{}, reason.New(reason.NotCanonical, "not the one encoding of its members")
	}
	return r, nil
}
