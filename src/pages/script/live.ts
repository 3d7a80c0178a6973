import { setServerTime } from './clock.ts';
import { getMain, reloadMain } from './page.ts';

const retryMs = 2_000;

let source: EventSource | undefined;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Claims the session for this browser if the page requests it. A GET alone, such as a prefetch, never claims
 * a session.
 */
export async function claimSession(): Promise<void> {
  while ('claimsSession' in getMain().dataset) {
    try {
      await reloadMain({ method: 'POST', body: new URLSearchParams({ do: 'claim' }) });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** Reloads the main content after every change of its state, also after an interrupted connection or sleep. */
export function followState(): void {
  openEventSource();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') openEventSource();
  });
  window.addEventListener('online', openEventSource);
}

/** Opens or reopens the event stream. Its first event contains the current state, so no change is missed. */
function openEventSource(): void {
  clearTimeout(retryTimer);
  source?.close();
  const { eventsUrl } = getMain().dataset;
  if (eventsUrl === undefined) return;
  const eventSource = new EventSource(eventsUrl);
  source = eventSource;
  eventSource.onmessage = ({ data }) => {
    showConnection(true);
    const { state, now } = JSON.parse(data) as { state: string; now: number };
    setServerTime(now);
    if (state !== getMain().dataset.state) reloadMain().catch(() => scheduleReconnect());
  };
  eventSource.onerror = () => {
    showConnection(false);
    // The browser reconnects automatically unless the server rejected the connection.
    if (eventSource.readyState === EventSource.CLOSED) scheduleReconnect();
  };
}

/** Shows a notice while the page cannot receive updates. */
function showConnection(isOpen: boolean): void {
  const notice = document.querySelector<HTMLElement>('[data-offline]');
  if (notice) notice.hidden = isOpen;
}

function scheduleReconnect(): void {
  clearTimeout(retryTimer);
  retryTimer = setTimeout(openEventSource, retryMs);
}
