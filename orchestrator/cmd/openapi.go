package cmd

import (
	"github.com/spf13/cobra"

	"munshi/orchestrator/api"
)

func openapi(cmd *cobra.Command, _ []string) error {
	contract, err := api.OpenAPI()
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(contract)
	return err
}
