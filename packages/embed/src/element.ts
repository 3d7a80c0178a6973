import { chooseView } from './choose-view.ts';
import { h } from './dom.ts';
import { CheckoutError } from './error.ts';
import { followSession } from './follow.ts';
import { outcomeView } from './outcome-view.ts';
import { cancelBox, payView } from './pay-view.ts';
import {
  type CheckoutStatus,
  canChoose,
  cancelChargeDocument,
  cancelSessionDocument,
  getStatus,
  type Offer,
  offersDocument,
  payDocument,
  type Session,
} from './session.ts';
import { style } from './style.ts';
import { loadTexts, type Texts } from './texts.ts';
import { createTransport, type Transport } from './transport.ts';
import type { View } from './view.ts';

export type CausewayCheckoutEvents = {
  'causeway:state': CustomEvent<{ status: CheckoutStatus; sessionId: string; chargeId: string | null }>;
  'causeway:complete': CustomEvent<{ sessionId: string; chargeId: string }>;
  'causeway:error': CustomEvent<{ code: string; message: string }>;
};

type Connection = { origin: string; id: string; transport: Transport; texts: Texts; signal: AbortSignal };

// Servers that render pages import the module, but never create the element.
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement;

/**
 * The checkout of one session. Until the checkout is ready, and after an error, the element shows its own content, such
 * as a link.
 */
export class CausewayCheckout extends Base {
  static readonly observedAttributes = ['src', 'session', 'token', 'lang', 'email'];

  #stopped = new AbortController();
  #wake = new AbortController();
  #connection: Connection | undefined;
  #session: Session | undefined;
  #offers: Offer[] = [];
  #areMethodsShown = false;
  #isStarting = false;
  #shownKey = '';
  #reportedStatus = '';

  connectedCallback(): void {
    this.#restart();
  }

  disconnectedCallback(): void {
    this.#stopped.abort();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#restart();
  }

