import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from './config.ts';
import type { SpanOptions, Tracer, TraceSpan } from './tracer.ts';
import { timedOut, withTimeout } from './with-timeout.ts';

/** How long to wait for the collector when the process stops. */
const stopTimeoutMs = 3_000;

const spanKinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * Creates a tracer that sends spans in batches to an OpenTelemetry collector (OTLP over HTTP, JSON). Spans
 * that the collector does not accept are reported to `onError` and dropped, and no request waits for the
 * export. The exporter reads headers, timeout and compression from OTEL_EXPORTER_OTLP_* variables. This
 * module is imported only if tracing is on.
 */
export function createOpenTelemetryTracer(
  config: NonNullable<Config['tracing']>,
  onError: (message: string) => void,
): Tracer {
  const ignore = () => {};
  diag.setLogger(
    { error: onError, warn: onError, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': config.serviceName })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.sampledFraction) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: config.url }) })],
  });
  const tracer = provider.getTracer('causeway');
  const contextStorage = new AsyncLocalStorage<Context>();
  return {
    startSpan(name, { kind = 'internal', attributes = {}, parent }: SpanOptions = {}) {
      const parentContext =
        parent === undefined ? (contextStorage.getStore() ?? ROOT_CONTEXT) : parseTraceparent(parent);
      const span = tracer.startSpan(name, { kind: spanKinds[kind], attributes }, parentContext);
      return toSpan(span, contextStorage, trace.setSpan(parentContext, span));
    },
    hasActiveSpan: () => contextStorage.getStore() !== undefined,
    async stop() {
      const shutdown = provider.shutdown().catch((error: Error) => onError(error.message));
      if ((await withTimeout(stopTimeoutMs, shutdown)) === timedOut)
        onError(`the collector did not accept the last spans within ${stopTimeoutMs / 1000} s`);
    },
  };
}

function toSpan(span: OtelSpan, contextStorage: AsyncLocalStorage<Context>, context: Context): TraceSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    setAttributes: (attributes) => void span.setAttributes(attributes),
    run: (work) => contextStorage.run(context, work),
    end(error) {
      if (error !== undefined) {
        // Records only the name of the error, because its message may quote user input.
        const message = error instanceof Error ? error.name : String(error);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
    },
  };
}

/**
 * Parses a W3C `traceparent` of any version. Returns the root context, which starts a new trace, if the text is
 * invalid.
 */
function parseTraceparent(traceparent: string): Context {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(traceparent) ?? [];
  const isInvalid = version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId);
  if (isInvalid) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
  });
}
