/** Many changes in a moment lead to one more reading, not many. */
const restMs = 300;

type Source<Data> = {
  subscribe: (onResult: (result: { data?: Data | undefined }) => void) => { unsubscribe: () => void };
};

/**
 * Calls `onChange` soon after what `concerns` one has changed: at once, and then once for all that changes within the
 * rest. Answers what ends it.
 */
export function followChanges<Data>(
  changes: Source<Data>,
  { concerns, onChange }: { concerns: (data: Data) => boolean; onChange: () => void },
): () => void {
  let restsUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const call = () => {
    timer = undefined;
    restsUntil = performance.now() + restMs;
    onChange();
  };
  const { unsubscribe } = changes.subscribe(({ data }) => {
    // Each is looked at: the one that concerns us may be followed by others at once.
    if (data === undefined || data === null || !concerns(data)) return;
    timer ??= setTimeout(call, Math.max(0, restsUntil - performance.now()));
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}
