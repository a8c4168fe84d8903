package vector

// pace chooses the depth at which the next chunk of a pass is tried. It changes how
// long a scan takes, and nothing else.
type pace struct {
	deep   bool
	chunks int // since the depth was chosen
}

const (
	// crowded is the share of the items that few values leave from which on more of them
	// pay, in one of so many: an exact product costs as much as some fifty items' values.
	crowded = 50
	// probing is after how many chunks few values are tried again.
	probing = 16
)

func (p *pace) depth() int {
	if p.deep = p.deep && p.chunks < probing; p.deep {
		return 1
	}
	return 0
}

// saw takes what the masks of a chunk left of some items.
func (p *pace) saw(left, items int) {
	if p.chunks++; !p.deep && left*crowded > items {
		p.deep, p.chunks = true, 0
	}
}
