// Completes the page of Agendash: the color scheme of the dashboard, and the focus.

const root = document.documentElement;
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** The dashboard stores the choice of the user, or `auto`. */
function applyColorScheme() {
  const choice = localStorage.getItem('mantine-color-scheme-value');
  const isDark = choice === 'dark' || (choice !== 'light' && darkScheme.matches);
  root.dataset.bsTheme = isDark ? 'dark' : 'light';
}

applyColorScheme();
darkScheme.addEventListener('change', applyColorScheme);
addEventListener('storage', applyColorScheme);

const controls = 'button, input, select, textarea, a[href]';

function findDialog() {
  return document.querySelector('.modal-container') ?? document.querySelector('.sidebar-mobile.open');
}

/** The control outside of dialogs that last had the focus, with its place in the list of jobs. */
let origin = null;
let openDialog = null;

function rememberFocus({ target }) {
  if (target.closest('[role=dialog]')) return;
  const row = target.closest('tbody tr');
  const place = row ? [...row.querySelectorAll(controls)].indexOf(target) : -1;
  origin = { target, row, place, rowIndex: row?.sectionRowIndex };
}

/** Refreshes move and remove elements, and changes replace buttons. The focus then falls to the body. */
function keepFocus() {
  const dialog = findDialog();
  const wasClosed = openDialog && !dialog;
  if (dialog && dialog !== openDialog) {
    // The first tab of the details, or the button that cancels.
    const first = dialog.querySelector('.tab-btn, .modal-footer button');
    (first ?? dialog.querySelector(controls)).focus();
  }
  openDialog = dialog;
  if (dialog || !origin) return;
  if (origin.row?.isConnected) origin.rowIndex = origin.row.sectionRowIndex;
  if (wasClosed || document.activeElement === document.body) restoreFocus();
}

/** Focuses the same control, its successor in the row, that of the next row, or the list. */
function restoreFocus() {
  const { target, row, place, rowIndex } = origin;
  const rows = document.querySelectorAll('tbody tr');
  const nextRow = row?.isConnected ? row : (rows[rowIndex] ?? rows[rows.length - 1]);
  const rowControls = nextRow && row ? [...nextRow.querySelectorAll(controls)] : [];
  const candidates = [target, rowControls[place], rowControls.at(-1), document.querySelector('th input')];
  for (const candidate of candidates) {
    candidate?.focus({ preventScroll: true });
    if (document.activeElement === candidate) return;
  }
}

function pressKey(event) {
  const dialog = findDialog();
  if (!dialog) return;
  if (event.key === 'Escape') dialog.querySelector('.sidebar-mobile-close')?.click();
  if (event.key === 'Tab') keepInside(event, dialog);
}

function keepInside(event, dialog) {
  const fields = [...dialog.querySelectorAll(controls)].filter((field) => !field.disabled);
  const edge = event.shiftKey ? fields[0] : fields.at(-1);
  if (dialog.contains(document.activeElement) && document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? fields.at(-1) : fields[0])?.focus();
}

document.querySelector('main').id = 'jobs';
addEventListener('keydown', pressKey);
addEventListener('focusin', rememberFocus);
// A click beside all controls ends the focus on purpose.
addEventListener('pointerdown', () => {
  origin = null;
});
new MutationObserver(keepFocus).observe(document.body, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['class', 'disabled'],
});
