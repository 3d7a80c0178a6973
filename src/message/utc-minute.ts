/** A moment for a mail about an account: `2026-11-20 09:30`, the same in all languages. The label beside it says UTC. */
export function utcMinute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}
