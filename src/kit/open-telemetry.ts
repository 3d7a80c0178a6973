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

/** What a stop waits for a collector that does not answer. */
const stopTimeoutMs = 3_000;

const spanKinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * A tracer that sends spans to an OpenTelemetry collector, by OTLP over HTTP in JSON, in batches. What the collector does
 * not take is told to `onFault` and dropped: nothing waits for it. Headers, time limit and compression are read from the
 * environment by the exporter (OTEL_EXPORTER_OTLP_*). Imported only where tracing is on.
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
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.sampledShare) }),
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
        // The name alone: a message may quote what somebody entered.
        const message = error instanceof Error ? error.name : String(error);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
    },
  };
}

/** The context that a W3C `traceparent` names, in any version; that of a new trace where it is none. */
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
