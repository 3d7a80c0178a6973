import type { Client as SocketClient, SubscribePayload } from 'graphql-ws';

export type LiveConnectionState = 'open' | 'lost';

type StreamValue = {
  data?: Record<string, unknown> | null;
  errors?: readonly { extensions?: { code?: unknown } | undefined }[] | undefined;
};

/** The receiver of a stream, in the interface of the socket client. */
export type StreamSink = {
  next: (value: StreamValue) => void;
  error: (error: unknown) => void;
  complete: () => void;
};

const retryDelayMsMax = 10_000;
/** A stream counts as established after this time without an error, even if it has sent no value. */
const establishedAfterMs = 5_000;

/**
 * Returns the delay before the next attempt: exponential backoff with jitter, so that clients do not
 * reconnect all at once.
 */
export function getRetryDelayMs(retries: number): number {
  return Math.min(500 * 2 ** retries, retryDelayMsMax) * (0.75 + Math.random() / 2);
}

/** Tracks the state of all live updates. They are `lost` while the connection or any stream is lost. */
export function createLiveState(onConnection: (connection: LiveConnectionState) => void) {
  const lostSources = new Set<unknown>();
  return {
    markLost: (source: unknown) => {
      lostSources.add(source);
      onConnection('lost');
    },
    markRestored: (source: unknown) => {
      if (lostSources.delete(source) && lostSources.size === 0) onConnection('open');
    },
  };
}

export type LiveState = ReturnType<typeof createLiveState>;

type StreamOptions = {
  liveState: LiveState;
  /** Returns whether the server closed the socket for a reason that retries do not change. */
  isFinal: (error: unknown) => boolean;
  /** Called when an established stream ends because the viewer's permissions have changed. */
  onPermissionsChanged: () => void;
};

/**
 * Subscribes, and subscribes again after failures. The socket client restarts after a broken connection, but not after
 * the server ends one stream. No change is lost, because each stream starts with the current state. Returns a
 * function that unsubscribes.
 */
export function resilientSubscription(
  socket: Pick<SocketClient, 'subscribe'>,
  request: SubscribePayload,
  sink: StreamSink,
  { liveState, isFinal, onPermissionsChanged }: StreamOptions,
): () => void {
  let retries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = () => {};
  let isEstablished = false;
  const markEstablished = () => {
    clearTimeout(timer);
    retries = 0;
    isEstablished = true;
    liveState.markRestored(sink);
  };
  const restart = (errors?: StreamValue['errors']) => {
    stop();
    clearTimeout(timer);
    if (isEstablished && isPermissionDenied(errors)) return onPermissionsChanged();
    isEstablished = false;
    liveState.markLost(sink);
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
        // The stream of a missing object sends null and completes. Any other completion is an interruption.
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
    liveState.markRestored(sink);
  };
}

function isPermissionDenied(errors: StreamValue['errors'] = []): boolean {
  return errors.some(({ extensions }) => extensions?.code === 'permission_denied');
}

function isEmpty({ data }: StreamValue): boolean {
  return Object.values(data ?? {}).every((value) => value === null);
}
