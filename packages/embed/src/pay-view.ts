import { button, h } from './dom.ts';
import { type Charge, canChoose, type Destination, type Outstanding } from './session.ts';
import { fill, fillText, formatMoney, formatTime } from './texts.ts';
import { merchant, methodIcon, methodName, money, toTextKey, type View } from './view.ts';

const uncopiedFields = new Set(['bank', 'merchant_name']);

/** Phones cannot scan a code on their own screen. The stylesheet of the hosted page has the same query. */
const isPhone = () => matchMedia('(pointer: coarse), (max-width: 40rem)').matches;

const getApps = ({ texts }: View, { method }: Charge) => texts.apps[toTextKey(method)];

export function payView(view: View, charge: Charge, outstanding: Outstanding): HTMLElement[] {
  const { texts, session } = view;
  const { pay } = texts;
  const { customerCurrency: currency } = charge;
  const total = money(view, outstanding.amount, currency);
  const isPartlyPaid = charge.paymentState === 'partial';
  const received = money(view, charge.amountReceived, currency);
  const receivedText =
    getApps(view, charge)?.referenceField === undefined ? pay.receivedNoField : pay.received;
  const requested = money(view, charge.customerAmount, currency);
  const time = formatTime(texts.language, charge.expiresAt);
  return [
    h(
      'h2',
      { tabindex: '-1', part: 'amount' },
      ...fill(pay.title, { amount: total, merchant: merchant(view) }),
    ),
    ...(isPartlyPaid ? [h('p', { part: 'notice' }, ...fill(receivedText, { received, requested }))] : []),
    ...(charge.amountOffset !== null && !isPartlyPaid
      ? [
          h(
            'p',
            { part: 'notice' },
            ...fill(pay.exactAmount, {
              added: money(view, charge.amountOffset, currency),
              amount: requested,
            }),
          ),
        ]
      : []),
    h('p', { part: 'hint' }, fillText(pay.payBefore, { time })),
    h('p', { class: 'method-head' }, methodIcon(view, charge.method), methodName(view, charge.method)),
    // The links work only on devices that have the app.
    ...(isPhone() ? appLinks(view, outstanding) : []),
    ...qrFigure(view, charge, outstanding),
    ...instructions(view, charge, outstanding),
    h(
      'p',
      { part: 'status' },
      h('strong', {}, pay.waiting),
      ' ',
      outstanding.referencePlacement === 'by_merchant' ? pay.waitingByMerchant : pay.waitingText,
    ),
    ...(canChoose(session)
      ? [button(texts.change.link, { part: 'link' }, () => view.showMethods(true))]
      : []),
    ...(isPartlyPaid ? [] : [cancelBox(view)]),
  ];
}

/**
 * Without a QR code, the reference follows the details, because bank apps ask for it last. With one, the steps come
 * first.
 */
function instructions(view: View, charge: Charge, outstanding: Outstanding): HTMLElement[] {
  const { destination, amount } = outstanding;
  const shownAmount = formatMoney(view.texts.language, amount, charge.customerCurrency);
  const details = detailList(view, destination, shownAmount);
  const reference = referenceBox(view, charge, outstanding);
  const list = steps(view, charge, outstanding);
  const ordered = charge.qrPngUrl === null ? [details, reference, list] : [list, reference, details];
  return ordered.filter((element) => element !== undefined);
}

function qrFigure(view: View, charge: Charge, { isDemo, amount }: Outstanding): HTMLElement[] {
  // A code that contains a link is useless on the phone that shows it.
  const hasPicture = !isPhone() || getApps(view, charge)?.cameraApp === undefined;
  if (charge.qrPngUrl === null || !hasPicture) return [];
  const { pay, language } = view.texts;
  const values = {
    amount: formatMoney(language, amount, charge.customerCurrency),
    merchant: view.session.merchantName,
  };
  // Each amount has its own URL, because browsers cache the image of a URL.
  const { pathname, search } = new URL(charge.qrPngUrl);
  const src = `${view.origin}${pathname}${search}&v=${charge.amountReceived}`;
  const image = h('img', {
    src,
    alt: fillText(pay.qrLabel, values),
    width: '240',
    height: '240',
    part: 'qr',
  });
  const caption = isDemo && h('figcaption', {}, h('strong', {}, pay.qrDemo));
  const save = isPhone() && h('a', { href: src, part: 'app-link', class: 'app' }, pay.qrSave);
  return [h('figure', {}, image, caption), ...(save ? [save] : [])];
}

function appLinks({ texts }: View, { appLinks: links }: Outstanding): HTMLElement[] {
  return links.map(({ name, url }) =>
    h(
      'a',
      { href: url, part: 'app-link', class: 'app' },
      name === null ? texts.pay.otherApp : fillText(texts.pay.openApp, { app: name }),
    ),
  );
}

