package reconcile

import "context"

// Requeue publishes the bytes of a rejected message once more, under the subject
// they came with, and returns their new sequence. A rejection uses up no sequence
// number of its contributor, so what was refused for a cause that is gone can be
// merged now.
func Requeue(ctx context.Context, log Log, seq uint64) (uint64, error) {
	m, err := log.Get(ctx, seq)
	if err != nil {
		return 0, err
	}
	return log.Publish(ctx, m.Subject, m.Data)
}
