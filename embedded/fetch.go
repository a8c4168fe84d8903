package embedded

import (
	"context"

	"consilience/reason"
)

func fetch(ctx context.Context, cfg PostgresConfig) (Binaries, error) {
	return Binaries{}, reason.New(reason.NotFound, "no Postgres on this machine").Advise(installAdvice)
}
