import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { count, isLongRun } from './counts.ts';

/** The maximum CPU time of a case, checked in the long run only. */
const caseMsMax = 2_000;
/** The maximum growth of the heap over all cases; caches may fill. */
const growthBytesMax = 48 * 1024 * 1024;
const batch = 500;

/**
 * Runs `check` for hostile cases, the same in every run: `short` of them, or 100,000 (FUZZ_CASES) in the long
 * run, which also checks time and memory. A failure reports the case and its number.
 */
export async function fuzz<T>(
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => unknown,
  { parallel = 1, short = 1_000 }: { parallel?: number; short?: number } = {},
): Promise<void> {
  const runs = count(short, longCases);
  const [startedAt, startCpuMs] = [performance.now(), readCpuMs()];
  const heaps: number[] = [];
  const slowest = { ms: 0, number: 0 };
  for (let firstCase = 0; firstCase < runs; firstCase += batch) {
    const values = fc.sample(arbitrary, { numRuns: Math.min(batch, runs - firstCase), seed: 42 + firstCase });
    const queue = values.entries();
    const work = async () => {
      for (const [i, value] of queue) {
        const caseStartMs = readCpuMs();
        await tryOne(value, firstCase + i, check);
        const ms = readCpuMs() - caseStartMs;
        if (ms > slowest.ms) Object.assign(slowest, { ms, number: firstCase + i });
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    if (isLongRun && firstCase % Math.floor(runs / 10) < batch) heaps.push(measureHeapBytes());
  }
  if (!isLongRun) return;
  const [seconds, cpuSeconds] = [performance.now() - startedAt, readCpuMs() - startCpuMs].map((ms) =>
    (ms / 1_000).toFixed(0),
  );
  // The first measurements are of a process that has not loaded everything.
  const before = heaps[Math.min(2, heaps.length - 1)] ?? 0;
  const measureGrowth = () => measureHeapBytes() - before;
  const growth = measureGrowth();
  console.log(
    `${expect.getState().currentTestName}: ${runs} cases in ${seconds} s (${cpuSeconds} s of this process), the slowest ${slowest.ms.toFixed(0)} ms ` +
      `(case ${slowest.number}), heap ${(growth / 1_048_576).toFixed(1)} MiB more`,
  );
  expect(slowest.ms / parallel).toBeLessThan(caseMsMax);
  // The memory of buffers is freed some time after their collection.
  await expect.poll(measureGrowth).toBeLessThan(growthBytesMax);
}

const longCases = Number(process.env.FUZZ_CASES ?? 100_000);

async function tryOne<T>(value: T, number: number, check: (value: T) => unknown): Promise<void> {
  try {
    await check(value);
  } catch (error) {
    throw new Error(`case ${number}: ${fc.stringify(value).slice(0, 3_000)}`, { cause: error });
  }
}

/** Returns the CPU time of the process, which does not depend on the load of the machine. */
function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** `at` is a relative position between 0 and 1. */
type ByteEdit = {
  at: number;
  length: number;
  kind: 'flip' | 'cut' | 'put' | 'double' | 'end';
  bytes: Buffer;
};

/** Generates samples with some bytes changed, removed or duplicated, or with `payloads` inserted. */
export function mutateBytes(samples: readonly Buffer[], payloads: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const noise = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes));
  const edit: fc.Arbitrary<ByteEdit> = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.oneof(fc.nat(8), fc.nat(200)),
    kind: fc.constantFrom('flip', 'flip', 'cut', 'put', 'put', 'double', 'end'),
    bytes: fc.oneof(fc.constantFrom(...payloads), noise),
  });
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([sample, edits]) => edits.reduce(apply, sample));
}

function apply(bytes: Buffer, { at, length, kind, bytes: inserted }: ByteEdit): Buffer {
  const position = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, position), bytes.subarray(position)];
  switch (kind) {
    case 'flip': {
      const copy = Buffer.from(bytes);
      if (position < copy.length) copy[position] = copy[position]! ^ (1 << (length % 8));
      return copy;
    }
    case 'cut':
      return Buffer.concat([before, after.subarray(length)]);
    case 'put':
      return Buffer.concat([before, inserted, after]);
    case 'double':
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 'end':
      return before;
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the used bytes of the heap and of buffers after a garbage collection. */
export function measureHeapBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
