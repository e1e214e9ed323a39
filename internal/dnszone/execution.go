// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// maxBudgetWait is how long a call waits, all in all, for its turn in the credential's budget. Meanwhile its callers
// wait, and more callers join them. If it takes longer they get an error, so that they can leave.
const maxBudgetWait = 2 * time.Second

// An execution executes one group of writes, in as few calls as the refusals allow.
type execution struct {
	z      *Zone
	writer *writer
	// tenant is the tenant whose turn the next call is.
	tenant string
	// full is the refusal that says that the zone holds as many records as it may. Later creations of the group would
	// not fit either.
	full error
	// unexplained is a refusal without a reason, after so many in a row that the other writes would get the same.
	unexplained error
	// began is when the last call began.
	began time.Time
	// missing are deletions whose answers say that the record does not exist.
	missing []*pendingWrite
}

// maxUnexplained is how many refusals without a reason, in a row, end an execution. A firewall that blocks one record
// among thousands refuses about log2(n) calls until that record is alone, and lets some calls through in between. A
// firewall that blocks the caller refuses all calls.
const maxUnexplained = 16

// ended returns why no further call is sent, nil if one may be sent.
func (f *execution) ended() error {
	if f.z.sending.Closed() {
		return &NotSentError{Cause: parent.ErrEnding}
	}
	return f.unexplained
}

// step makes the next call for a segment of the group, at most one, and delivers the outcomes to their callers. The
// API refuses a call as a whole without naming the operation at fault. After the refusal of several operations, step
// returns the two parts to try instead, until the operation at fault is alone: among n operations each one at fault
// costs about log2(n) calls.
func (f *execution) step(s *segment) (parts []*segment) {
	ws, refused := f.refuseCreations(f.writer.waiting(s.writes))
	s.refused += refused
	if err := f.ended(); err != nil {
		for _, w := range ws {
			f.writer.deliver(w, outcome{err: w.op.failed(err)})
		}
		s.finish(s.refused + len(ws))
		return nil
	}
	switch {
	case len(ws) == 0:
		s.finish(s.refused)
		return nil
	case len(ws) == 1:
		s.finish(s.refused + f.executeOne(ws[0]))
		return nil
	case s.faultyForCertain():
		return s.split(ws, s.refused == 0)
	}
	outcomes, err := f.executeBatch(ops(ws))
	if err == nil {
		f.deliver(ws, outcomes)
		s.finish(s.refused)
		return nil
	}
	f.z.o.Metrics.bisected()
	// No public source names the code of a refusal for too many operations. So the outcome tells it as well: no
	// operation was at fault.
	s.large = len(ws) > freeBatch
	return s.split(ws, !s.large && !cloudflare.IsBatchTooLarge(err))
}

// refuseCreations delivers the refusal to the callers of creations for which the zone has no room, and returns the
// other writes.
func (f *execution) refuseCreations(ws []*pendingWrite) (rest []*pendingWrite, refused int) {
	if f.full == nil {
		return ws, 0
	}
	for _, w := range ws {
		if w.op.kind != opCreate {
			rest = append(rest, w)
			continue
		}
		f.writer.deliver(w, outcome{err: w.op.failed(f.full)})
		refused++
	}
	return rest, refused
}

// executeOne executes one write by the endpoint for a single record.
func (f *execution) executeOne(w *pendingWrite) (refused int) {
	var (
		e       Entry
		missing bool
	)
	err := f.call(func(ctx context.Context) (err error) {
		e, err = f.z.one(ctx, w.op)
		if missing = w.op.kind == opDelete && cloudflare.IsRecordGone(err); missing {
			return nil
		}
		return err
	})
	f.z.o.Metrics.called(1)
	if missing {
		f.missing = append(f.missing, w)
		return 0
	}
	o := outcome{entry: e}
	switch {
	case errors.Is(err, errPartial):
		o = f.settle([]Op{w.op}, &OutcomeUnknownError{Write: err, Look: errNotShown})[0]
	case cloudflare.IsAmbiguous(err):
		o = f.settle([]Op{w.op}, err)[0]
	case err != nil:
		o.err = w.op.failed(err)
	}
	if cloudflare.IsQuota(err) {
		f.full = err
	}
	f.writer.deliver(w, o)
	if o.err != nil {
		return 1
	}
	return 0
}

// confirm delivers the outcomes of the deletions whose answers say that the record does not exist. It waits with the
// deletions of a tenant while the group has open segments of that tenant. Such an answer may come from a copy that is
// behind, so one list that begins after all of the answers has to confirm them.
func (f *execution) confirm(open []*segment) {
	var done, rest []*pendingWrite
	for _, w := range f.missing {
		if slices.ContainsFunc(open, func(s *segment) bool { return s.execution == f && s.has(w.tenant) }) {
			rest = append(rest, w)
		} else {
			done = append(done, w)
		}
	}
	if len(done) == 0 {
		return
	}
	f.missing = rest
	ctx, cancel := f.context()
	defer cancel()
	err := f.z.lists.Refresh(ctx)
	for _, w := range done {
		o, id := outcome{entry: w.op.live}, w.op.live.Live.ID
		switch {
		case err != nil:
			o = outcome{err: w.op.failed(err)}
		case f.z.shows(id):
			o = outcome{err: w.op.failed(&parent.DisputedError{Says: "there is no DNS record " + id, Listed: true, Wait: parent.Lag})}
		default:
			f.z.drop(id, true)
		}
		f.writer.deliver(w, o)
	}
}

