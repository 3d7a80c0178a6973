import { type Html, html } from '../html.ts';

export type TextField = {
  name: string;
  label: string;
  value: string;
  hint?: string | undefined;
  error?: string | undefined;
  maxLength: number;
  autocomplete?: string;
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel';
  type?: 'text' | 'email' | 'tel';
  isOptional?: boolean;
};

export function textField(field: TextField): Html {
  const { name, hint, error, type = 'text', inputMode = 'text', autocomplete = 'off', isOptional } = field;
  const describedBy = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${field.label}</label>
<input id="${name}" name="${name}" type="${type}"${!isOptional && html` required`} maxlength="${field.maxLength}" autocomplete="${autocomplete}" inputmode="${inputMode}" spellcheck="false"
 value="${field.value}"${describedBy && html` aria-describedby="${describedBy}"`}${error && html` aria-invalid="true"`}>
${error && html`<p class="field-error" id="${name}-error">${error}</p>`}
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}
