import { showShareButton } from './qr-card.ts';

/** Returns the current main content, which {@link reloadMain} replaces. */
export function getMain(): HTMLElement {
  return document.querySelector('main') as HTMLElement;
}

let swapListener = () => {};

export function onSwap(callback: () => void): void {
  swapListener = callback;
}

/**
 * Shows times in the reader's own time zone. Hides `data-unscripted` elements for browsers without the CSS
 * `scripting` media feature.
 */
export function enhance(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-unscripted]')) element.hidden = true;
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-moment]')) {
    element.textContent = localTime(new Date(element.dateTime));
  }
  showShareButton();
}

function localTime(time: Date): string {
  return new Intl.DateTimeFormat(document.documentElement.dataset.locale, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }).format(time);
}

/** Runs the callback once the page is visible: not during prerendering nor in a background tab. */
export function whenVisible(callback: () => void): void {
  const isVisible = () =>
    document.visibilityState === 'visible' && !('prerendering' in document && document.prerendering);
  if (isVisible()) {
    callback();
    return;
  }
  const check = () => {
    if (!isVisible()) return;
    document.removeEventListener('visibilitychange', check);
    document.removeEventListener('prerenderingchange', check);
    callback();
  };
  document.addEventListener('visibilitychange', check);
  document.addEventListener('prerenderingchange', check);
}

/**
 * Reloads the page's URL and replaces the main content if its state has changed. Otherwise keeps it, with the form
 * input. Throws if the server is unreachable or does not return a page.
 */
export async function reloadMain(init: RequestInit = {}): Promise<void> {
  const response = await fetch(location.href, { cache: 'no-store', ...init });
  if (response.status >= 500) throw new Error(`the server responded with ${response.status}`);
  const nextDocument = new DOMParser().parseFromString(await response.text(), 'text/html');
  const nextMain = nextDocument.querySelector('main');
  if (!nextMain) throw new Error('the response is not a page');
  const currentMain = getMain();
  if (nextMain.dataset.state === currentMain.dataset.state) {
    delete currentMain.dataset.claimsSession;
    return;
  }
  const hadFocus = currentMain.contains(document.activeElement);
  document.title = nextDocument.title;
  currentMain.replaceWith(nextMain);
  enhance(nextMain);
  swapListener();
  window.scrollTo({ top: 0 });
  const heading = nextMain.querySelector('h1');
  if (hadFocus) heading?.focus({ preventScroll: true });
  announce(heading ? getSpokenText(heading) : nextDocument.title);
}

/** Returns the text that a screen reader would read, without decorations. */
function getSpokenText(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const decoration of copy.querySelectorAll('[aria-hidden]')) decoration.remove();
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}

export function announce(text: string): void {
  (document.querySelector('#announce') as HTMLElement).textContent = text;
}
