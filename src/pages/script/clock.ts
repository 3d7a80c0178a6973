import { getMain, onSwap, reloadMain } from './page.ts';

const tickMs = 1_000;
/** The pause between reloads until the server agrees that the time is up. */
const reloadIntervalMs = 5_000;

/** Server time minus `performance.now()`, which is independent of the device's clock. */
let offsetMs = 0;
let lastReloadAt = Number.NEGATIVE_INFINITY;

export function setServerTime(now: number): void {
  offsetMs = now - performance.now();
}

/** Starts the countdowns of the page, which follow the server's clock. */
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
      // If the server is unreachable, a later tick tries again.
      reloadMain().catch(() => {});
    }
  }
  for (const bar of document.querySelectorAll<HTMLProgressElement>('[data-countdown-bar]')) {
    bar.value = Math.max(0, Number(bar.dataset.countdownBar) - now);
  }
}

/** Returns a duration such as `29:41` or `23:59:08`. */
function clockText(leftMs: number): string {
  const seconds = Math.floor(leftMs / 1_000);
  const pad = (count: number) => String(count).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutesAndSeconds = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  return hours > 0 ? `${hours}:${minutesAndSeconds}` : minutesAndSeconds;
}
