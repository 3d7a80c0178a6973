/** How far the server's clock is ahead of this machine's, which may be set wrong. */
let aheadMs = 0;

/** `fetch` that takes the time from the answers. */
export const fetchHearingTime: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  hearTime(response.headers.get('date'));
  return response;
};

/** The header `Date` of an answer that has just come. */
export function hearTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (!Number.isNaN(time)) aheadMs = time - Date.now();
}

/** The time by the server's clock, to a second or so. */
export function serverNow(): Date {
  return new Date(Date.now() + aheadMs);
}
