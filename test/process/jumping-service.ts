/** Starts the service with a clock that jumps: each line of the input sets its offset in milliseconds. */
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
