import type { Mode } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';
import { createClientToken } from './page-tokens.ts';

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

/** Returns the URL of the page of a charge, which is a receipt once the charge is paid. */
export function getChargeUrl(
  service: Pick<Service, 'settings' | 'secrets'>,
  charge: { id: string; mode: Mode },
): string {
  return buildCheckoutUrl(service, { charge: createClientToken(service.secrets, charge) }, charge.mode);
}

function buildCheckoutUrl(
  service: Pick<Service, 'settings'>,
  query: Record<string, string>,
  mode: Mode,
): string {
  const params = new URLSearchParams({ ...query, ...(mode === 'sandbox' && { isSandbox: 'true' }) });
  return `${service.settings.publicUrl}/checkout?${params}`;
}
