package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"consilience/fleet"
	"consilience/reason"
	"consilience/record"
	"consilience/storage/postgres"
)

// recordID finds the record that a person names in a space.
func recordID(ctx context.Context, store *postgres.Store, space, arg string) (record.ID, error) {
	if strings.HasPrefix(arg, "item:") {
		return record.ID{}, reason.New(reason.UsageError, "is an item, and a record is asked for").On(arg).
			Advise("`reconciler explain %s --json` names its records", arg)
	}
	return store.RecordID(ctx, space, arg)
}

// itemID finds the item that a person names, and its space.
func (a *app) itemID(ctx context.Context, store *postgres.Store, space, arg string) (string, record.ItemID, error) {
	if strings.HasPrefix(arg, "rec:") {
		return "", record.ItemID{}, reason.New(reason.UsageError, "is a record, and an item is asked for").On(arg).
			Advise("the view memory.records names the item of a record")
	}
	in, id, err := store.ItemID(ctx, space, arg)
	if reason.Of(err) == reason.NotFound && space != "" {
		err = cmp.Or(a.spaceExists(ctx, space), err)
	}
	return in, id, err
}

// spaceExists returns [reason.SpaceUnknown] for a space that the fleet does not know.
func (a *app) spaceExists(ctx context.Context, space string) error {
	f, done, err := a.openFleet(ctx)
	if err != nil {
		return err
	}
	defer done()
	var known bool
	f.Now(func(v fleet.View) { _, known = v.Space(space) })
	if !known {
		return spaceUnknown(space)
	}
	return nil
}

// named names the input of a refusal that names none.
func named(input string, err error) error {
	if e := (*reason.Error)(nil); errors.As(err, &e) && e.Input == "" {
		return e.On(input)
	}
	return err
}
