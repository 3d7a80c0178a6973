import { setServerTime } from './clock.ts';
import { getMain, reloadMain } from './page.ts';

const retryMs = 2_000;

let source: EventSource | undefined;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

/** Takes the session for this browser, where the page asks for it. A page that only a GET has seen is nobody's. */
export async function claimSession(): Promise<void> {
  while ('claims' in getMain().dataset) {
    try {
      await reloadMain({ method: 'POST', body: new URLSearchParams({ do: 'claim' }) });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** Follows the state and shows every change, also after the connection or the device was asleep. */
export function followState(): void {
  openEventSource();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') openEventSource();
  });
  window.addEventListener('online', openEventSource);
}

/** Opens the events anew. The first of them tells the present state, so nothing is missed in between. */
function openEventSource(): void {
  clearTimeout(retryTimer);
  source?.close();
  const address = getMain().dataset.live;
  if (address === undefined) return;
  const eventSource = new EventSource(address);
  source = eventSource;
  eventSource.onmessage = ({ data }) => {
    const { state, now } = JSON.parse(data) as { state: string; now: number };
    setServerTime(now);
    if (state !== getMain().dataset.state) reloadMain().catch(() => scheduleReconnect());
  };
  eventSource.onerror = () => {
    // The browser connects again by itself, unless the server refused.
    if (eventSource.readyState === EventSource.CLOSED) scheduleReconnect();
  };
}

function scheduleReconnect(): void {
  clearTimeout(retryTimer);
  retryTimer = setTimeout(openEventSource, retryMs);
}