function referenceBox(view: View, charge: Charge, outstanding: Outstanding): HTMLElement | undefined {
  const { pay } = view.texts;
  const { referencePlacement: placement, destination } = outstanding;
  const headingKey = placement === 'by_merchant' ? 'uncertain' : placement;
  const field = getReferenceField(view, charge, destination);
  if (field === undefined) return undefined;
  const { paymentReference } = destination;
  return h(
    'section',
    { part: 'reference', class: 'reference' },
    h('h3', {}, pay.referenceHeading[headingKey] ?? ''),
    h('p', {}, h('code', {}, paymentReference), ' ', copyButton(view, pay.reference, paymentReference)),
    h('p', {}, fillText(pay.referenceText[placement] ?? '', { field })),
  );
}

/**
 * Returns the name of the field for the payment reference; undefined if the apps of the method have none. PromptPay
 * bills have a separate field.
 */
function getReferenceField(view: View, charge: Charge, { rows }: Destination): string | undefined {
  const isBill = rows.some(({ field }) => field === 'reference1');
  return isBill ? view.texts.rows.reference1 : getApps(view, charge)?.referenceField;
}

function detailList(view: View, { rows }: Destination, shownAmount: string): HTMLElement {
  const { texts } = view;
  const items = rows
    .filter(({ field }) => field !== 'reference')
    .map(({ field, value, code }) => {
      const label = texts.rows[field] ?? field;
      const shown = field === 'amount' ? shownAmount : code === null ? value : `${value} (${code})`;
      const copy = !uncopiedFields.has(field) && copyButton(view, label, value);
      return h('div', {}, h('dt', {}, label), h('dd', {}, h('span', {}, shown), ' ', copy));
    });
  return h('section', { part: 'details' }, h('h3', {}, texts.pay.details), h('dl', {}, items));
}

function copyButton({ texts: { pay } }: View, label: string, value: string): HTMLElement {
  const attributes = { class: 'copy', part: 'copy', 'aria-label': fillText(pay.copyLabel, { label }) };
  const element = button(pay.copy, attributes, async () => {
    const isCopied = await navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    );
    element.textContent = isCopied ? pay.copied : pay.copyFailed;
    element.setAttribute('aria-live', 'polite');
  });
  return element;
}

/** Returns the keys of the steps that open the app and enter the payment. */
function getFirstSteps(view: View, charge: Charge, { appLinks: links }: Outstanding): string[] {
  if (charge.qrPngUrl === null) return ['openAndType', 'copy'];
  if (isPhone()) return links.length > 0 ? ['openApp', 'openAppFallback'] : ['saveQr', 'openAndUpload'];
  const isForCamera = getApps(view, charge)?.cameraApp !== undefined;
  return isForCamera ? ['scanWithCamera', 'openAppFallback'] : ['openAndScan', 'scan'];
}

function steps(view: View, charge: Charge, outstanding: Outstanding): HTMLElement {
  const { texts } = view;
  const { menu = '', apps = '', cameraApp = '' } = getApps(view, charge) ?? {};
  const placement =
    outstanding.referencePlacement === 'by_merchant' ? 'uncertain' : outstanding.referencePlacement;
  const field = getReferenceField(view, charge, outstanding.destination);
  const last = fill(texts.steps[field === undefined ? 'noField' : placement] ?? '', {
    reference: h('code', {}, outstanding.destination.paymentReference),
    amount: money(view, outstanding.amount, charge.customerCurrency),
    field: field ?? '',
  });
  const isPayId = outstanding.destination.rows.some((row) => row.field === 'pay_id');
  const values = { menu: isPayId ? `${menu} › PayID` : menu, app: cameraApp };
  const first = getFirstSteps(view, charge, outstanding).map((name) =>
    fillText(texts.steps[name] ?? '', values),
  );
  return h(
    'section',
    { part: 'steps' },
    h('h3', {}, texts.pay.instructions),
    h('ol', {}, ...first.map((text) => h('li', {}, text)), h('li', {}, ...last)),
    apps !== '' && h('p', { part: 'hint' }, fillText(texts.pay.worksWith, { apps })),
  );
}

/** Asks before the cancellation, because the customer may have paid already. */
export function cancelBox({ texts: { cancel }, cancel: onCancel }: View): HTMLElement {
  return h(
    'details',
    { part: 'cancel' },
    h('summary', {}, cancel.summary),
    h('p', {}, cancel.text),
    button(cancel.submit, { part: 'cancel-button', class: 'secondary' }, onCancel),
  );
}
