import type { Client as SocketClient, SubscribePayload } from 'graphql-ws';

/** What tells whether live updates arrive. */
export type LiveConnectionState = 'open' | 'lost';

type StreamValue = {
  data?: Record<string, unknown> | null;
  errors?: readonly { extensions?: { code?: unknown } | undefined }[] | undefined;
};

/** What a stream is given to, as by the socket's client. */
export type StreamSink = {
  next: (value: StreamValue) => void;
  error: (error: unknown) => void;
  complete: () => void;
};

const retryMsMax = 10_000;
/** A stream that is not refused for so long goes on, also where it has nothing to tell. */
const establishedAfterMs = 5_000;

/** How long until the next attempt: longer each time, and not the same for all who were cut off together. */
export function getRetryDelayMs(retries: number): number {
  return Math.min(500 * 2 ** retries, retryMsMax) * (0.75 + Math.random() / 2);
}

/** Tells of live updates as a whole: they are lost while the connection is, or any of the streams. */
export function createLiveState(onConnection: (connection: LiveConnectionState) => void) {
  const lost = new Set<unknown>();
  return {
    markLost: (source: unknown) => {
      lost.add(source);
      onConnection('lost');
    },
    markRestored: (source: unknown) => {
      if (lost.delete(source) && lost.size === 0) onConnection('open');
    },
  };
}

type StreamOptions = {
  live: ReturnType<typeof createLiveState>;
  /** Whether the socket was closed for good, so that no attempt would help. */
  isFinal: (error: unknown) => boolean;
  /** Called when a stream that went on ends because the viewer may do something else than before. */
  onRightsChanged: () => void;
};

/**
 * A subscription that begins anew when it fails: the socket's client does so when the connection breaks, but not when the
 * server ends one stream. What was missed is not lost, since a stream first tells how things are. Answers what ends it.
 */
export function resilientSubscription(
  socket: Pick<SocketClient, 'subscribe'>,
  request: SubscribePayload,
  sink: StreamSink,
  { live, isFinal, onRightsChanged }: StreamOptions,
): () => void {
  let retries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = () => {};
  let isEstablished = false;
  const markEstablished = () => {
    clearTimeout(timer);
    retries = 0;
    isEstablished = true;
    live.markRestored(sink);
  };
  const restart = (errors?: StreamValue['errors']) => {
    stop();
    clearTimeout(timer);
    if (isEstablished && isPermissionDenied(errors)) return onRightsChanged();
    isEstablished = false;
    live.markLost(sink);
    timer = setTimeout(start, getRetryDelayMs(retries++));
  };
  const start = () => {
    let isStopped = false;
    let lastValue: StreamValue | undefined;
    timer = setTimeout(markEstablished, establishedAfterMs);
    const unsubscribe = socket.subscribe<StreamValue['data']>(request, {
      next: (value) => {
        if (isStopped) return;
        if (value.errors) return restart(value.errors);
        lastValue = value as StreamValue;
        markEstablished();
        sink.next(lastValue);
      },
      error: (error) => {
        if (isStopped) return;
        if (isFinal(error)) sink.error(error);
        else restart(Array.isArray(error) ? error : []);
      },
      complete: () => {
        if (isStopped) return;
        // Of what is not there nothing is told; no other stream ends by itself.
        if (lastValue && isEmpty(lastValue)) sink.complete();
        else restart();
      },
    });
    stop = () => {
      isStopped = true;
      unsubscribe();
    };
  };
  start();
  return () => {
    stop();
    clearTimeout(timer);
    live.markRestored(sink);
  };
}

function isPermissionDenied(errors: StreamValue['errors'] = []): boolean {
  return errors.some(({ extensions }) => extensions?.code === 'permission_denied');
}

function isEmpty({ data }: StreamValue): boolean {
  return Object.values(data ?? {}).every((value) => value === null);
}
