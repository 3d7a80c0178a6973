/** What a span tells beside its name and times. Never a secret, nor data of a customer. */
type SpanAttributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  /** `server`: a request that came in; `client`: one that goes out, to the database too. */
  kind?: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
  /** A W3C `traceparent` that came in, or `none`. Left out: the span around it. What is no traceparent counts as none. */
  parent?: string;
};

/** A part of what is done for somebody, with its beginning and end. */
export type TraceSpan = {
  /** For whoever is called next: W3C `traceparent`. */
  traceparent: string;
  setAttributes(attributes: SpanAttributes): void;
  /** Runs work as part of the span: spans begun there are beneath it. */
  run<T>(work: () => T): T;
  /** The span has failed where there is an error. */
  end(error?: unknown): void;
};

/** Tells of what the process does as spans. There is none unless the operator asks for it. */
export type Tracer = {
  startSpan(name: string, options?: SpanOptions): TraceSpan;
  /** Whether the caller runs inside of a span. */
  hasActiveSpan(): boolean;
  /** Sends what it has, and ends. */
  stop(): Promise<void>;
};

/** Runs work as a span of its own; without a tracer, the work alone. */
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
