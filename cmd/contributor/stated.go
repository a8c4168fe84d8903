package main

import "consilience/projection"

// stated is what a verified record states, for people and programs.
type stated struct {
	Scope        projection.Scope `json:"scope"`
	ProjectionID string           `json:"projection_id"`
	CreatedAt    string           `json:"created_at"`
	Adapter      string           `json:"adapter_id"`
	Bytes        int64            `json:"bytes"`
	Digest       string           `json:"digest"`
	Delivered    []delivered      `json:"delivered"`
	LeftOut      map[string]int64 `json:"left_out"`
}

// delivered is one entry.
type delivered struct {
	Trust      projection.Trust      `json:"trust"`
	Authorship projection.Authorship `json:"authorship"`
	AuthorKey  string                `json:"author_key"`
	Object     string                `json:"object_digest"`
}

func statedBy(s projection.Statement, scope projection.Scope) stated {
	out := stated{
		Scope: scope, ProjectionID: s.ProjectionID, CreatedAt: s.CreatedAt.String(), Adapter: s.Adapter.ID,
		Bytes: s.Projection.ByteLength, Digest: s.Projection.Digest.String(), Delivered: []delivered{}, LeftOut: map[string]int64{},
	}
	for _, e := range s.Delivered {
		out.Delivered = append(out.Delivered, delivered{e.Trust, e.Authorship, string(e.AuthorKey), e.SealedObjectDigest.String()})
	}
	for why, n := range s.Exclusions.ByReason {
		out.LeftOut[projection.Exclusion(why).String()] = n
	}
	return out
}
