import { startClock } from './clock.ts';
import { copyOnClick } from './copy.ts';
import { claimSession, followState } from './live.ts';
import { enhance, whenVisible } from './page.ts';

// Everything on the page works without this script, up to the payment instructions.
enhance(document);
copyOnClick();
preventDoubleSubmit();
startClock();
// What only the script can work may be used from now on.
document.documentElement.dataset.ready = '';
whenVisible(async () => {
  await claimSession();
  followState();
});

/** A second press while the first is on its way would make a second charge. */
function preventDoubleSubmit(): void {
  document.addEventListener('submit', ({ target }) => {
    const buttons = (target as HTMLElement).querySelectorAll('button');
    // After this turn, so that the press itself still counts.
    setTimeout(() => {
      for (const button of buttons) button.disabled = true;
    });
  });
  // A page the browser kept comes back with its buttons as they were left.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
