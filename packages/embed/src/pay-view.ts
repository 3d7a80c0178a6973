import { button, h } from './dom.ts';
import { type Charge, canChoose, type Destination, type Outstanding } from './session.ts';
import { fill, fillText, formatMoney, formatTime } from './texts.ts';
import { merchant, methodIcon, methodName, money, toTextKey, type View } from './view.ts';

const uncopiedFields = new Set(['bank', 'merchantName']);

/** Shows the payment instructions of a pending charge. */
export function payView(view: View, charge: Charge, outstanding: Outstanding): HTMLElement[] {
  const { texts, session } = view;
  const { pay } = texts;
  const { customerCurrency: currency } = charge;
  const total = money(view, outstanding.amount, currency);
  const isPartlyPaid = charge.paymentState === 'partial';
  const received = money(view, charge.amountReceived, currency);
  const requested = money(view, charge.customerAmount, currency);
  const time = formatTime(texts.language, charge.expiresAt);
  return [
    h(
      'h2',
      { tabindex: '-1', part: 'amount' },
      ...fill(pay.title, { amount: total, merchant: merchant(view) }),
    ),
    ...(isPartlyPaid ? [h('p', { part: 'notice' }, ...fill(pay.received, { received, requested }))] : []),
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
    ...qrFigure(view, charge, outstanding),
    ...appLinks(view, outstanding),
    referenceBox(view, charge, outstanding),
    detailList(view, outstanding.destination, formatMoney(texts.language, outstanding.amount, currency)),
    steps(view, charge, outstanding),
    h(
      'p',
      { part: 'status' },
      h('strong', {}, pay.waiting),
      ' ',
      outstanding.referencePlacement === 'byMerchant' ? pay.waitingByMerchant : pay.waitingText,
    ),
    ...(canChoose(session)
      ? [button(texts.change.link, { part: 'link' }, () => view.showMethods(true))]
      : []),
    ...(isPartlyPaid ? [] : [cancelBox(view)]),
  ];
}

function qrFigure(view: View, charge: Charge, { isDemo, amount }: Outstanding): HTMLElement[] {
  if (charge.qrSvgUrl === null) return [];
  const { pay, language } = view.texts;
  const values = {
    amount: formatMoney(language, amount, charge.customerCurrency),
    merchant: view.session.merchantName,
  };
  // Each amount has its own URL, because browsers reuse the image of a URL.
  const { pathname, search } = new URL(charge.qrSvgUrl);
  const src = `${view.origin}${pathname}${search}&v=${charge.amountReceived}`;
  const image = h('img', {
    src,
    alt: fillText(pay.qrLabel, values),
    width: '240',
    height: '240',
    part: 'qr',
  });
  return [h('figure', {}, image, isDemo && h('figcaption', {}, h('strong', {}, pay.qrDemo)))];
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

function referenceBox(view: View, charge: Charge, outstanding: Outstanding): HTMLElement {
  const { pay, apps } = view.texts;
  const { referencePlacement: placement, destination } = outstanding;
  const headingKey = placement === 'byMerchant' ? 'uncertain' : placement;
  const field = apps[toTextKey(charge.method)]?.referenceField ?? '';
  const { paymentReference } = destination;
  return h(
    'section',
    { part: 'reference', class: 'reference' },
    h('h3', {}, pay.referenceHeading[headingKey] ?? ''),
    h('p', {}, h('code', {}, paymentReference), ' ', copyButton(view, pay.reference, paymentReference)),
    h('p', {}, fillText(pay.referenceText[placement] ?? '', { field })),
  );
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

function steps(view: View, charge: Charge, outstanding: Outstanding): HTMLElement {
  const { texts } = view;
  const { menu = '', referenceField: field = '', apps = '' } = texts.apps[toTextKey(charge.method)] ?? {};
  const open = (name: string) => fillText(texts.steps[name] ?? '', { menu });
  const placement =
    outstanding.referencePlacement === 'byMerchant' ? 'uncertain' : outstanding.referencePlacement;
  const last = fill(texts.steps[placement] ?? '', {
    reference: h('code', {}, outstanding.destination.paymentReference),
    amount: money(view, outstanding.amount, charge.customerCurrency),
    field,
  });
  const first =
    charge.qrSvgUrl === null ? [open('openAndType'), open('copy')] : [open('openAndScan'), open('scan')];
  return h(
    'section',
    { part: 'steps' },
    h('h3', {}, texts.pay.instructions),
    h('ol', {}, ...first.map((text) => h('li', {}, text)), h('li', {}, ...last)),
    apps !== '' && h('p', { part: 'hint' }, apps),
  );
}

/** Asks before the cancellation, because money may be on its way. */
export function cancelBox({ texts: { cancel }, cancel: onCancel }: View): HTMLElement {
  return h(
    'details',
    { part: 'cancel' },
    h('summary', {}, cancel.summary),
    h('p', {}, cancel.text),
    button(cancel.submit, { part: 'cancel-button', class: 'secondary' }, onCancel),
  );
}
