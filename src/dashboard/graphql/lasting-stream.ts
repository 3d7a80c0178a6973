import type { Client as SocketClient, SubscribePayload } from 'graphql-ws';

/** What tells whether live updates arrive. */
export type Connection = 'open' | 'lost';

type Value = {
  data?: Record<string, unknown> | null;
  errors?: readonly { extensions?: { code?: unknown } | undefined }[] | undefined;
};

/** What a stream is given to, as by the socket's client. */
export type Sink = {
  next: (value: Value) => void;
  error: (error: unknown) => void;
  complete: () => void;
};

const retryMsMax = 10_000;
/** A stream that is not refused for so long goes on, also where it has nothing to tell. */
const settleMs = 5_000;

/** How long until the next attempt: longer each time, and not the same for all who were cut off together. */
export function retryMs(retries: number): number {
  return Math.min(500 * 2 ** retries, retryMsMax) * (0.75 + Math.random() / 2);
}

/** Tells of live updates as a whole: they are lost while the connection is, or any of the streams. */
export function liveState(onConnection: (connection: Connection) => void) {
  const lost = new Set<unknown>();
  return {
    lose: (what: unknown) => {
      lost.add(what);
      onConnection('lost');
    },
    regain: (what: unknown) => {
      if (lost.delete(what) && lost.size === 0) onConnection('open');
    },
  };
}

type Around = {
  live: ReturnType<typeof liveState>;
  /** Whether the socket was closed for good, so that no attempt would help. */
  isFinal: (error: unknown) => boolean;
  /** Called when a stream that went on ends because the viewer may do something else than before. */
  onRightsChanged: () => void;
};

/**
 * A subscription that begins anew when it fails: the socket's client does so when the connection breaks, but not when the
 * server ends one stream. What was missed is not lost, since a stream first tells how things are. Answers what ends it.
 */
export function lastingStream(
  socket: Pick<SocketClient, 'subscribe'>,
  request: SubscribePayload,
  sink: Sink,
  { live, isFinal, onRightsChanged }: Around,
): () => void {
  let retries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = () => {};
  let goesOn = false;
  const settle = () => {
    clearTimeout(timer);
    retries = 0;
    goesOn = true;
    live.regain(sink);
  };
  const again = (errors?: Value['errors']) => {
    end();
    clearTimeout(timer);
    if (goesOn && isDenied(errors)) return onRightsChanged();
    goesOn = false;
    live.lose(sink);
    timer = setTimeout(begin, retryMs(retries++));
  };
  const begin = () => {
    let isOver = false;
    let last: Value | undefined;
    timer = setTimeout(settle, settleMs);
    const leave = socket.subscribe<Value['data']>(request, {
      next: (value) => {
        if (isOver) return;
        if (value.errors) return again(value.errors);
        last = value as Value;
        settle();
        sink.next(last);
      },
      error: (error) => {
        if (isOver) return;
        if (isFinal(error)) sink.error(error);
        else again(Array.isArray(error) ? error : []);
      },
      complete: () => {
        if (isOver) return;
        // Of what is not there nothing is told; no other stream ends by itself.
        if (last && isNothing(last)) sink.complete();
        else again();
      },
    });
    end = () => {
      isOver = true;
      leave();
    };
  };
  begin();
  return () => {
    end();
    clearTimeout(timer);
    live.regain(sink);
  };
}

function isDenied(errors: Value['errors'] = []): boolean {
  return errors.some(({ extensions }) => extensions?.code === 'permission_denied');
}

function isNothing({ data }: Value): boolean {
  return Object.values(data ?? {}).every((value) => value === null);
}
