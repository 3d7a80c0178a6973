/** A worker process that tests kill: its job never ends. Prints `began` when a run begins. */

import type { JobStoreConfig } from '../../src/jobs/job-store.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { createHub } from '../../src/live/hub.ts';
import { buildWorker } from '../../src/worker.ts';
import { openService } from '../setup/service.ts';

const config = JSON.parse(process.argv[2]!) as JobStoreConfig;
const onError = (error: Error) => console.error(error);

const worker = await buildWorker({
  config,
  service: openService(config.connectionString, { poolSize: 2 }),
  hub: createHub(),
  clock: systemClock,
  onError,
  jobs: [
    {
      name: 'relay-events',
      every: '1 second',
      work: () => {
        console.log('began');
        return new Promise(() => {});
      },
    },
  ],
});
await worker.start();
