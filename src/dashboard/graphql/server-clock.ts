/** How far the server's clock is ahead of this machine's, which may be set wrong. */
let clockOffsetMs = 0;

/** `fetch` that takes the time from the answers. */
export const fetchAndSyncClock: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  syncServerClock(response.headers.get('date'));
  return response;
};

/** The header `Date` of an answer that has just come. */
export function syncServerClock(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (!Number.isNaN(time)) clockOffsetMs = time - Date.now();
}

/** The time by the server's clock, to a second or so. */
export function serverNow(): Date {
  return new Date(Date.now() + clockOffsetMs);
}
