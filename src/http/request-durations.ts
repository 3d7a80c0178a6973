/** Upper bounds of the buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Series = { labels: string; counts: number[]; sum: number };

export type RequestDurations = {
  observe(request: { route: string; method: string; status: number }, seconds: number): void;
  /** In Prometheus' text format. */
  text(): string;
};

/**
 * A histogram of the durations of requests for each route, method and status. By hand: the library's looks up and checks
 * all labels of each value, which takes longer than what a request is asked besides.
 */
export function requestDurations(name: string, help: string): RequestDurations {
  const known = new Map<string, Series>();
  return {
    observe({ route, method, status }, seconds) {
      const key = `${method} ${status} ${route}`;
      let series = known.get(key);
      if (!series) {
        const labels = `route="${escapeLabel(route)}",method="${escapeLabel(method)}",status="${status}"`;
        series = { labels, counts: new Array(bounds.length + 1).fill(0), sum: 0 };
        known.set(key, series);
      }
      const at = bounds.findIndex((bound) => seconds <= bound);
      series.counts[at === -1 ? bounds.length : at]! += 1;
      series.sum += seconds;
    },
    text() {
      const lines = [...known.values()].flatMap((series) => seriesLines(name, series));
      return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
    },
  };
}

/** Each bucket counts what the smaller ones do. */
function seriesLines(name: string, { labels, counts, sum }: Series): string[] {
  let total = 0;
  const buckets = counts.map((count, i) => {
    total += count;
    return `${name}_bucket{le="${bounds[i] ?? '+Inf'}",${labels}} ${total}`;
  });
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`];
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
