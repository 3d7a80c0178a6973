import { renderSVG } from 'uqr';
import { qrOptions } from './qr-png.ts';

/** Returns a QR code as an SVG image, for pages of other sites, which scale it. */
export function renderQrSvg(text: string): string {
  return renderSVG(text, qrOptions);
}
