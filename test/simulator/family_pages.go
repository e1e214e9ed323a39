// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"regexp"
	"time"
)

// Codes of Pages. Those for projects and domains that do not exist, or exist already, are from tests
// against the live API (alchemy-run/distilled, packages/cloudflare/src/services/pages.ts). 8000022 is
// from the Terraform provider's issues 6134 and 7305. 8000028 is from cloudflare-docs, issue 2271.
// Clients report 8000024 for lists with large pages.
const (
	CodePagesProjectExists   = 8000002
	CodePagesProjectNotFound = 8000007
	CodePagesDomainExists    = 8000018
	CodePagesDomainNotFound  = 8000021
	CodePagesBody            = 8000022
	CodePagesListOptions     = 8000024
	CodePagesHasDomains      = 8000028
)

const (
	pagesProjects = "/accounts/{account_id}/pages/projects"
	pagesDomains  = pagesProjects + "/{project_name}/domains"
)

// pagesPage is the maximum size of a page of projects. The document has no bound, but the API refuses
// larger pages. The number is that of wrangler's list of projects.
const pagesPage = 10

func pagesFamilies() []*family {
	return []*family{pagesProjectFamily(), pagesDomainFamily()}
}

// pagesProjectFamily returns the projects. A PATCH merges objects at any depth, null removes a member,
// and an empty body is refused (Terraform provider, issue 5412).
func pagesProjectFamily() *family {
	return &family{
		list: pagesProjects, parameter: "project_name", shape: idName, member: "name",
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return refuse(http.StatusConflict, CodePagesProjectExists, "A project with this name already exists. Choose a different project name.")
		}}},
		missing: pagesProjectMissing,
		adapt: func(c *resourceCall, body map[string]any) *Error {
			if c.r.Method == http.MethodPatch && len(body) == 0 {
				return invalid(CodePagesBody, "Request body is incorrect. The request body may have an invalid JSON type or missing required keys.")
			}
			return nil
		},
		prepare: preparePagesProject, show: showPagesProject,
		busy: func(c *resourceCall, r *resource) *Error {
			if len(c.pagesDomains(r)) > 0 {
				return refuse(http.StatusConflict, CodePagesHasDomains, "Must delete custom domains before deleting project")
			}
			return nil
		},
		removed:  func(c *resourceCall, r *resource) { delete(c.s.shelves, c.shelf.path+"/"+r.id+"/domains") },
		deletion: func(*resourceCall, *resource) any { return nil },
		more: map[string]handler{
			"GET " + pagesProjects:                       (*resourceCall).listPagesProjects,
			"PATCH " + pagesProjects + "/{project_name}": (*resourceCall).patchPagesProject,
		},
	}
}

func pagesProjectMissing() *Error {
	return refuse(http.StatusNotFound, CodePagesProjectNotFound, "Project not found. The specified project name does not match any of your existing projects.")
}

// pagesDomains returns the names of a project's domains.
func (c *resourceCall) pagesDomains(project *resource) []any {
	var names []any
	for _, r := range c.s.shelves[c.shelf.path+"/"+project.id+"/domains"].all() {
		names = append(names, r.id)
	}
	return names
}

func (c *resourceCall) listPagesProjects() (reply, *Error) {
	if n, ok := number(parsed("integer", c.r.URL.Query().Get("per_page"))); ok && n > pagesPage {
		return reply{}, invalid(CodePagesListOptions, "Invalid list options provided. Review the `page` or `per_page` parameter.")
	}
	return c.listAll()
}

func (c *resourceCall) patchPagesProject() (reply, *Error) {
	return c.update(false, merged)
}

// merged returns a copy of into with a merge patch applied (RFC 7396).
func merged(into, patch map[string]any) map[string]any {
	out := copyOf(into)
	for name, value := range patch {
		was, isObject := out[name].(map[string]any)
		inner, both := value.(map[string]any)
		switch {
		case value == nil:
			delete(out, name)
		case isObject && both:
			out[name] = merged(was, inner)
		default:
			out[name] = value
		}
	}
	return out
}

