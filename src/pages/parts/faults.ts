import { type Html, html } from '../html.ts';
import type { Reader } from '../reader.ts';

/** What is wrong with a field of a form that was sent, by its name. */
export type Fault = { name: string; text: string };

/** All faults of a form at its top, each leading to its field. It has the focus, so that it is what is read first. */
export function faultList({ strings }: Reader, faults: readonly Fault[]): Html | undefined {
  if (faults.length === 0) return undefined;
  return html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${strings.choose.problem}</h2><ul>${faults.map(
    ({ name, text }) => html`<li><a href="#${name}">${text}</a></li>`,
  )}</ul></div>`;
}

/** The title of a page with a form: it says first that something is wrong, which is what a screen reader begins with. */
export function formTitle({ strings }: Reader, title: string, faults: readonly Fault[]): string {
  return faults.length === 0 ? title : `${strings.choose.problem}: ${title}`;
}
