/** The time to wait for a component that removes the focused element to move the focus itself. */
const graceMs = 200;

/**
 * Moves the focus to the open dialog, to the element with `data-keeps-focus`, or to the title of the page when the
 * focused element leaves the page. Otherwise Tab would start again at the top of the page.
 */
export function keepFocus(): void {
  let focused: Node | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('focusin', ({ target }) => {
    focused = target as Node;
    clearTimeout(timer);
  });
  document.addEventListener('focusout', ({ target }) => {
    // The event also precedes the removal of the element, which is complete in the microtask. A button that is disabled
    // while its action runs often leaves the page afterwards, with its dialog.
    queueMicrotask(() => {
      const isDisabled = target instanceof HTMLButtonElement && target.disabled;
      if (focused === target && focused?.isConnected && !isDisabled) focused = null;
    });
  });
  new MutationObserver(() => {
    if (focused === null || focused.isConnected) return;
    focused = null;
    timer = setTimeout(focusRemainingElement, graceMs);
  }).observe(document.body, { childList: true, subtree: true });
}

function focusRemainingElement(): void {
  if (document.activeElement !== document.body) return;
  const dialog = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1);
  const element =
    dialog ?? document.querySelector<HTMLElement>('[data-keeps-focus]') ?? document.querySelector('h1');
  element?.focus({ preventScroll: true });
}
