import type { Service } from '../../platform/service.ts';
import type { Violation } from './check-invariants.ts';

/** Checks that every standby of DATABASE_READ_URL catches up with the primary within the allowed lag. */
export async function checkReplicas({ replicas }: Pick<Service, 'replicas'>): Promise<Violation[]> {
  if (!replicas) return [];
  await replicas.findCurrentUrl();
  const examples = replicas
    .getStates()
    .flatMap(({ host, problem }) => (problem === undefined ? [] : [`${host} ${problem}`]));
  if (examples.length === 0) return [];
  return [
    {
      name: 'read_replicas',
      promise: 'Every standby of DATABASE_READ_URL follows the primary',
      count: examples.length,
      examples,
    },
  ];
}
