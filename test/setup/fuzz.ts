import fc from 'fast-check';
import { expect } from 'vitest';
import { count, isLong } from './counts.ts';
import { heapBytes } from './heap-bytes.ts';

/** No hostile case may take more of the processor; looked at in the long run, where nothing else has to be quick. */
const caseMsMax = 2_000;
/** What may stay in memory after all cases: caches fill, and no more. */
const growthBytesMax = 48 * 1024 * 1024;
/** Cases are made so many at a time. */
const batch = 500;

/**
 * Tries hostile cases, always the same ones: `short` of them, or in the long run 100,000 (or FUZZ_CASES), when time and
 * memory are looked at too. A case that throws fails the test, with the case and its number.
 */
export async function fuzz<T>(
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => unknown,
  { parallel = 1, short = 1_000 }: { parallel?: number; short?: number } = {},
): Promise<void> {
  const runs = count(short, longCases);
  const [begun, started] = [performance.now(), cpuMs()];
  const heaps: number[] = [];
  const slowest = { ms: 0, number: 0 };
  for (let at = 0; at < runs; at += batch) {
    const values = fc.sample(arbitrary, { numRuns: Math.min(batch, runs - at), seed: 42 + at });
    const turns = values.entries();
    const work = async () => {
      for (const [i, value] of turns) {
        const since = cpuMs();
        await tryOne(value, at + i, check);
        const ms = cpuMs() - since;
        if (ms > slowest.ms) Object.assign(slowest, { ms, number: at + i });
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    if (isLong && at % Math.floor(runs / 10) < batch) heaps.push(heapBytes());
  }
  if (!isLong) return;
  const [seconds, cpuSeconds] = [performance.now() - begun, cpuMs() - started].map((ms) =>
    (ms / 1_000).toFixed(0),
  );
  // The first looks are those of a process that has not loaded everything.
  const growth = heapBytes() - (heaps[Math.min(2, heaps.length - 1)] ?? 0);
  console.log(
    `${expect.getState().currentTestName}: ${runs} cases in ${seconds} s (${cpuSeconds} s of this process), the slowest ${slowest.ms.toFixed(0)} ms ` +
      `(case ${slowest.number}), heap ${(growth / 1_048_576).toFixed(1)} MiB more`,
  );
  expect(slowest.ms / parallel).toBeLessThan(caseMsMax);
  expect(growth).toBeLessThan(growthBytesMax);
}

const longCases = Number(process.env.FUZZ_CASES ?? 100_000);

async function tryOne<T>(value: T, number: number, check: (value: T) => unknown): Promise<void> {
  try {
    await check(value);
  } catch (error) {
    throw new Error(`case ${number}: ${fc.stringify(value).slice(0, 3_000)}`, { cause: error });
  }
}

/** What the process has worked so far: however busy the machine is, a case is not slow for that. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** One thing done to bytes: at a place between 0 and 1. */
type Edit = { at: number; length: number; how: 'flip' | 'cut' | 'put' | 'double' | 'end'; bytes: Buffer };

/** Bytes of the samples with some of them changed, lost, doubled, or with `payloads` put among them. */
export function mutated(samples: readonly Buffer[], payloads: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const noise = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes));
  const edit: fc.Arbitrary<Edit> = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.oneof(fc.nat(8), fc.nat(200)),
    how: fc.constantFrom('flip', 'flip', 'cut', 'put', 'put', 'double', 'end'),
    bytes: fc.oneof(fc.constantFrom(...payloads), noise),
  });
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([sample, edits]) => edits.reduce(apply, sample));
}

function apply(bytes: Buffer, { at, length, how, bytes: more }: Edit): Buffer {
  const place = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (how) {
    case 'flip': {
      const copy = Buffer.from(bytes);
      if (place < copy.length) copy[place] = copy[place]! ^ (1 << (length % 8));
      return copy;
    }
    case 'cut':
      return Buffer.concat([before, after.subarray(length)]);
    case 'put':
      return Buffer.concat([before, more, after]);
    case 'double':
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 'end':
      return before;
  }
}
