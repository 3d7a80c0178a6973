import { type Html, html } from '../html.ts';
import { toCheckoutUrl } from './checkout-url.ts';
import type { CheckoutView } from './view.ts';

/** Returns a form that posts `action` to the page's own URL. It works without scripts. */
export function postForm(view: CheckoutView, action: string, content: Html): Html {
  return html`<form method="post" novalidate action="${toCheckoutUrl(view.query)}">
<input type="hidden" name="do" value="${action}">
${content}
</form>`;
}

/** Returns a collapsed form that cancels the payment. The form can be opened without scripts. */
export function cancelForm(view: CheckoutView): Html {
  const { cancel } = view.i18n.strings;
  const content = html`<p>${cancel.text}</p><button type="submit" class="danger">${cancel.submit}</button>`;
  return html`<details class="cancel"><summary>${cancel.summary}</summary>${postForm(view, 'cancel', content)}</details>`;
}
