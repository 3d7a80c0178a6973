/** An endpoint that takes longer than this is slow, */
const slowMs = 1_000;
/** and is taken to be so for a while. */
const slowForMs = 30_000;

/** Which lanes have an endpoint that takes long: of late, or at present. */
export function createSlowness() {
  const lanes = new Map<string, { begun: number[]; slowUntil: number }>();
  return {
    /** A post begins. Returns what ends it. */
    begin(name: string): () => void {
      const lane = lanes.get(name) ?? { begun: [], slowUntil: 0 };
      lanes.set(name, lane);
      const start = performance.now();
      lane.begun.push(start);
      return () => {
        lane.begun.splice(lane.begun.indexOf(start), 1);
        const end = performance.now();
        if (end - start > slowMs) lane.slowUntil = end + slowForMs;
        else if (lane.begun.length === 0 && lane.slowUntil <= end) lanes.delete(name);
      };
    },
    /** Forgets those that were slow long ago. */
    find(): Set<string> {
      const now = performance.now();
      const slow = new Set<string>();
      for (const [name, { begun, slowUntil }] of lanes) {
        if (slowUntil > now || begun.some((start) => now - start > slowMs)) slow.add(name);
        else if (begun.length === 0) lanes.delete(name);
      }
      return slow;
    },
  };
}
