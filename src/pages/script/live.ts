import { setServerTime } from './clock.ts';
import { load, main } from './page.ts';

const retryMs = 2_000;

let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Takes the session for this browser, where the page asks for it. A page that only a GET has seen is nobody's. */
export async function takeSession(): Promise<void> {
  while ('claims' in main().dataset) {
    try {
      await load({ method: 'POST', body: new URLSearchParams({ do: 'claim' }) });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** Follows the state and shows every change, also after the connection or the device was asleep. */
export function follow(): void {
  connect();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') connect();
  });
  window.addEventListener('online', connect);
}

/** Opens the events anew. The first of them tells the present state, so nothing is missed in between. */
function connect(): void {
  clearTimeout(retry);
  source?.close();
  const address = main().dataset.live;
  if (address === undefined) return;
  const opened = new EventSource(address);
  source = opened;
  opened.onmessage = ({ data }) => {
    const { state, now } = JSON.parse(data) as { state: string; now: number };
    setServerTime(now);
    if (state !== main().dataset.state) load().catch(() => reconnectLater());
  };
  opened.onerror = () => {
    // The browser connects again by itself, unless the server refused.
    if (opened.readyState === EventSource.CLOSED) reconnectLater();
  };
}

function reconnectLater(): void {
  clearTimeout(retry);
  retry = setTimeout(connect, retryMs);
}
