import { writeFileSync } from 'node:fs';

/** Says to `check.mjs`, in the file that COUNTS names, how many tests passed, failed and were skipped. */
export default class CountTests {
  onTestRunEnd(modules) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        // One that never ended, because its process did, has not passed.
        counts[state === 'pending' ? 'failed' : state]++;
      }
    writeFileSync(process.env.COUNTS, JSON.stringify(counts));
  }
}
