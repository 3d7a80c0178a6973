/**
 * Formats a time in UTC for account mails, in all languages: `2026-11-20 09:30`. The label next to it says
 * UTC.
 */
export function utcMinute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}
