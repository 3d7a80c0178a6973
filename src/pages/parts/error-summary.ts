import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** What is wrong with a field of a form that was sent, by its name. */
export type FormError = { name: string; text: string };

/** All faults of a form at its top, each leading to its field. It has the focus, so that it is what is read first. */
export function errorSummary({ strings }: PageI18n, errors: readonly FormError[]): Html | undefined {
  if (errors.length === 0) return undefined;
  return html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${strings.choose.problem}</h2><ul>${errors.map(
    ({ name, text }) => html`<li><a href="#${name}">${text}</a></li>`,
  )}</ul></div>`;
}

/** The title of a page with a form: it says first that something is wrong, which is what a screen reader begins with. */
export function formTitle({ strings }: PageI18n, title: string, errors: readonly FormError[]): string {
  return errors.length === 0 ? title : `${strings.choose.problem}: ${title}`;
}
