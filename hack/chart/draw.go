// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The connectors that are measured, as the figures name them.
const (
	provider = "provider"
	plain    = "plain"
)

// callsAllowed is Cloudflare's limit for a credential, in calls per minute: 1,200 calls in five
// minutes.
const callsAllowed = 240

// A chart shows one figure of each point. Its scales are logarithmic, because figures that grow
// with the records differ from others by orders of magnitude.
type chart struct {
	file, title, axis string
	// value returns the figure, and a note if the figure is not what it seems.
	value func(point) (y float64, but string)
	limit float64 // a line to compare with, unless it is zero
}

func charts() []chart {
	return []chart{
		{"benchmark-calls.svg", "Cloudflare API calls per minute while nothing changes", "calls per minute", func(p point) (float64, string) {
			if p.RefusedPerMinute > 0 {
				return p.CallsPerMinute, fmt.Sprintf("%.0f refused", p.RefusedPerMinute)
			}
			return p.CallsPerMinute, ""
		}, callsAllowed},
		{"benchmark-ready.svg", "Seconds from the first apply until all Records are Ready", "seconds", func(p point) (float64, string) {
			if p.SecondsToReady == 0 {
				return p.CutAfterSeconds, fmt.Sprintf("stopped: %d Ready", p.Ready)
			}
			return p.SecondsToReady, ""
		}, 0},
	}
}

// draw returns the chart as SVG. Its background is white, so that it can be read on pages of
// any colour.
func (c chart) draw(s series) ([]byte, error) {
	if len(s.Points) == 0 {
		return nil, errors.New("there are no points")
	}
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s\none zone, revision %s of %s", c.title, s.Revision, s.Date)
	p.Title.Padding = vg.Points(8)
	sans(&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle)
	p.X.Label.Text, p.Y.Label.Text = "Records", c.axis
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = recordTicks(s), plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	p.BackgroundColor = color.White
	p.Add(plotter.NewGrid())
	for _, l := range []struct {
		connector, name string
		colour          color.Color
		mark            draw.GlyphDrawer
	}{
		{plain, "plain connector", color.RGBA{R: 0xc4, G: 0x4e, B: 0x3a, A: 0xff}, draw.BoxGlyph{}},
		{provider, "provider-cloudflare", color.RGBA{R: 0x2f, G: 0x5d, B: 0x8c, A: 0xff}, draw.CircleGlyph{}},
	} {
		if err := c.addLine(p, s, l.connector, l.name, l.colour, l.mark); err != nil {
			return nil, err
		}
	}
	// Room for the legend above, and for notes beside the last points.
	p.X.Min, p.X.Max, p.Y.Max = p.X.Min*0.85, p.X.Max*1.18, p.Y.Max*4
	if c.limit > 0 {
		if err := addLimit(p, c.limit); err != nil {
			return nil, err
		}
	}
	return svgOf(p)
}

// addLine draws the points of a connector, and writes the notes beside them.
func (c chart) addLine(p *plot.Plot, s series, connector, name string, colour color.Color, mark draw.GlyphDrawer) error {
	var xys plotter.XYs
	var notes plotter.XYLabels
	for _, pt := range s.Points {
		if pt.Connector != connector {
			continue
		}
		y, but := c.value(pt)
		if y <= 0 {
			return fmt.Errorf("%s with %d Records: %v has no place on a logarithmic scale", connector, pt.Records, y)
		}
		xys = append(xys, plotter.XY{X: float64(pt.Records), Y: y})
		if but != "" {
			notes.XYs, notes.Labels = append(notes.XYs, xys[len(xys)-1]), append(notes.Labels, but)
		}
	}
	line, points, err := plotter.NewLinePoints(xys)
	if err != nil {
		return fmt.Errorf("cannot draw the points of %s: %w", connector, err)
	}
	line.Color, line.Width = colour, vg.Points(2)
	points.Color, points.Shape, points.Radius = colour, mark, vg.Points(4)
	p.Add(line, points)
	p.Legend.Add(name, line, points)
	if len(notes.Labels) == 0 {
		return nil
	}
	labels, err := plotter.NewLabels(notes)
	if err != nil {
		return fmt.Errorf("cannot draw the notes of %s: %w", connector, err)
	}
	for i := range labels.TextStyle {
		sans(&labels.TextStyle[i])
		labels.TextStyle[i].XAlign, labels.TextStyle[i].YAlign = draw.XRight, draw.YTop
	}
	labels.Offset = vg.Point{X: vg.Points(10), Y: vg.Points(-14)}
	p.Add(labels)
	return nil
}

// addLimit draws Cloudflare's limit over the whole width.
func addLimit(p *plot.Plot, limit float64) error {
	line, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: limit}, {X: p.X.Max, Y: limit}})
	if err != nil {
		return fmt.Errorf("cannot draw the limit: %w", err)
	}
	line.Color, line.Dashes = color.Gray{Y: 0x70}, []vg.Length{vg.Points(5), vg.Points(4)}
	p.Add(line)
	p.Legend.Add(fmt.Sprintf("Cloudflare's limit (%.0f)", limit), line)
	return nil
}

// sans sets the font of the documentation's pages.
func sans(styles ...*text.Style) {
	for _, s := range styles {
		s.Font.Variant = "Sans"
	}
}

// recordTicks returns a mark for each number of Records that was measured.
func recordTicks(s series) plot.ConstantTicks {
	var out plot.ConstantTicks
	for _, p := range s.Points {
		if !slices.ContainsFunc(out, func(t plot.Tick) bool { return t.Value == float64(p.Records) }) {
			out = append(out, plot.Tick{Value: float64(p.Records), Label: strconv.Itoa(p.Records)})
		}
	}
	return out
}

func svgOf(p *plot.Plot) ([]byte, error) {
	canvas := vgsvg.New(vg.Points(620), vg.Points(330))
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("cannot write SVG: %w", err)
	}
	return b.Bytes(), nil
}
