/** Scrolls an error, or a field with an error, into view and focuses it. */
export function showError(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  // The center is clear of sticky headers, both of the page and of dialogs.
  element.scrollIntoView({ block: 'center' });
}
