import { checkDurability } from '../domain/operations/check/check-durability.ts';
import { checkInvariants, type Violation } from '../domain/operations/check/check-invariants.ts';
import { checkReplicas } from '../domain/operations/check/check-replicas.ts';
import { invariants } from '../domain/operations/check/invariants.ts';
import { secondMs } from '../kit/duration.ts';
import type { ServiceCommand } from './command.ts';

export const checkCommand: ServiceCommand = {
  async run(service) {
    const violations = [
      ...(await checkDurability(service)),
      ...(await checkReplicas(service)),
      ...(await checkInvariants(service)),
    ];
    const ok = violations.length === 0;
    const replicas = service.replicas?.getStates();
    const lags = (replicas ?? []).map(({ host, lagMs }) => `Standby ${host}: lag ${formatLag(lagMs)}`);
    const result = ok ? [`All ${invariants.length + 2} checks passed`] : violations.map(describe);
    return {
      json: { ok, violations, ...(replicas && { replicas }) },
      text: [...result, ...lags].join('\n'),
      failed: !ok,
    };
  },
};

function formatLag(lagMs: number | undefined): string {
  return lagMs === undefined ? 'unknown' : `at most ${(lagMs / secondMs).toFixed(1)} s`;
}

function describe({ promise, count, examples }: Violation): string {
  return `FAILED: ${promise}: ${count} found, for example ${examples.join(', ')}`;
}
