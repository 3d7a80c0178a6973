import type { Charge, Mode } from '../../../../prisma/client/client.ts';
import type { Destination } from '../../../method/destination.ts';
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

/**
 * Returns the URLs of the QR code of a charge, which other sites may embed, or undefined if the method has no
 * QR code or the charge has ended.
 */
export function getQrCodeUrls(
  service: Pick<Service, 'settings' | 'secrets'>,
  charge: Pick<Charge, 'id' | 'mode' | 'status' | 'destination'>,
): { qrPngUrl: string; qrSvgUrl: string } | undefined {
  const { qrCode } = charge.destination as Destination;
  if (qrCode === '' || charge.status !== 'pending') return undefined;
  const url = new URL(getChargeUrl(service, charge));
  const toImageUrl = (name: string) => `${url.origin}${url.pathname}/${name}${url.search}`;
  return { qrPngUrl: toImageUrl('qr.png'), qrSvgUrl: toImageUrl('qr.svg') };
}

function buildCheckoutUrl(
  service: Pick<Service, 'settings'>,
  query: Record<string, string>,
  mode: Mode,
): string {
  const params = new URLSearchParams({ ...query, ...(mode === 'sandbox' && { isSandbox: 'true' }) });
  return `${service.settings.publicUrl}/checkout?${params}`;
}
