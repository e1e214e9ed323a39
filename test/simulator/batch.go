// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

// A batchOperation is one kind of operation of a batch.
type batchOperation struct {
	name    string
	needsID bool
	do      func(t *txn, id string, body fields) (*record, *Error)
}

// batchOrder returns the operations in the order in which a batch executes them. The
// order of the members in the request has no effect.
func batchOrder() []batchOperation {
	return []batchOperation{
		{"deletes", true, func(t *txn, id string, _ fields) (*record, *Error) { return t.delete(id) }},
		{"patches", true, (*txn).patch},
		{"puts", true, (*txn).replace},
		{"posts", false, func(t *txn, _ string, body fields) (*record, *Error) { return t.create(body) }},
	}
}

// batchRecords executes all operations or none. It returns the error of the first
// operation that fails. The error does not name the operation.
func batchRecords(c *call) (reply, *Error) {
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	operations := map[string][]fields{}
	total := 0
	for _, op := range batchOrder() {
		list, err := batchList(body, op)
		if err != nil {
			return reply{}, err
		}
		operations[op.name] = list
		total += len(list)
	}
	if limit := c.zone.plan.limits().batch; total > limit {
		return reply{}, invalid(CodeBatchTooLarge, "Batch has %d operations, exceeding the limit of %d.", total, limit)
	}
	result := map[string]any{}
	err = c.s.transact(c.zone, func(t *txn) *Error {
		for _, op := range batchOrder() {
			done := []any{}
			for _, body := range operations[op.name] {
				id, _ := body["id"].(string)
				r, err := op.do(t, id, body)
				if err != nil {
					return err
				}
				done = append(done, c.shown(r))
			}
			result[op.name] = done
		}
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	return reply{result: result}, nil
}

func batchList(body fields, op batchOperation) ([]fields, *Error) {
	value, given := body[op.name]
	if !given || value == nil {
		return nil, nil
	}
	list, ok := value.([]any)
	if !ok {
		return nil, invalid(CodeMalformedJSON, "%s must be a list.", op.name)
	}
	out := make([]fields, 0, len(list))
	for _, element := range list {
		object, ok := element.(map[string]any)
		if !ok {
			return nil, invalid(CodeMalformedJSON, "%s must be a list of objects.", op.name)
		}
		if id, isText := object["id"].(string); op.needsID && (!isText || !validID(id)) {
			return nil, errNoRecord()
		}
		out = append(out, object)
	}
	return out, nil
}