// preparePagesProject sets the members that the API was seen to set (Terraform provider, issues 5928
// and 6069).
func preparePagesProject(c *resourceCall, before *resource, doc map[string]any) *Error {
	name, _ := doc["name"].(string)
	if !regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,56}[a-z0-9])?$`).MatchString(name) {
		return invalid(CodeResourceInvalid, "The name of a project has lower-case letters, digits and dashes.")
	}
	if before == nil {
		fill(doc, map[string]any{
			"id": c.s.newUUID(), "subdomain": name + ".pages.dev", "canonical_deployment": nil, "latest_deployment": nil, "framework": "", "framework_version": "",
			"preview_script_name": "pages-worker--" + name + "-preview", "production_script_name": "pages-worker--" + name + "-production", "uses_functions": false,
		})
	}
	fill(within(doc, "build_config"), map[string]any{"web_analytics_tag": nil, "web_analytics_token": nil})
	configs := within(doc, "deployment_configs")
	for _, environment := range []string{"preview", "production"} {
		fill(within(configs, environment), map[string]any{
			"always_use_latest_compatibility_date": false, "build_image_major_version": 3, "compatibility_date": c.now.UTC().Format(time.DateOnly),
			"compatibility_flags": []any{}, "env_vars": nil, "fail_open": true, "usage_model": "standard",
		})
	}
	if source, given := doc["source"].(map[string]any); given {
		c.fillPagesSource(within(source, "config"), doc["production_branch"])
	}
	return nil
}

// fillPagesSource sets the defaults for the settings of a repository.
func (c *resourceCall) fillPagesSource(config map[string]any, branch any) {
	fill(config, map[string]any{
		"owner": "", "repo_name": "", "owner_id": c.s.newID()[:8], "repo_id": c.s.newID()[:8], "deployments_enabled": true, "production_deployments_enabled": true,
		"pr_comments_enabled": true, "preview_deployment_setting": "all", "preview_branch_includes": []any{"*"}, "preview_branch_excludes": []any{},
		"path_includes": []any{"*"}, "path_excludes": []any{}, "production_branch": branch,
	})
}

// within returns the object of that name in doc. It creates the object if there is none.
func within(doc map[string]any, name string) map[string]any {
	found, ok := doc[name].(map[string]any)
	if !ok {
		found = map[string]any{}
		doc[name] = found
	}
	return found
}

// fill sets the members that a document lacks.
func fill(doc, standard map[string]any) {
	for name, value := range standard {
		if _, given := doc[name]; !given {
			doc[name] = value
		}
	}
}

// showPagesProject removes the values of secrets, as in the document's example, and adds the domains
// of the project.
func showPagesProject(c *resourceCall, r *resource, shown map[string]any) {
	within(shown, "build_config")["web_analytics_token"] = nil // It is required, and sensitive.
	configs, _ := shown["deployment_configs"].(map[string]any)
	for _, environment := range configs {
		config, _ := environment.(map[string]any)
		vars, _ := config["env_vars"].(map[string]any)
		for _, v := range vars {
			if variable, _ := v.(map[string]any); variable["type"] == "secret_text" {
				variable["value"] = ""
			}
		}
	}
	shown["domains"] = append([]any{shown["subdomain"]}, c.pagesDomains(r)...)
}

// pagesDomainFamily returns the custom domains of a project. A domain is pending until it has a CNAME
// record for the project (Options.TenantDelay). A PATCH has no body: it checks the domain again.
func pagesDomainFamily() *family {
	const domain = pagesDomains + "/{domain_name}"
	return &family{
		list: pagesDomains, parameter: "domain_name", shape: idName, member: "name",
		unique: []uniqueness{{[]string{"name"}, func() *Error {
			return invalid(CodePagesDomainExists, "You have already added this custom domain.")
		}}},
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodePagesDomainNotFound, "The domain you have requested does not exist.")
		},
		adapt: func(_ *resourceCall, body map[string]any) *Error {
			name, _ := body["name"].(string)
			name, ok := zoneName(name)
			if !ok {
				return invalid(CodeResourceInvalid, "The name must be a domain name.")
			}
			body["name"] = name
			return nil
		},
		prepare: preparePagesDomain, show: showPagesDomain,
		deletion: func(*resourceCall, *resource) any { return nil },
		more: map[string]handler{
			"GET " + pagesDomains:  inPagesProject((*resourceCall).listAll),
			"POST " + pagesDomains: inPagesProject((*resourceCall).create),
			"GET " + domain:        inPagesProject((*resourceCall).get),
			"PATCH " + domain:      inPagesProject((*resourceCall).lookAgain),
			"DELETE " + domain:     inPagesProject((*resourceCall).delete),
		},
	}
}

// inPagesProject wraps an operation on domains so that it refuses a project that does not exist.
func inPagesProject(handle handler) handler {
	return func(c *resourceCall) (reply, *Error) {
		if c.beside("/pages/projects").items[c.r.PathValue("project_name")] == nil {
			return reply{}, pagesProjectMissing()
		}
		return handle(c)
	}
}

func preparePagesDomain(c *resourceCall, _ *resource, doc map[string]any) *Error {
	name, _ := doc["name"].(string)
	fill(doc, map[string]any{
		"id": c.s.newUUID(), "domain_id": c.s.newUUID(), "certificate_authority": "google", "status": "pending", "zone_tag": c.ownZone(name),
		"validation_data": map[string]any{"status": "pending", "method": "http"}, "verification_data": map[string]any{"status": "pending"},
	})
	return nil
}

// ownZone returns the ID of the longest zone of the account that contains a host name, or "" if there is none.
func (c *resourceCall) ownZone(host string) string {
	closest := c.s.closestZone(host, func(z *zone) bool { return z.accountID == c.account() })
	if closest == nil {
		return ""
	}
	return closest.id
}

// showPagesDomain shows a domain as active after its record has had the time to be published.
func showPagesDomain(c *resourceCall, r *resource, shown map[string]any) {
	if !c.published(r) || shown["status"] != "pending" {
		return
	}
	shown["status"] = "active"
	within(shown, "validation_data")["status"] = "active"
	within(shown, "verification_data")["status"] = "active"
}

func (c *resourceCall) lookAgain() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	return reply{result: c.shown(r)}, nil
}
