/**
 * Formats a time in UTC for emails in all languages, such as `2026-11-20 09:30`. The label next to the time says
 * UTC.
 */
export function formatUtcMinute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}
