import { CausewayCheckout } from './element.ts';

export { CausewayCheckout, type CausewayCheckoutEvents } from './element.ts';
export type { CheckoutStatus } from './session.ts';

// On a server, such as with React, there are no custom elements.
if (globalThis.customElements && !customElements.get('causeway-checkout'))
  customElements.define('causeway-checkout', CausewayCheckout);

declare global {
  interface HTMLElementTagNameMap {
    'causeway-checkout': CausewayCheckout;
  }
}
