/** Attributes of a span. They must not contain secrets or customer data. */
type SpanAttributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  /** `server`: an incoming request; `client`: an outgoing request or a database statement. */
  kind?: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
  /**
   * The incoming W3C `traceparent`. An invalid value, such as `none`, starts a new trace. By default, the active span
   * is the parent.
   */
  parent?: string;
};

export type TraceSpan = {
  /** The W3C `traceparent` to propagate to called services. */
  traceparent: string;
  setAttributes(attributes: SpanAttributes): void;
  /** Runs `work` with this span active: spans started there become its children. */
  run<T>(work: () => T): T;
  /** Ends the span. With an error, marks it as failed. */
  end(error?: unknown): void;
};

/** Records spans. If tracing is off, there is no tracer. */
export type Tracer = {
  startSpan(name: string, options?: SpanOptions): TraceSpan;
  /** Returns whether the caller runs inside a span. */
  hasActiveSpan(): boolean;
  /** Flushes pending spans and shuts down. */
  stop(): Promise<void>;
};

/** Runs `work` in a new span or, without a tracer, in none. */
export async function withSpan<T>(
  tracer: Tracer | undefined,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer) return work();
  const span = tracer.startSpan(name, options);
  try {
    const value = await span.run(work);
    span.end();
    return value;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
