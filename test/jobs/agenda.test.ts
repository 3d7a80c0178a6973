import { expect, test, vi } from 'vitest';
import { createAgenda } from '../../src/jobs/agenda.ts';
import type { JobStore } from '../../src/jobs/job-store.ts';

test('what Agenda says of a run that is just being saved is no error; all else is', () => {
  const onError = vi.fn();
  const store = { name: 'PostgreSQL', repository: {} } as JobStore;
  const agenda = createAgenda(store, { processName: 'one', runsJobs: false, onError });
  const why = 'Ensure to call touch() for long running jobs to keep them alive.';
  agenda.emit('error', new Error(`execution of 'sweep' canceled, no lockedAt date found. ${why}`));
  expect(onError).not.toHaveBeenCalled();
  const overdue = new Error("execution of 'sweep' canceled, execution took more than 10000ms.");
  agenda.emit('error', overdue);
  expect(onError).toHaveBeenCalledExactlyOnceWith(overdue);
});