  /** Reads the state of the session again. */
  refresh(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  /** Starts once for all attributes that a framework sets one after another. */
  #restart(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      this.#stopped.abort();
      this.#stopped = new AbortController();
      if (this.isConnected) void this.#start(this.#stopped.signal);
    });
  }

  async #start(signal: AbortSignal): Promise<void> {
    const origin = new URL(this.getAttribute('src') ?? import.meta.url).origin;
    const [id, token] = [this.getAttribute('session'), this.getAttribute('token')];
    this.#showContent();
    this.#session = undefined;
    this.#areMethodsShown = false;
    this.#reportedStatus = '';
    if (!id || !token) return;
    try {
      const transport = createTransport(origin, token);
      const texts = await loadTexts(origin, this.getAttribute('lang'));
      this.#connection = { origin, id, transport, texts, signal };
      await followSession({
        ...{ transport, id, signal },
        getWakeSignal: () => this.#wake.signal,
        onSession: (session) => this.#receive(session),
        onConnection: (isConnected) => this.#showConnection(isConnected),
      });
    } catch (error) {
      if (signal.aborted) return;
      // A paid session stays on the page; in any other state, the customer continues with the link.
      if (!this.#session || getStatus(this.#session) !== 'completed') this.#showContent();
      const code = error instanceof CheckoutError ? error.code : 'connection_failed';
      this.#report('causeway:error', { code, message: (error as Error).message });
    }
  }

  async #receive(session: Session): Promise<void> {
    const isNewCharge = session.charge?.id !== this.#session?.charge?.id;
    this.#session = session;
    if (isNewCharge || !canChoose(session)) this.#areMethodsShown = false;
    if (getStatus(session) === 'open') await this.#loadOffers();
    this.#render();
    this.#reportStatus(session);
  }

  async #loadOffers(): Promise<void> {
    const { transport, id } = this.#connection!;
    const { session } = await transport.query<{ session: { offers: Offer[] } }>(offersDocument, { id });
    this.#offers = session.offers;
  }

  #reportStatus(session: Session): void {
    const status = getStatus(session);
    const chargeId = session.charge?.id ?? null;
    if (`${status} ${chargeId}` === this.#reportedStatus) return;
    this.#reportedStatus = `${status} ${chargeId}`;
    this.#report('causeway:state', { status, sessionId: session.id, chargeId });
    if (status === 'completed' && chargeId)
      this.#report('causeway:complete', { sessionId: session.id, chargeId });
  }

  #report(name: keyof CausewayCheckoutEvents, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #render(): void {
    const session = this.#session!;
    const key = JSON.stringify([session.status, session.charge, this.#areMethodsShown, this.#offers.length]);
    if (key === this.#shownKey) return;
    this.#shownKey = key;
    const hadFocus = this.shadowRoot?.activeElement != null;
    const main = this.#getMain();
    const connection = main.querySelector('[part="connection"]')!;
    try {
      main.replaceChildren(connection, ...this.#banner(session), ...this.#content(session));
    } catch (error) {
      throw new CheckoutError('display_failed', (error as Error).message);
    }
    if (hadFocus) main.querySelector('h2')?.focus();
  }

  #content(session: Session): HTMLElement[] {
    const view = this.#toView(session);
    const { charge } = session;
    const status = getStatus(session);
    if (status === 'open') return [...chooseView(view), cancelBox(view)];
    if (this.#areMethodsShown) return chooseView(view);
    if (charge?.outstanding && charge.status === 'pending') return payView(view, charge, charge.outstanding);
    return outcomeView(view);
  }

  #toView(session: Session): View {
    const { texts, origin } = this.#connection!;
    return {
      ...{ texts, session, origin },
      offers: this.#offers,
      email: this.getAttribute('email') ?? '',
      pay: (choice) =>
        this.#change(payDocument, { input: { id: session.id, locale: toLocale(texts), ...choice } }),
      cancel: () => {
        const { charge } = session;
        const document = charge ? cancelChargeDocument : cancelSessionDocument;
        // If the cancellation was too late, reading the session again shows its current state.
        void this.#change(document, { id: (charge ?? session).id }).catch(() => this.refresh());
      },
      showMethods: async (isShown) => {
        try {
          if (isShown) await this.#loadOffers();
        } catch {
          this.#showConnection(false);
          return this.refresh();
        }
        this.#areMethodsShown = isShown;
        this.#render();
      },
    };
  }

  async #change(document: string, variables: Record<string, unknown>): Promise<void> {
    await this.#connection!.transport.query(document, variables);
    this.#areMethodsShown = false;
    this.refresh();
  }

  #banner({ mode, charge }: Session): HTMLElement[] {
    const { page } = this.#connection!.texts;
    if (charge?.outstanding?.isDemo) return [h('p', { part: 'notice' }, page.demoText)];
    return mode === 'sandbox' ? [h('p', { part: 'notice' }, page.sandboxText)] : [];
  }

  #showConnection(isConnected: boolean): void {
    const connection = this.shadowRoot?.querySelector('[part="connection"]');
    if (connection) connection.textContent = isConnected ? '' : this.#connection!.texts.pay.reconnecting;
  }

  #showContent(): void {
    this.#shownKey = '';
    this.#getRoot().replaceChildren(h('slot'));
  }

  #getMain(): Element {
    const root = this.#getRoot();
    const existing = root.querySelector('[part="container"]');
    if (existing) return existing;
    const main = h('section', { part: 'container', lang: this.#connection!.texts.language });
    main.append(h('p', { part: 'connection', role: 'status' }));
    root.replaceChildren(main);
    return main;
  }

  #getRoot(): ShadowRoot {
    if (this.shadowRoot) return this.shadowRoot;
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    return root;
  }
}

/** Returns the language as GraphQL spells it. */
function toLocale({ language }: Texts): string {
  return language.replaceAll('-', '_');
}
