import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** An error in a submitted form. `name` is the element ID of the invalid field. */
export type FormError = { name: string; text: string };

/**
 * Renders the list of all errors of a form, to show above the form. Each error links to its field. The list
 * takes the focus, so that screen readers read it first.
 */
export function errorSummary({ strings }: PageI18n, errors: readonly FormError[]): Html | undefined {
  if (errors.length === 0) return undefined;
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus><h2>${strings.choose.errorSummary}</h2><ul>${errors.map(
    ({ name, text }) => html`<li><a href="#${name}">${text}</a></li>`,
  )}</ul></div>`;
}

/** Returns the title of a form page. Errors come first, because screen readers start with the title. */
export function formTitle({ strings }: PageI18n, title: string, errors: readonly FormError[]): string {
  return errors.length === 0 ? title : `${strings.choose.errorSummary}: ${title}`;
}
