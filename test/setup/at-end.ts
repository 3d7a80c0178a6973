/**
 * What is to be done after the last test of the file that runs, the newest first. Vitest's own `afterAll` is passed over
 * in silence where it is called while a hook or a test runs, as set-up functions are.
 */
const endings: (() => unknown)[] = [];

export function atEnd(ending: () => unknown): void {
  endings.push(ending);
}

/** All of it, whatever fails; the first failure is thrown. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (let ending = endings.pop(); ending; ending = endings.pop())
    await Promise.try(ending).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
