/**
 * The service with a clock that jumps, for tests: as `src/main.ts`, and each line of its input says by how many
 * milliseconds its clock is off from then on.
 */
import { createInterface } from 'node:readline';
import { readConfig } from '../../src/kit/config.ts';
import { startService } from '../../src/start-service.ts';

let offMs = 0;
const clock = { now: () => new Date(Date.now() + offMs) };
const { signal } = new AbortController();
const onProgress = (line: string) => console.log(`· ${line}`);
const running = await startService(readConfig(process.env), { onProgress, signal, clock });
createInterface(process.stdin).on('line', (line) => {
  offMs = Number(line);
  onProgress(`The clock is off by ${offMs} ms`);
});
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)));
console.log(`Causeway is ready after ${performance.now() / 1_000} s: ${running.address ?? 'a worker'}`);
