import { getMain, onSwap, reloadMain } from './page.ts';

const tickMs = 1_000;
/** How long to wait for the server to agree that the time is up, before asking it again. */
const reloadIntervalMs = 5_000;

/** The server's clock less that of this page, which the device's own clock cannot move. */
let offsetMs = 0;
let lastReloadAt = Number.NEGATIVE_INFINITY;

export function setServerTime(now: number): void {
  offsetMs = now - performance.now();
}

/** Counts down to the moments the page names, by the server's clock. */
export function startClock(): void {
  setServerTime(Number(getMain().dataset.now));
  tick();
  onSwap(tick);
  setInterval(tick, tickMs);
}

function tick(): void {
  const now = performance.now() + offsetMs;
  for (const element of document.querySelectorAll<HTMLElement>('[data-countdown]')) {
    const leftMs = Number(element.dataset.countdown) - now;
    element.textContent = clockText(Math.max(0, leftMs));
    if (leftMs < 0 && performance.now() - lastReloadAt > reloadIntervalMs) {
      lastReloadAt = performance.now();
      // Out of reach: asked again later, and the live events tell it too.
      reloadMain().catch(() => {});
    }
  }
  for (const bar of document.querySelectorAll<HTMLProgressElement>('[data-countdown-bar]')) {
    bar.value = Math.max(0, Number(bar.dataset.countdownBar) - now);
  }
}

/** `29:41`, `23:59:08`. */
function clockText(leftMs: number): string {
  const seconds = Math.floor(leftMs / 1_000);
  const pad = (count: number) => String(count).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutesAndSeconds = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  return hours > 0 ? `${hours}:${minutesAndSeconds}` : minutesAndSeconds;
}
