/**
 * The type of the function `benchmark` that every benchmark exports. The function prints its results; `options` are the
 * command-line arguments after the name of the benchmark.
 */
export type Benchmark = (options: string[]) => Promise<void>;

/** Returns the integer after `--name`, or the default if there is none. Throws if it is not a positive integer. */
export function readCount(options: string[], name: string, defaultValue: number): number {
  const index = options.indexOf(`--${name}`);
  if (index === -1) return defaultValue;
  const value = Number(options[index + 1]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above 0`);
  return value;
}

/** Returns the argument after `--name`, or undefined if there is none. */
export function readOption(options: string[], name: string): string | undefined {
  const index = options.indexOf(`--${name}`);
  return index === -1 ? undefined : options[index + 1];
}
