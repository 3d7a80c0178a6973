/** Server time minus the time of this device, whose clock may be wrong. */
let clockOffsetMs = 0;

/** A `fetch` that updates the server time from each response. */
export const fetchAndSyncClock: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  syncServerClock(response.headers.get('date'));
  return response;
};

export function syncServerClock(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (!Number.isNaN(time)) clockOffsetMs = time - Date.now();
}

/** Returns the server's time with an accuracy of about a second. */
export function serverNow(): Date {
  return new Date(Date.now() + clockOffsetMs);
}
