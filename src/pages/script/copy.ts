import { announce } from './page.ts';

const feedbackMs = 2_000;

/** Copies the value of a `data-copy` button on click and shows the result on the button for a moment. */
export function copyOnClick(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button[data-copy]');
    if (!button) return;
    const { copy = '', copied = '', failed = '' } = button.dataset;
    const isCopied = await copyText(copy);
    const [message, state] = isCopied ? [copied, 'done'] : [failed, 'failed'];
    announce(message);
    if (button.matches('.done, .failed')) return;
    const text = button.textContent;
    button.textContent = message;
    button.classList.add(state);
    setTimeout(() => {
      button.textContent = text;
      button.classList.remove(state);
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
