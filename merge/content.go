package merge

import (
	"consilience/lineage"
	"consilience/record"
)

// ContentState is what a space knows about one content.
type ContentState struct {
	Content record.Content
	Item    ItemNo // the item it joins
	// FirstGroup and SecondGroup are the first two groups that stated it
	// first-hand; only they can earn credit for it.
	FirstGroup, SecondGroup lineage.Group
	HasFirst, HasSecond     bool
	Judgement               Verdict // the newest
	JudgedSeq               uint64
	JudgedRecord            record.ID
	Erased                  bool                     // its bytes are gone and it may not be proposed again
	Holders                 map[lineage.Node]*Holder // who stated it first-hand, unmasked

	mark mark
}

// Holder is a contributor that stated a content first-hand.
type Holder struct {
	Contributor  lineage.Node
	Group        lineage.Group // at its first own statement of the content
	Credit       bool          // a confirmation of the content counts for it
	Corroborated bool          // a proven other group supported the content later
	Blamed       bool          // the content was contradicted while it supported it

	mark mark
}

// RecordState is what the merge knows about one record.
type RecordState struct {
	No          RecordNo
	ID          record.ID
	Content     record.Content
	Contributor lineage.Node
	Seq         uint64 // of the entry that brought it
	Item        ItemNo // the item its content joins
	Tainted     bool   // refers, at any depth, to a masked record
	Erased      bool
}
