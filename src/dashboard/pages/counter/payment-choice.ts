const storageKey = 'causeway-counter-payment';

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
