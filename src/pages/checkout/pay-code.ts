import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import type { OutstandingPayment } from '../../domain/payments/checkout/get-outstanding-payment.ts';
import { getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import type { MethodCode } from '../../method/catalog.ts';
import { customerApps, getAppLinks } from '../../method/customer-apps.ts';
import { amount, amountText, dateTimeText, fill } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import { methodName } from '../parts/method-name.ts';
import { toCheckoutUrl, toQrUrl } from './checkout-url.ts';
import { getReferenceField, referenceTextKeys } from './pay-details.ts';
import type { CheckoutView } from './view.ts';

/**
 * Renders the QR code as an image, so that a long press saves it. The script replaces the saved file with a
 * picture that also shows the lines of `data-card`.
 */
export function qrFigure(
  { i18n, query }: CheckoutView,
  charge: CheckoutCharge,
  { destination, money }: OutstandingPayment,
): Html | undefined {
  const { pay } = i18n.strings;
  if (destination.qrCode === '') return undefined;
  const method = charge.method as MethodCode;
  const names = { amount: amountText(i18n, money), merchant: getDisplayName(charge.merchant) };
  // Each payment has its own URL, because browsers reuse the image of a URL within a page.
  const path = `${toCheckoutUrl(query, '/qr.png')}&v=${destination.nonce}-${money.minor}`;
  const card = JSON.stringify([
    charge.receivingAccount.demo ? pay.qrDemo : getDisplayName(charge.merchant),
    names.amount,
    methodName(i18n, method, destination.rows),
    `${pay.reference}: ${destination.nonce}`,
    fillText(pay.payBefore, {
      time: dateTimeText(i18n, charge.expiresAt, charge.receivingAccount.timeZone),
    }),
  ]);
  // The code contains a link, which the camera of another phone opens.
  const isForCamera = customerApps[method].cameraApp !== undefined;
  return html`<figure class="qr${isForCamera && ' for-camera'}">
${appLinks(i18n, method, destination.deepLink)}
<img class="qr-code" src="${path}" width="304" height="304" alt="${fillText(pay.qrLabel, names)}">
<figcaption>${charge.receivingAccount.demo ? html`<strong class="demo">${pay.qrDemo}</strong>` : html`<span class="on-computer">${pay.scan}</span>`}</figcaption>
${!isForCamera && pictureButtons(i18n, { path, fileName: `${destination.nonce}.png`, card })}
</figure>`;
}

/**
 * Renders the buttons that save and share the picture. The script shows the share button if the browser can
 * share files.
 */
function pictureButtons(
  { strings: { pay } }: PageI18n,
  { path, fileName, card }: { path: string; fileName: string; card: string },
): Html {
  return html`<a class="button secondary" href="${path}" download="${fileName}" data-card="${card}">${pay.qrSave}</a>
<button type="button" class="button secondary" data-share hidden>${pay.qrShare}</button>`;
}

function appLinks(i18n: PageI18n, method: MethodCode, deepLink: string | undefined): Html[] {
  const { openApp, otherApp } = i18n.strings.pay;
  return getAppLinks(method, deepLink).map(
    ({ name, url }) =>
      html`<a class="button app" href="${url}">${name === undefined ? otherApp : fillText(openApp, { app: name })}</a>`,
  );
}

/** Renders a link to this page as a QR code, for customers at a computer whose app is on their phone. */
export function phoneFigure({ i18n, query }: CheckoutView): Html | undefined {
  const { pay } = i18n.strings;
  const src = toQrUrl(query, '/page-qr.png');
  if (src === undefined) return undefined;
  return html`<figure class="phone"><img src="${src}" width="112" height="112" loading="lazy" alt="${pay.onPhoneLabel}">
<figcaption><strong>${pay.onPhone}</strong> ${pay.onPhoneText}</figcaption></figure>`;
}

/**
 * Explains the payment in steps. Those with a QR code or an app differ between phones and computers; the stylesheet
 * shows one version.
 */
export function paymentSteps(i18n: PageI18n, charge: CheckoutCharge, outstanding: OutstandingPayment): Html {
  const { steps, pay } = i18n.strings;
  const { destination, money } = outstanding;
  const method = charge.method as MethodCode;
  const { menu, apps, cameraApp } = customerApps[method];
  const isPayId = destination.rows.some(({ field: rowField }) => rowField === 'pay_id');
  const field = getReferenceField(i18n, method, destination.rows);
  const lastText =
    field === undefined ? steps.noField : steps[referenceTextKeys[outstanding.referencePlacement]];
  const lastStep = fill(lastText, {
    reference: html`<code>${destination.nonce}</code>`,
    amount: amount(i18n, money),
    field,
  });
  const open = (text: string) => fillText(text, { menu: isPayId ? `${menu} › PayID` : menu });
  const typed = [open(steps.openAndType), steps.copy];
  const onComputer =
    cameraApp === undefined
      ? [open(steps.openAndScan), steps.scan]
      : [fillText(steps.scanWithCamera, { app: cameraApp }), steps.openAppFallback];
  const hasApp = destination.deepLink !== undefined;
  const onPhone = hasApp ? [steps.openApp, steps.openAppFallback] : [steps.saveQr, open(steps.openAndUpload)];
  const first =
    destination.qrCode === '' ? typed.map((text) => html`${text}`) : mergeSteps(onPhone, onComputer);
  return html`<section class="steps"><h3>${pay.instructions}</h3><ol>${[...first, lastStep].map((step) => html`<li>${step}</li>`)}</ol>
${apps !== '' && html`<p class="apps">${fillText(pay.worksWith, { apps })}</p>`}</section>`;
}

function mergeSteps(onPhone: string[], onComputer: string[]): Html[] {
  return onPhone.map(
    (text, i) =>
      html`<span class="on-phone">${text}</span><span class="on-computer">${onComputer[i] ?? ''}</span>`,
  );
}
