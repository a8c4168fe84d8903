package wiretest

import (
	"encoding"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strings"
	"unicode"
)

// Show turns a decoded message into what a vector shows to people: members by
// their name in the message's description, bytes in hex, ids in their own text.
func Show(v any) any { return show(reflect.ValueOf(v)) }

func show(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	switch i := v.Interface().(type) {
	case encoding.TextMarshaler, json.Marshaler:
		return i
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return show(v.Elem())
	case reflect.Struct:
		return showStruct(v)
	case reflect.Array, reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return showBytes(v)
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = show(v.Index(i))
		}
		return list
	}
	return v.Interface()
}

func showBytes(v reflect.Value) string {
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return hex.EncodeToString(b)
}

func showStruct(v reflect.Value) map[string]any {
	members := map[string]any{}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			members[snake(f.Name)] = show(v.Field(i))
		}
	}
	return members
}

// snake turns CreatedAt into created_at.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 && unicode.IsLower(rune(name[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
