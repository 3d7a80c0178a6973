import { type RefObject, useCallback, useEffect } from 'react';

/** Forms with fewer fields, such as those to sign in, are quickly filled in again. */
const guardedFieldCountMin = 3;

type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type DiscardPrompt = () => Promise<boolean>;

const forms = new Set<RefObject<HTMLFormElement | null>>();
const savedValues = new WeakMap<FormControl, string>();
let openPrompt: DiscardPrompt = async () => true;
let isAsking = false;

/** Warns before the user loses what they entered into the form. Returns a function to call after it was saved. */
export function useUnsavedChanges(formRef: RefObject<HTMLFormElement | null>): () => void {
  useEffect(() => {
    forms.add(formRef);
    return () => {
      forms.delete(formRef);
    };
  }, [formRef]);
  return useCallback(() => {
    if (formRef.current) rememberValues(formRef.current, true);
  }, [formRef]);
}

/** Registers the dialog that asks whether to discard the changes; returns a function to unregister it. */
export function registerDiscardPrompt(prompt: DiscardPrompt): () => void {
  openPrompt = prompt;
  return () => {
    if (openPrompt === prompt) openPrompt = async () => true;
  };
}

/** Runs `proceed`, but only if no form in the container has unsaved changes or the user discards them. */
export async function confirmDiscard(proceed: () => void, container: Node = document): Promise<void> {
  if (isAsking) return;
  const changedForms = findChangedForms(container);
  if (changedForms.length > 0) {
    isAsking = true;
    const isDiscarded = await openPrompt();
    isAsking = false;
    if (!isDiscarded) return;
    for (const form of changedForms) rememberValues(form, true);
  }
  proceed();
}

/** Starts to watch the forms, and guards them against closing the tab and against the buttons of the browser. */
export function guardUnsavedChanges(): void {
  let url = window.location.href;
  // In Safari, a click on a checkbox does not move the focus.
  for (const type of ['focusin', 'pointerdown'])
    document.addEventListener(type, ({ target }) => {
      const form = target instanceof Element ? target.closest('form') : null;
      if (form) rememberValues(form);
    });
  window.addEventListener('beforeunload', (event) => {
    if (findChangedForms(document).length > 0) event.preventDefault();
  });
  for (const type of ['pushState', 'replaceState'])
    window.addEventListener(type, () => {
      url = window.location.href;
    });
  // Precedes the listener of the router, which is added when the dashboard is rendered.
  window.addEventListener('popstate', (event) => {
    if (isSamePage(url) || findChangedForms(document).length === 0) {
      url = window.location.href;
      return;
    }
    event.stopImmediatePropagation();
    // The browser has already changed the address, so the page of the form becomes a new entry of the history.
    window.history.pushState(null, '', url);
    void confirmDiscard(() => window.history.back());
  });
}

/** Whether the address is that of the present page. A change of its filters keeps the forms. */
export function isSamePage(url: string): boolean {
  return new URL(url, window.location.href).pathname === window.location.pathname;
}

function findChangedForms(container: Node): HTMLFormElement[] {
  return [...forms].flatMap(({ current: form }) => {
    if (!form || !container.contains(form)) return [];
    const fields = listFields(form);
    const isGuarded = new Set(fields.map(({ name }) => name)).size >= guardedFieldCountMin;
    return isGuarded && fields.some(isChanged) ? [form] : [];
  });
}

/** Fields that appear later, because they depend on others, are unchanged until the user touches the form again. */
function rememberValues(form: HTMLFormElement, isSaved = false): void {
  for (const field of listFields(form))
    if (isSaved || !savedValues.has(field)) savedValues.set(field, readValue(field));
}

function listFields(form: HTMLFormElement): FormControl[] {
  return ([...form.elements] as FormControl[]).filter(
    ({ name, type }) => name !== undefined && name !== '' && type !== 'password' && type !== 'button',
  );
}

function isChanged(field: FormControl): boolean {
  const saved = savedValues.get(field);
  return saved !== undefined && saved !== readValue(field);
}

function readValue(field: FormControl): string {
  const isBox = field.type === 'checkbox' || field.type === 'radio';
  return isBox ? String((field as HTMLInputElement).checked) : field.value;
}
