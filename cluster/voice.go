package cluster

import "slices"

// activeVoice turns "the guitar is played by a man" into the order of "a man plays
// the guitar", so that roles can be compared by their order: what stands before a
// participle and what stands after its "by" change places.
func activeVoice(tokens []token) []token {
	by := slices.IndexFunc(tokens, func(t token) bool { return t.kind == relation && t.sense == "by" })
	if by < 2 || by == len(tokens)-1 {
		return tokens
	}
	verb := by - 1
	if !tokens[verb].finished || tokens[verb].kind != plain {
		return tokens
	}
	end := by + 1
	for end < len(tokens) && tokens[end].kind != relation && !tokens[end-1].comma {
		end++
	}
	if end == by+1 {
		return tokens
	}
	patient, agent := tokens[:verb], tokens[by+1:end]
	active := slices.Concat(agent, tokens[verb:by], patient, tokens[end:])
	active[len(agent)].finished = false
	return active
}
