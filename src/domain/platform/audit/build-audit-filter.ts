import type { Prisma } from '../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { createdBetween } from '../created-between.ts';
import { type ActorKind, buildActorFilters } from './actor.ts';
import { type AuditAction, auditActions } from './record-audit.ts';

type AuditFilter = {
  actions?: readonly string[] | null | undefined;
  actorKind?: ActorKind | null | undefined;
  actorId?: string | null | undefined;
  objectId?: string | null | undefined;
  startDate?: Date | undefined;
  endDate?: Date | undefined;
};

export function buildAuditFilter(filter: AuditFilter): Prisma.AuditEntryWhereInput {
  const { actions, actorKind, actorId, objectId, startDate, endDate } = filter;
  return {
    ...(actions?.length && { action: { in: actions.flatMap(parseActions) } }),
    AND: [
      ...buildActorFilters({ kind: actorKind, id: actorId }),
      createdBetween('audit', { startDate, endDate }),
    ],
    ...(objectId && { objectId }),
  };
}

/**
 * Returns the actions that `text` selects: a single action, or all actions of an object type, such as
 * `webhook.*`.
 */
function parseActions(text: string, i: number): AuditAction[] {
  const isWildcard = text.endsWith('.*');
  const matches = auditActions.filter((action) =>
    isWildcard ? action.startsWith(text.slice(0, -1)) : action === text,
  );
  if (matches.length === 0) throw invalidInputError(`/filter/actions/${i}`, `is not a known action: ${text}`);
  return matches;
}
