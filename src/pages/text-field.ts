import { type Html, html } from './html.ts';

export type TextField = {
  name: string;
  label: string;
  value: string;
  hint?: string | undefined;
  /** What is wrong with it. */
  fault?: string | undefined;
  maxLength: number;
  /** Of the HTML standard: what the browser may fill in. */
  autocomplete?: string;
  inputMode?: 'text' | 'numeric' | 'email';
  type?: 'text' | 'email';
};

/** A labelled text field, with its hint and what is wrong with it; a required one. */
export function textField(field: TextField): Html {
  const { name, hint, fault, type = 'text', inputMode = 'text', autocomplete = 'off' } = field;
  const describedBy = [fault && `${name}-fault`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${field.label}</label>
<input id="${name}" name="${name}" type="${type}" required maxlength="${field.maxLength}" autocomplete="${autocomplete}" inputmode="${inputMode}" spellcheck="false"
 value="${field.value}"${describedBy && html` aria-describedby="${describedBy}"`}${fault && html` aria-invalid="true"`}>
${fault && html`<p class="fault" id="${name}-fault">${fault}</p>`}
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}

/** All faults of a form at its top, each leading to its field. It has the focus, so that it is what is read first. */
export function faultList(title: string, faults: { name?: string; text: string }[]): Html | undefined {
  if (faults.length === 0) return undefined;
  return html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${title}</h2><ul>${faults.map(
    ({ name, text }) => html`<li>${name === undefined ? text : html`<a href="#${name}">${text}</a>`}</li>`,
  )}</ul></div>`;
}
