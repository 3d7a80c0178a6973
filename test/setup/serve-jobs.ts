import type { Agenda } from 'agenda';
import { openDashboardAgenda, registerJobDashboard } from '../../src/jobs/job-dashboard.ts';
import { createOperatorGuard } from '../../src/jobs/operator-guard.ts';
import type { TestApp } from './app.ts';
import { atEnd } from './at-end.ts';
import { fail } from './fail.ts';

/** The job dashboard of an application that does not listen yet, as a start adds it; answers where its jobs are. */
export async function serveJobs({ app, context, connectionString }: TestApp): Promise<Agenda> {
  const { agenda, stop } = await openDashboardAgenda({ connectionString, processName: 'test' }, fail);
  atEnd(stop);
  await registerJobDashboard(app, { agenda, ...createOperatorGuard(context) });
  return agenda;
}
