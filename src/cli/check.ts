import { checkDurability } from '../domain/operations/check/check-durability.ts';
import { checkInvariants, type Violation } from '../domain/operations/check/check-invariants.ts';
import { invariants } from '../domain/operations/check/invariants.ts';
import type { ServiceCommand } from './command.ts';

export const checkCommand: ServiceCommand = {
  async run(service) {
    const violations = [...(await checkDurability(service)), ...(await checkInvariants(service))];
    const ok = violations.length === 0;
    return {
      json: { ok, violations },
      text: ok ? `All ${invariants.length + 1} checks passed` : violations.map(describe).join('\n'),
      failed: !ok,
    };
  },
};

function describe({ promise, count, examples }: Violation): string {
  return `FAILED: ${promise}: ${count} found, for example ${examples.join(', ')}`;
}
