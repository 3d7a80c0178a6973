import type { Mode } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';

/** Returns the URL of a checkout link. Sandbox URLs contain `isSandbox=true`. */
export function getCheckoutLinkUrl(service: Service, link: { id: string; mode: Mode }): string {
  return buildCheckoutUrl(service, { link: link.id }, link.mode);
}

export function getSessionUrl(
  service: Pick<Service, 'settings'>,
  session: { id: string; mode: Mode },
): string {
  return buildCheckoutUrl(service, { sessionId: session.id }, session.mode);
}

function buildCheckoutUrl(
  service: Pick<Service, 'settings'>,
  query: Record<string, string>,
  mode: Mode,
): string {
  const params = new URLSearchParams({ ...query, ...(mode === 'sandbox' && { isSandbox: 'true' }) });
  return `${service.settings.publicUrl}/checkout?${params}`;
}
