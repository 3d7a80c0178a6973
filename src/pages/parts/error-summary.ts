import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** An error of a submitted field, by the field's name. */
export type FormError = { name: string; text: string };

/**
 * Renders all errors of a form above it, each with a link to its field. It has the focus, so
 * that screen readers read it first.
 */
export function errorSummary({ strings }: PageI18n, errors: readonly FormError[]): Html | undefined {
  if (errors.length === 0) return undefined;
  return html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${strings.choose.problem}</h2><ul>${errors.map(
    ({ name, text }) => html`<li><a href="#${name}">${text}</a></li>`,
  )}</ul></div>`;
}

/** Returns the title of a form page. Errors come first, because screen readers start with the title. */
export function formTitle({ strings }: PageI18n, title: string, errors: readonly FormError[]): string {
  return errors.length === 0 ? title : `${strings.choose.problem}: ${title}`;
}
