const storageKey = 'causeway-counter-payment';
const currencyKey = 'causeway-counter-currency';

/**
 * Returns the method that was chosen last in this browser, or `link` for the code of the payment page; null before the
 * first choice.
 */
export function readPaymentChoice(): string | null {
  return localStorage.getItem(storageKey);
}

export function storePaymentChoice(choice: string): void {
  localStorage.setItem(storageKey, choice);
}

/** Returns the currency of the last sale in this browser, or null before the first one. */
export function readSaleCurrency(): string | null {
  return localStorage.getItem(currencyKey);
}

export function storeSaleCurrency(currency: string): void {
  localStorage.setItem(currencyKey, currency);
}
