/** What each benchmark exports as `benchmark`: prints its figures; `options` are the words after its name. */
export type Benchmark = (options: string[]) => Promise<void>;

/** The whole number after `--name`, else the default. */
export function readCount(options: string[], name: string, otherwise: number): number {
  const at = options.indexOf(`--${name}`);
  if (at === -1) return otherwise;
  const value = Number(options[at + 1]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above 0`);
  return value;
}

/** The word after `--name`; undefined where it is not given. */
export function readWord(options: string[], name: string): string | undefined {
  const at = options.indexOf(`--${name}`);
  return at === -1 ? undefined : options[at + 1];
}
