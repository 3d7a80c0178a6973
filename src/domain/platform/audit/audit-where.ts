import type { Prisma } from '../../../../prisma/client/client.ts';
import { invalidInput } from '../../../kit/errors.ts';
import { lowestIdAt } from '../../../kit/id.ts';
import { type AuditAction, auditActions } from './record-audit.ts';

export type AuditFilter = {
  actions?: readonly string[] | null | undefined;
  actor?: string | null | undefined;
  objectId?: string | null | undefined;
  createdFrom?: Date | null | undefined;
  createdTo?: Date | null | undefined;
};

/** Converts a filter to a query. Times become bounds on IDs, which begin with their time. Error: 400. */
export function auditWhere(filter: AuditFilter | null | undefined): Prisma.AuditEntryWhereInput {
  const { actions, actor, objectId, createdFrom, createdTo } = filter ?? {};
  return {
    ...(actions?.length && { action: { in: actions.flatMap(parseActions) } }),
    ...(actor && { actor }),
    ...(objectId && { objectId }),
    ...((createdFrom || createdTo) && {
      id: {
        ...(createdFrom && { gte: lowestIdAt('audit', createdFrom) }),
        ...(createdTo && { lt: lowestIdAt('audit', createdTo) }),
      },
    }),
  };
}

/** Accepts one action, or all actions of a noun with `.*` at the end. */
function parseActions(text: string, i: number): AuditAction[] {
  const isGroup = text.endsWith('.*');
  const matches = auditActions.filter((action) =>
    isGroup ? action.startsWith(text.slice(0, -1)) : action === text,
  );
  if (matches.length === 0) throw invalidInput(`/filter/actions/${i}`, `is not a known action: ${text}`);
  return matches;
}
