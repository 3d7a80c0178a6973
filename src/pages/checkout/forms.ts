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

/** The payments that the sandbox's pages simulate. */
export const pageSimulations = ['exact', 'underpaid', 'late'] as const;

/** Returns a collapsed form that simulates a transfer. It is for the sandbox only. */
export function simulationForm(view: CheckoutView): Html {
  const { simulation } = view.i18n.strings;
  const buttons = pageSimulations.map(
    (kind) =>
      html`<button type="submit" name="kind" value="${kind}" class="button secondary">${simulation[kind]}</button>`,
  );
  return html`<details class="cancel"><summary>${simulation.title}</summary>${postForm(view, 'simulate', html`<p>${simulation.text}</p>${buttons}`)}</details>`;
}