// context returns the context of one call. It has its own timeout, regardless of the callers' contexts, and the
// budget of the credential counts the call for the tenant.
func (f *execution) context() (context.Context, context.CancelFunc) {
	return context.WithTimeout(cloudflare.ForTenant(context.Background(), f.tenant), f.z.o.CallTimeout)
}

// executeBatch executes several operations in one call. It returns an error only if the API refused the call for one
// of its operations. Everything else is in the outcomes.
func (f *execution) executeBatch(group []Op) ([]outcome, error) {
	var answer batchAnswer
	err := f.call(func(ctx context.Context) error {
		answer = batchAnswer{}
		return f.z.api.BatchRecords(ctx, f.z.id, batch(group), &answer)
	})
	f.z.o.Metrics.called(len(group))
	switch {
	case err == nil && f.z.fits(answer, group):
		return f.z.landed(group, answer), nil
	case err == nil:
		return f.settle(group, &OutcomeUnknownError{Write: errPartial, Look: errNotShown}), nil
	case cloudflare.IsAmbiguous(err):
		return f.settle(group, err), nil
	case errors.As(err, new(*parent.CircuitOpenError)): // It concerns all of them.
	case cloudflare.IsRejected(err), cloudflare.IsBatchTooLarge(err), cloudflare.IsUnexplained(err):
		return nil, err
	}
	out := make([]outcome, len(group))
	for i, op := range group {
		out[i].err = op.failed(err)
	}
	return out, nil
}

// call makes one call. If the budget is used up for the moment, it waits and makes the call then.
func (f *execution) call(do func(context.Context) error) error {
	if err := f.z.writes.Check(f.z.o.Now()); err != nil {
		return err
	}
	f.began = f.z.o.Now()
	err := f.inTurn(do)
	switch {
	case !cloudflare.IsUnexplained(err):
		f.writer.unexplained = 0
	case f.writer.unexplained < maxUnexplained-1:
		f.writer.unexplained++
		return err // The reason may be in what the call contains.
	default:
		f.unexplained = err
	}
	f.z.writes.Record(err, f.z.o.Now())
	return err
}

func (f *execution) inTurn(do func(context.Context) error) error {
	for left := maxBudgetWait; ; {
		ctx, cancel := f.context()
		err := do(ctx)
		cancel()
		wait := cloudflare.RetryAfter(err)
		if !cloudflare.IsThrottled(err) || wait == 0 || wait > left || !f.z.sending.Sleep(context.Background(), wait) {
			return err
		}
		left -= wait
	}
}

// settle looks for the outcomes with a timeout of its own, and not in the time that the write left over.
func (f *execution) settle(group []Op, cause error) []outcome {
	ctx, cancel := f.context()
	defer cancel()
	return f.z.settle(ctx, group, f.began, cause)
}

func ops(ws []*pendingWrite) []Op {
	out := make([]Op, 0, len(ws))
	for _, w := range ws {
		out = append(out, w.op)
	}
	return out
}

// deliver delivers their outcomes to the callers of ws.
func (f *execution) deliver(ws []*pendingWrite, outcomes []outcome) {
	for i, w := range ws {
		f.writer.deliver(w, outcomes[i])
	}
}

// batch returns the body of a call of several operations.
func batch(group []Op) cloudflare.Batch {
	var b cloudflare.Batch
	for _, op := range group {
		switch op.kind {
		case opDelete:
			b.Deletes = append(b.Deletes, op.live.Live.ID)
		case opUpdate:
			b.Patches = append(b.Patches, cloudflare.Patch{ID: op.live.Live.ID, Body: op.patch})
		case opCreate:
			b.Posts = append(b.Posts, op.want.Body())
		}
	}
	return b
}

// A batchAnswer is the API's answer to a batch. Each list is in the batch's order.
type batchAnswer struct {
	Deletes []dnsrecord.Live `json:"deletes"`
	Patches []dnsrecord.Live `json:"patches"`
	Posts   []dnsrecord.Live `json:"posts"`
}

var (
	// errPartial says that the answer to a call shows other records than the call was for. The outcome is as open as
	// if the answer had been lost.
	errPartial = errors.New("the Cloudflare API's answer does not tell of every change")
	// errNotShown says that a look for such a change did not find it.
	errNotShown = errors.New("the zone's list does not show it")
)

// fits reports whether the answer shows the outcome of each of group.
func (z *Zone) fits(a batchAnswer, group []Op) bool {
	var deletes, patches, posts int
	for _, op := range group {
		switch op.kind {
		case opDelete:
			deletes++
		case opUpdate:
			if patches >= len(a.Patches) || !z.answers(op, a.Patches[patches]) {
				return false
			}
			patches++
		case opCreate:
			if posts >= len(a.Posts) || !z.answers(op, a.Posts[posts]) {
				return false
			}
			posts++
		}
	}
	return len(a.Deletes) == deletes && len(a.Patches) == patches && len(a.Posts) == posts
}

// landed notes the records of a batch as its answer shows them.
func (z *Zone) landed(group []Op, a batchAnswer) []outcome {
	out := make([]outcome, len(group))
	var patches, posts int
	for i, op := range group {
		var l dnsrecord.Live
		switch op.kind {
		case opUpdate:
			l = a.Patches[patches]
			patches++
		case opCreate:
			l = a.Posts[posts]
			posts++
		}
		out[i].entry = z.done(op, l)
	}
	return out
}
