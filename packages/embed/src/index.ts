import { CausewayCheckout } from './element.ts';

export { CausewayCheckout, type CausewayCheckoutEvents } from './element.ts';
export type { CheckoutStatus } from './session.ts';

// Servers that render pages, such as with React, have no custom elements.
if (globalThis.customElements && !customElements.get('causeway-checkout'))
  customElements.define('causeway-checkout', CausewayCheckout);

declare global {
  interface HTMLElementTagNameMap {
    'causeway-checkout': CausewayCheckout;
  }
}
