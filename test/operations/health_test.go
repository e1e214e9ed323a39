package operations

import (
	_ "github.com/argoproj/argo-cd/v3/resource_customizations"
	_ "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	_ "github.com/fluxcd/pkg/apis/kustomize"
	_ "github.com/fluxcd/pkg/runtime/cel"
	_ "github.com/yuin/gopher-lua"
	_ "layeh.com/gopher-json"
)
