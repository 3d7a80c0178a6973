import { button, h } from './dom.ts';
import { CheckoutError } from './error.ts';
import type { Offer } from './session.ts';
import { methodIcon, methodName, money, toTextKey, type View } from './view.ts';

/** The customer chooses a method and, before the first charge, enters an email address. */
export function chooseView(view: View): HTMLElement[] {
  const { texts, session, offers } = view;
  const { choose } = texts;
  if (offers.length === 0)
    return [h('h2', { tabindex: '-1' }, texts.noPaymentMethod.title), h('p', {}, texts.noPaymentMethod.text)];
  const { charge } = session;
  const error = h('p', { id: 'error', role: 'alert', part: 'error' });
  const email = h('input', {
    ...{ id: 'email', name: 'email', type: 'email', autocomplete: 'email', maxlength: '254', part: 'input' },
    ...{ required: true, value: view.email, 'aria-describedby': 'email-hint error' },
  });
  const submit = h('button', { type: 'submit', part: 'button' }, choose.submit) as HTMLButtonElement;
  const form = h(
    'form',
    { novalidate: true },
    h(
      'fieldset',
      { part: 'methods' },
      h('legend', {}, h('h2', { tabindex: '-1' }, choose.title)),
      sortOffers(offers).map((offer) => methodRow(view, offer)),
    ),
    !charge && h('label', { for: 'email' }, choose.email),
    !charge && email,
    !charge && h('p', { id: 'email-hint', part: 'hint' }, choose.emailHint),
    error,
    submit,
    h('p', { part: 'hint' }, choose.nextHint),
  ) as HTMLFormElement;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const values = new FormData(form);
    const method = values.get('method');
    const address = String(values.get('email') ?? '');
    error.textContent = '';
    if (method === null) error.textContent = choose.methodMissing;
    else if (!charge && !/^\S+@\S+\.\S+$/.test(address)) error.textContent = choose.emailInvalid;
    if (error.textContent !== '') return;
    submit.disabled = true;
    try {
      await view.pay({ method: String(method), ...(!charge && { email: address }) });
    } catch (thrown) {
      error.textContent = toErrorText(view, thrown);
    }
    submit.disabled = false;
  });
  const back = charge?.status === 'pending' && { text: methodName(view, charge.method) };
  return [form, ...(back ? [button(`← ${back.text}`, { part: 'link' }, () => view.showMethods(false))] : [])];
}

/** The codes of errors that may not occur again, and for which no method is the cause. */
const temporaryCodes = new Set(['connection_failed', 'unavailable', 'rate_limited', 'internal_error']);

function toErrorText({ texts }: View, error: unknown): string {
  if (!(error instanceof CheckoutError) || temporaryCodes.has(error.code)) return texts.pay.reconnecting;
  return error.code === 'invalid_request' ? texts.choose.emailInvalid : texts.choose.methodUnavailable;
}

function methodRow(view: View, { method, customerAmount, customerCurrency }: Offer): HTMLElement {
  const { apps } = view.texts.apps[toTextKey(method)] ?? { apps: '' };
  const isOnly = view.offers.length === 1;
  return h(
    'label',
    { class: 'method', part: 'method' },
    h('input', { type: 'radio', name: 'method', value: method, checked: isOnly }),
    methodIcon(view, method),
    h('span', {}, methodName(view, method), apps !== '' && h('small', {}, apps)),
    money(view, customerAmount, customerCurrency),
  );
}

/** The methods of the countries in the browser's languages come first. */
function sortOffers(offers: Offer[]): Offer[] {
  const regions = navigator.languages.map(getRegion);
  const getRank = ({ country }: Offer) => {
    const index = regions.indexOf(country);
    return index === -1 ? regions.length : index;
  };
  return offers.toSorted((a, b) => getRank(a) - getRank(b));
}

/**
 * Returns the country of a language tag; undefined if the tag is invalid, such as Chromium's `en-US@posix` where no
 * language is set.
 */
function getRegion(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region;
  } catch {
    return undefined;
  }
}
