import { type Html, html } from '../html.ts';
import { toCheckoutUrl } from './checkout-url.ts';
import type { CheckoutView } from './view.ts';

/** The form posts `action` to the page's own URL, and works without scripts. */
export function postForm(view: CheckoutView, action: string, content: Html): Html {
  return html`<form method="post" novalidate action="${toCheckoutUrl(view.query)}">
<input type="hidden" name="do" value="${action}">
${content}
</form>`;
}

/** Customers can open the collapsed form without scripts. */
export function cancelForm(view: CheckoutView): Html {
  const { cancel } = view.i18n.strings;
  const content = html`<p>${cancel.text}</p><button type="submit" class="danger">${cancel.submit}</button>`;
  return html`<details class="cancel"><summary>${cancel.summary}</summary>${postForm(view, 'cancel', content)}</details>`;
}

export const pageSimulations = ['exact', 'underpaid', 'late'] as const;

export function simulationForm(view: CheckoutView): Html {
  const { simulation } = view.i18n.strings;
  const buttons = pageSimulations.map(
    (kind) =>
      html`<button type="submit" name="kind" value="${kind}" class="button secondary">${simulation[kind]}</button>`,
  );
  return html`<details class="cancel"><summary>${simulation.title}</summary>${postForm(view, 'simulate', html`<p>${simulation.text}</p>${buttons}`)}</details>`;
}
