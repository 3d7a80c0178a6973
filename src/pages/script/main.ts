import { startClock } from './clock.ts';
import { copyOnClick } from './copy.ts';
import { claimSession, followState } from './live.ts';
import { enhance, whenVisible } from './page.ts';
import { saveQrCard } from './qr-card.ts';

// Without this script, customers can still choose a method and see the payment instructions.
enhance(document);
copyOnClick();
saveQrCard();
printOnClick();
preventDoubleSubmit();
startClock();
// Makes the stylesheet show the elements that need the script.
document.documentElement.dataset.ready = '';
whenVisible(async () => {
  await claimSession();
  followState();
});

function printOnClick(): void {
  document.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[data-print]')) print();
  });
}

/** Prevents a second charge by a second click while the first request is pending. */
function preventDoubleSubmit(): void {
  document.addEventListener('submit', ({ target }) => {
    const buttons = (target as HTMLElement).querySelectorAll('button');
    // Disables the buttons in a new task, because a disabled button would not be submitted.
    setTimeout(() => {
      for (const button of buttons) button.disabled = true;
    });
  });
  // The back-forward cache restores the page with disabled buttons.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
