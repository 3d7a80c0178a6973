// Package otlptracehttp is a stub of the trace exporter. The tests do not need traces, and the real package with
// gRPC takes a large part of FerretDB's build time.
package otlptracehttp

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/sdk/trace"
)

type (
	Option      struct{}
	Compression int
	Exporter    struct{}
)

const NoCompression Compression = 0

func WithEndpointURL(string) Option           { return Option{} }
func WithHeaders(map[string]string) Option    { return Option{} }
func WithTimeout(time.Duration) Option        { return Option{} }
func WithCompression(Compression) Option      { return Option{} }
func NewUnstarted(...Option) *Exporter        { return &Exporter{} }
func (*Exporter) Start(context.Context) error { return nil }

func (*Exporter) ExportSpans(context.Context, []trace.ReadOnlySpan) error { return nil }
func (*Exporter) Shutdown(context.Context) error                          { return nil }
