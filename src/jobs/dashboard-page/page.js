// Completes the page of Agendash: the color scheme of the dashboard, and the use by keyboard.

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

const buttons = '.action-btn, .sidebar-item, .job-header, .detail-row, .stats-summary-card, .mybtn';
const names = {
  '.btn[title="Refresh now"]': 'Refresh',
  '.mobile-menu-btn': 'Menu',
  '.sidebar-mobile-close': 'Close menu',
  '.btn-close': 'Close',
};

/** Agendash's buttons in rows are elements without a role, which the keyboard does not reach. */
function completeElements() {
  for (const element of document.querySelectorAll(buttons)) {
    if (element.getAttribute('role') === 'button') continue;
    element.setAttribute('role', 'button');
    element.tabIndex = 0;
    if (element.title) element.setAttribute('aria-label', element.title);
  }
  for (const [selector, name] of Object.entries(names)) {
    for (const element of document.querySelectorAll(selector)) element.setAttribute('aria-label', name);
  }
  for (const box of document.querySelectorAll('table input[type=checkbox]:not([aria-label])')) {
    const name = box.closest('tr')?.querySelector('td.job-name')?.textContent;
    box.setAttribute('aria-label', name ? `Select ${name}` : 'Select all');
  }
  const dialog = document.querySelector('.modal-container');
  if (dialog && !dialog.hasAttribute('role')) openDialog(dialog);
  else if (!dialog && opener) returnFocus();
}

/** The element that opened the dialog, and gets the focus when it closes. */
let opener = null;

function openDialog(dialog) {
  opener = document.activeElement;
  dialog.setAttribute('role', 'dialog');
  dialog.setAttribute('aria-modal', 'true');
  dialog.setAttribute('aria-label', dialog.querySelector('.modal-title')?.textContent ?? 'Details');
  dialog.tabIndex = -1;
  // The first field of a form, or the button that cancels.
  const first = dialog.querySelector('input, select, textarea, .modal-footer button');
  (first ?? dialog).focus();
}

function returnFocus() {
  if (opener?.isConnected) opener.focus();
  opener = null;
}

function pressKey(event) {
  const dialog = document.querySelector('.modal-container');
  if (event.key === 'Enter' && dialog) {
    // Agendash would confirm the change, also while "Cancel" has the focus. The focused button still works.
    event.stopPropagation();
    if (event.repeat) event.preventDefault();
    return;
  }
  if (event.key === 'Tab' && dialog) keepFocus(event, dialog);
  const isButton = event.target.getAttribute?.('role') === 'button';
  if (isButton && !event.repeat && (event.key === 'Enter' || event.key === ' ')) {
    event.preventDefault();
    // A dialog that opens would read this key as its confirmation.
    event.stopPropagation();
    event.target.click();
  }
}

function keepFocus(event, dialog) {
  const fields = [...dialog.querySelectorAll('button, input, select, textarea, a[href]')].filter(
    (field) => !field.disabled,
  );
  const edge = event.shiftKey ? fields[0] : fields.at(-1);
  if (dialog.contains(document.activeElement) && document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? fields.at(-1) : fields[0])?.focus();
}

// Before the listeners of Agendash.
addEventListener('keydown', pressKey, { capture: true });
new MutationObserver(completeElements).observe(document.body, { childList: true, subtree: true });
completeElements();
