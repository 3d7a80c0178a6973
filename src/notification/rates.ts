const windowMs = 1_000;

/** When the deliveries of the last second began, in lanes with a limited rate. Real time: it paces real requests. */
export function createRates() {
  const starts = new Map<string, { limit: number; times: number[] }>();
  const forgetOld = (): void => {
    const since = performance.now() - windowMs;
    for (const [lane, { limit, times }] of starts) {
      const recent = times.filter((time) => time > since);
      if (recent.length === 0) starts.delete(lane);
      else starts.set(lane, { limit, times: recent });
    }
  };
  return {
    note(lane: string, limit: number): void {
      const times = starts.get(lane)?.times ?? [];
      starts.set(lane, { limit, times: [...times, performance.now()] });
    },
    begun(): Map<string, number> {
      forgetOld();
      return new Map([...starts].map(([lane, { times }]) => [lane, times.length]));
    },
    /** In how many milliseconds a lane may begin again that has begun all its rate allows; null when there is none. */
    freesInMs(): number | null {
      forgetOld();
      const full = [...starts.values()].filter(({ limit, times }) => times.length >= limit);
      if (full.length === 0) return null;
      const first = Math.min(...full.map(({ limit, times }) => times.at(-limit)!));
      return Math.max(1, first + windowMs - performance.now());
    },
  };
}
