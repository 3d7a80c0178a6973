import type { FastifyRequest } from 'fastify';
import { audited } from '../domain/audit/audited.ts';
import type { Service } from '../domain/service.ts';
import { operationName } from './operation-name.ts';

/**
 * The service for what this request changes: what its key does stands in the audit trail, under the route's operation.
 */
export function auditedRequest(
  service: Service,
  request: Pick<FastifyRequest, 'caller' | 'method' | 'routeOptions' | 'ip'>,
  now: Date,
): Service {
  const { caller, method, routeOptions, ip } = request;
  const operation = operationName(method, routeOptions.url ?? '');
  if (operation === undefined) return service;
  const { merchant, mode, actor } = caller;
  return audited(service, { actor, address: ip, merchantId: merchant.id, mode, operation, now });
}
