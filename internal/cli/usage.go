package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"consilience/reason"
)

// usage turns an error of the command line into one that names the input and the
// command to ask.
func usage(c *cobra.Command, err error) error {
	see := "see " + c.CommandPath() + " -h"
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		return notAValue(value.GetFlag(), value.GetValue()).Advise("%s", see)
	}
	var missing *pflag.ValueRequiredError
	if errors.As(err, &missing) {
		return reason.New(reason.UsageError, "has no value").On("--"+missing.GetSpecifiedName()).Advise("%s", see)
	}
	if names, ok := strings.CutPrefix(err.Error(), requiredFlags); ok { // cobra has no type for it
		names = strings.ReplaceAll(strings.TrimSuffix(names, " not set"), `"`, "")
		return reason.New(reason.UsageError, "not given").On("--"+strings.ReplaceAll(names, ", ", ", --")).Advise("%s", see)
	}
	return reason.New(reason.UsageError, "%s", err.Error()).Advise("%s", see)
}

// requiredFlags begins cobra's error of flags that must be given.
const requiredFlags = "required flag(s) "

// notAValue is the error of a value that a flag cannot have.
func notAValue(f *pflag.Flag, value string) *reason.Error {
	return reason.New(reason.UsageError, "%q is not %s", value, meant(f)).On("--" + f.Name)
}

// kinds say in words what the values of a flag are.
var kinds = map[string]string{
	"bool": "true or false", "duration": "a time such as 30s or 5m", "float64": "a number",
	"int": "a whole number", "int64": "a whole number", "uint64": "a whole number, 0 or more",
}

func meant(f *pflag.Flag) string {
	if words := kinds[f.Value.Type()]; words != "" {
		return words
	}
	return "a value it takes"
}

// argumentsWanted turns cobra's count of arguments into the words of the usage line.
func argumentsWanted(c *cobra.Command, args []string) error {
	form := strings.TrimPrefix(c.UseLine(), c.Parent().CommandPath()+" ")
	form = strings.TrimSuffix(form, " [flags]")
	if len(args) == 0 {
		return reason.New(reason.UsageError, "no argument is given").On(within(c)).Advise("the form is: %s; see %s -h", form, c.CommandPath())
	}
	return reason.New(reason.UsageError, "takes other arguments than %s", quoted(args)).On(within(c)).
		Advise("the form is: %s; see %s -h", form, c.CommandPath())
}

// within is the path of a command without the program, whose name is in front of every
// error.
func within(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") }

func quoted(args []string) string {
	return `"` + strings.Join(args, `", "`) + `"`
}

// sayArguments lets every verb whose arguments are wrong say which it takes.
func sayArguments(root *cobra.Command) {
	each(root, func(c *cobra.Command) {
		check := c.Args
		if check == nil || !c.HasParent() || c.HasSubCommands() {
			return
		}
		c.Args = func(c *cobra.Command, args []string) error {
			if check(c, args) != nil {
				return argumentsWanted(c, args)
			}
			return nil
		}
	})
}
