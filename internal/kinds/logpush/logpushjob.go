// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package logpush describes the kinds of Logpush.
package logpush

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// LogpushJob describes the destinations of logs.
func LogpushJob() kind.Description {
	const jobs = "/{accounts_or_zones}/{account_or_zone_id}/logpush/jobs"
	return kind.Description{
		Group: "logpush", Name: "LogpushJob", Short: "cflpj", Noun: "Logpush job", Scope: kind.Either,
		Doc:       "A LogpushJob sends logs of a zone or of an account to a bucket, to a service for logs, or to a server of yours. status.atProvider.lastError says when that last failed: a LogpushJob that fails is Ready all the same.",
		Terraform: "cloudflare_logpush_job",
		List:      "GET " + jobs,
		Create:    "POST " + jobs,
		Read:      "GET " + jobs + "/{job_id}",
		Update:    "PUT " + jobs + "/{job_id}",
		Delete:    "DELETE " + jobs + "/{job_id}",
		Fields: map[string]kind.Field{
			"name":                             {Doc: "The name of the job, for example the domain name. Several jobs can have the same."},
			"dataset":                          {Doc: "What is logged. Some datasets are of zones, the others of accounts."},
			"destination_conf":                 {Required: true, Secret: true, Doc: "The URL that logs go to, as Cloudflare's documentation of the destination has it, such as r2:// with the name of a bucket. It comes from a Secret: it has the keys to the destination. So it is not compared either: a change of it at Cloudflare stays until the Secret changes."},
			"ownership_challenge":              {Doc: "What Cloudflare has put into a file at the destination, which proves that it is yours. Buckets of S3, of Google and of Azure need it. A change of destinationConf needs another one."},
			"enabled":                          {Doc: "Whether logs are sent."},
			"filter":                           {WriteOnly: true, Doc: "Which events are logged, in JSON. Left out, all are. Cloudflare does not show it, so it is not compared."},
			"kind":                             {Doc: "Where logs come from: with edge, from each data center of Cloudflare, sooner and in smaller files."},
			"max_upload_bytes":                 {Doc: "The most bytes in a file, before compression, from 5000000 to 1000000000. 0 is no such limit."},
			"max_upload_interval_seconds":      {Doc: "The most seconds between two files, from 30 to 300. 0 leaves it to Cloudflare."},
			"max_upload_records":               {Doc: "The most lines in a file, from 1000 to 1000000. 0 is no such limit."},
			"output_options":                   {Doc: "What is in a file."},
			"output_options.batch_prefix":      {Doc: "What a file begins with."},
			"output_options.batch_suffix":      {Doc: "What a file ends with."},
			"output_options.field_delimiter":   {Doc: "What is between two fields of an event. With recordTemplate, it has no effect."},
			"output_options.field_names":       {Doc: "The fields of each event, in this order where that means something."},
			"output_options.merge_subrequests": {Doc: "Whether a request and its subrequests are one event, in the dataset http_requests."},
			"output_options.output_type":       {Doc: "The format of a file, which says what the other options are where they are left out."},
			"output_options.record_delimiter":  {Doc: "What is between two events."},
			"output_options.record_prefix":     {Doc: "What is before each event."},
			"output_options.record_suffix":     {Doc: "What is after each event."},
			"output_options.record_template":   {Doc: "What is written of each event, as a text/template of Go without functions. Each field in it must be in fieldNames."},
			"output_options.sample_rate":       {Doc: "The share of events that is logged, from 0 to 1."},
			"output_options.timestamp_format":  {Name: "timeFormat", Doc: "The format of times."},
		},
		// The first two are the older forms of max_upload_interval_seconds and output_options.
		Hide:     []string{"frequency", "logpull_options", "output_options.CVE-2021-44228"},
		Observe:  []string{"name", "dataset", "enabled", "kind", "last_complete", "last_error"},
		Columns:  []string{"JOB=name", "DATASET=dataset", "ENABLED=enabled", "-LAST-COMPLETE=last_complete", "-LAST-ERROR=last_error"},
		Undated:  true,
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"id", "dataset", "last_complete", "last_error", "error_message"},

		Permissions: []string{"Logs Write"}, Plan: "Enterprise",
		Excused: map[string]string{
			"Adopted": "nothing but its ID tells one from another: names may repeat",
			"Busy":    "nothing refers to it",
		},
	}
}
