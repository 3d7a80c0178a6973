import type { Mode } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';

/** Sandbox URLs carry `isSandbox=true`. */
export function checkoutLinkUrl(service: Service, link: { id: string; mode: Mode }): string {
  return checkoutUrl(service, { link: link.id }, link.mode);
}

export function sessionUrl(service: Service, session: { id: string; mode: Mode }): string {
  return checkoutUrl(service, { sessionId: session.id }, session.mode);
}

function checkoutUrl(service: Service, query: Record<string, string>, mode: Mode): string {
  const params = new URLSearchParams({ ...query, ...(mode === 'sandbox' && { isSandbox: 'true' }) });
  return `${service.settings.publicUrl}/checkout?${params}`;
}
