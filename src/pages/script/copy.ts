import { announce } from './page.ts';

const feedbackMs = 2_000;

/** Copies the value of a `data-copy` button on click and confirms it on the button for a moment. */
export function copyOnClick(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button[data-copy]');
    if (!button) return;
    const { copy = '', copied = '', failed = '' } = button.dataset;
    const isCopied = await copyText(copy);
    announce(isCopied ? copied : failed);
    if (!isCopied || button.classList.contains('done')) return;
    const text = button.textContent;
    button.textContent = copied;
    button.classList.add('done');
    setTimeout(() => {
      button.textContent = text;
      button.classList.remove('done');
    }, feedbackMs);
  });
}

/** Falls back to copying a selection, because browsers disable the clipboard API on plain HTTP. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}
