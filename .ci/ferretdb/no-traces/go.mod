module go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp

go 1.24

require go.opentelemetry.io/otel/sdk v1.36.0
